package dev.flotilla.cli.campaign;

import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.file.ManifestFiles;
import dev.flotilla.cli.kafka.FleetKafkaClient;
import dev.flotilla.cli.kafka.KafkaConnectionOption;
import dev.flotilla.cli.kafka.TableSnapshot;
import dev.flotilla.cli.kafka.WaitOption;
import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.JsonFormatter;
import dev.flotilla.cli.terminal.OutputOption;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.row.TableRow;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code flotilla campaign apply} and {@code flotilla policy apply}: checks files and writes their rows for the
 * orchestrator.
 */
@Command(name = "apply", mixinStandardHelpOptions = true)
public final class ApplyCommand<R extends TableRow> implements Callable<Integer> {
    private final ManifestKind<R> kind;
    private final Terminal terminal;

    @Parameters(
            paramLabel = "FILE",
            arity = "1..*",
            description = "YAML or JSON file; - reads stdin. If one file is invalid, none is applied.")
    private List<String> files = List.of();

    @Option(
            names = "--force",
            description =
                    "Apply also what is probably a mistake: a deadline that has passed, a site that does not exist,"
                            + " a" + " campaign that selects no machine.")
    private boolean force;

    @Mixin
    private KafkaConnectionOption connection = new KafkaConnectionOption();

    @Mixin
    private WaitOption waitOption = new WaitOption();

    @Mixin
    private OutputOption output = new OutputOption();

    private ApplyCommand(ManifestKind<R> kind, Terminal terminal) {
        this.kind = kind;
        this.terminal = terminal;
    }

    public static CommandLine campaign(Terminal terminal) {
        return command(new ApplyCommand<>(ManifestKind.campaigns(), terminal), "examples/campaigns/canary.yaml");
    }

    public static CommandLine policy(Terminal terminal) {
        return command(new ApplyCommand<>(ManifestKind.policies(), terminal), "examples/policies/fleet.yaml");
    }

    private static <R extends TableRow> CommandLine command(ApplyCommand<R> applyCommand, String example) {
        CommandLine command = new CommandLine(applyCommand);
        command.getCommandSpec()
                .usageMessage()
                .description(
                        "Checks files, writes them to Kafka and waits until the orchestrator has accepted or rejected"
                                + " them.",
                        "A file that changes nothing is not written again.",
                        "Exit codes: 0 accepted or unchanged, 1 rejected or not applied, 2 wrong usage or an invalid"
                                + " file,"
                                + " 3 no broker reachable or no answer from an orchestrator.");
        String words = "flotilla " + applyCommand.kind.kindName() + " apply ";
        HelpExamples.set(command, words + example, words + "--wait 60 --output json " + example);
        return command;
    }

    @Override
    public Integer call() {
        ManifestFiles<R> read = ManifestFiles.read(files, kind.reader());
        List<String> problems = new ArrayList<>(waitOption.problems());
        problems.addAll(read.problems());
        return problems.isEmpty()
                ? connection.run(terminal, kafka -> apply(kafka, read.values()))
                : connection.reportUsageErrors(terminal, problems);
    }

    private int apply(FleetKafkaClient kafka, List<R> rows) {
        List<ApplyResult> outcomes = new ArrayList<>();
        for (R row : rows) {
            // Read again: the row may overlap with one that was just applied.
            outcomes.add(apply(kafka, row, kafka.readAll()));
        }
        output.print(
                terminal,
                () -> outcomes.stream().flatMap(each -> each.lines().stream()).toList(),
                () -> new JsonObjectReader.Builder()
                        .put(
                                "applied",
                                JsonFormatter.list(
                                        outcomes.stream().map(ApplyResult::json).toList()))
                        .build());
        outcomes.stream()
                .filter(ApplyResult::failed)
                .forEach(each -> terminal.note(connection.commandName() + ": " + each.message()));
        outcomes.forEach(each -> each.warnings().forEach(warning -> terminal.note("warning: " + warning)));
        return outcomes.stream().mapToInt(ApplyResult::exit).max().orElse(ExitCode.DONE);
    }

    private ApplyResult apply(FleetKafkaClient kafka, R row, TableSnapshot tables) {
        ApplyResult unchanged = ApplyResult.unchanged(kind, row, tables);
        if (unchanged != null) {
            return unchanged;
        }
        ManifestReview manifestReview = kind.reviewer().of(row, tables, kafka.sites());
        if (!manifestReview.mistakes().isEmpty() && !force) {
            return ApplyResult.mistaken(kind, row, tables, manifestReview);
        }
        return ApplyResult.of(kind, row, tables, kafka.submit(row, waitOption.duration()), waitOption)
                .withWarnings(manifestReview.all());
    }
}
