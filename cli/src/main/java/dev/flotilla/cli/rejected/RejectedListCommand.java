package dev.flotilla.cli.rejected;

import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.kafka.FleetKafkaClient;
import dev.flotilla.cli.kafka.KafkaConnectionOption;
import dev.flotilla.cli.kafka.RowJson;
import dev.flotilla.cli.kafka.WaitOption;
import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.JsonFormatter;
import dev.flotilla.cli.terminal.OutputOption;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.cli.terminal.TextTable;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.row.RejectedRecord;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code flotilla rejected list}. */
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        description = {
            "Lists rejected records with their position and the reason.",
            "An unreadable record blocks what it is about (gate rejected-input): write a valid record under its key.",
            "Deleting an unreadable freeze, state order or policy does not open the gate."
        })
public final class RejectedListCommand implements Callable<Integer> {
    private static final int LONGEST_KEY = 100;

    private final Terminal terminal;

    @Mixin
    private KafkaConnectionOption connection = new KafkaConnectionOption();

    @Mixin
    private OutputOption output = new OutputOption();

    private RejectedListCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new RejectedListCommand(terminal));
        HelpExamples.set(command, "flotilla rejected list", "flotilla rejected list --output json");
        return command;
    }

    @Override
    public Integer call() {
        return connection.run(terminal, this::list);
    }

    private int list(FleetKafkaClient kafka) {
        List<RejectedRecord> rows = kafka.read(Table.REJECTED).rows(RejectedRecord.class).stream()
                .sorted(Comparator.comparing(row -> row.key().toString()))
                .toList();
        output.print(
                terminal,
                () -> {
                    TextTable table = new TextTable("RECORD", "OFFSET", "TIME", "READABLE", "WHY");
                    rows.forEach(row -> table.row(
                            shortened(row.key().toString()),
                            Long.toString(row.offset()),
                            row.rejectedAt().toString(),
                            row.readable() ? "yes" : "no",
                            WaitOption.describeRejection(row)));
                    return table.lines();
                },
                () -> new JsonObjectReader.Builder()
                        .put(
                                "rejected",
                                JsonFormatter.list(
                                        rows.stream().map(RowJson::toJson).toList()))
                        .build());
        return ExitCode.DONE;
    }

    /** Shortens a long key, so that the rest of its line stays visible. */
    static String shortened(String key) {
        return key.length() <= LONGEST_KEY
                ? key
                : key.substring(0, LONGEST_KEY / 2) + "…" + key.substring(key.length() - LONGEST_KEY / 2);
    }
}
