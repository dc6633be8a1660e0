package dev.flotilla.cli.journal;

import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.kafka.FleetKafkaClient;
import dev.flotilla.cli.kafka.KafkaConnectionOption;
import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.JsonFormatter;
import dev.flotilla.cli.terminal.OutputOption;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.cli.terminal.TextTable;
import dev.flotilla.kafka.PartitionReader;
import dev.flotilla.orchestrator.journal.JournalChapterIndex;
import dev.flotilla.orchestrator.journal.JournalChapterIndex.ChapterPosition;
import dev.flotilla.orchestrator.journal.JournalReader;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.row.FleetHead;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code flotilla journal chapters}. */
@Command(
        name = "chapters",
        mixinStandardHelpOptions = true,
        description = {
            "Lists the chapters of the journal that have a complete checkpoint, the newest first.",
            "One chapter gives the state of the fleet at any instant until the next chapter starts."
        })
public final class JournalChaptersCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private KafkaConnectionOption connection = new KafkaConnectionOption();

    @Mixin
    private OutputOption output = new OutputOption();

    private JournalChaptersCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new JournalChaptersCommand(terminal));
        HelpExamples.set(command, "flotilla journal chapters", "flotilla journal chapters --output json");
        return command;
    }

    @Override
    public Integer call() {
        return connection.run(terminal, this::chapters);
    }

    private int chapters(FleetKafkaClient kafka) {
        kafka.sites();
        FleetHead head = kafka.read(List.of()).head();
        try (PartitionReader reader = kafka.reader(JournalReader.journalPartition())) {
            List<ChapterPosition> chapters = new JournalChapterIndex(reader).listChapters(head);
            output.print(
                    terminal,
                    () -> {
                        TextTable table = new TextTable("CHAPTER", "STARTED", "ROWS", "EXCLUDED SITES");
                        chapters.forEach(chapter -> table.row(
                                Long.toString(chapter.seq()),
                                chapter.begunAt().toString(),
                                Long.toString(chapter.rows()),
                                String.join(", ", without(chapter))));
                        return table.lines();
                    },
                    () -> new JsonObjectReader.Builder()
                            .put(
                                    "chapters",
                                    JsonFormatter.list(chapters.stream()
                                            .map(JournalChaptersCommand::json)
                                            .toList()))
                            .build());
        }
        return ExitCode.DONE;
    }

    private static JsonValue json(ChapterPosition chapter) {
        return new JsonObjectReader.Builder()
                .put("seq", chapter.seq())
                .put("startedAt", chapter.begunAt().toString())
                .put("checkpointRows", chapter.rows())
                .put("offset", chapter.offset())
                .put("excludedSites", JsonFormatter.texts(without(chapter)))
                .build();
    }

    private static List<String> without(ChapterPosition chapter) {
        return chapter.chapter().excludedSites().stream().map(SiteId::name).toList();
    }
}
