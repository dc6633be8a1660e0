package dev.flotilla.cli.campaign;

import dev.flotilla.cli.Exit;
import dev.flotilla.cli.file.AppliedFiles;
import dev.flotilla.cli.kafka.Connection;
import dev.flotilla.cli.kafka.FleetKafka;
import dev.flotilla.cli.kafka.Snapshot;
import dev.flotilla.cli.kafka.Waiting;
import dev.flotilla.cli.terminal.JsonText;
import dev.flotilla.cli.terminal.Output;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.cli.verb.Examples;
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

/** {@code flotilla campaign apply} and {@code flotilla policy apply}: what a file says, the orchestrator is to do. */
@Command(name = "apply", mixinStandardHelpOptions = true)
public final class ApplyCommand<R extends TableRow> implements Callable<Integer> {
    private final Applied<R> kind;
    private final Terminal terminal;

    @Parameters(
            paramLabel = "FILE",
            arity = "1..*",
            description = "YAML or JSON; - is stdin. All of them are taken, or none.")
    private List<String> files = List.of();

    @Option(
            names = "--force",
            description =
                    "Apply also what is most likely a mistake: a deadline that has passed, a site that does not exist, a"
                            + " campaign that selects no machine.")
    private boolean force;

    @Mixin
    private Connection connection = new Connection();

    @Mixin
    private Waiting waiting = new Waiting();

    @Mixin
    private Output output = new Output();

    private ApplyCommand(Applied<R> kind, Terminal terminal) {
        this.kind = kind;
        this.terminal = terminal;
    }

    public static CommandLine campaign(Terminal terminal) {
        return command(new ApplyCommand<>(Applied.campaigns(), terminal), "examples/campaigns/canary.yaml");
    }

    public static CommandLine policy(Terminal terminal) {
        return command(new ApplyCommand<>(Applied.policies(), terminal), "examples/policies/fleet.yaml");
    }

    private static <R extends TableRow> CommandLine command(ApplyCommand<R> verb, String example) {
        CommandLine command = new CommandLine(verb);
        command.getCommandSpec()
                .usageMessage()
                .description(
                        "Checks files and writes what they say, for the orchestrator to take. What is so already is not"
                                + " written again.",
                        "Exit: 0 taken or unchanged, 1 refused, 2 a file is wrong, 3 no broker or no orchestrator"
                                + " answers.");
        String words = "flotilla " + verb.kind.word() + " apply ";
        Examples.set(command, words + example, words + "--wait 60 --output json " + example);
        return command;
    }

    @Override
    public Integer call() {
        AppliedFiles<R> read = AppliedFiles.read(files, kind.reader());
        List<String> problems = new ArrayList<>(waiting.problems());
        problems.addAll(read.problems());
        return problems.isEmpty()
                ? connection.run(terminal, kafka -> apply(kafka, read.values()))
                : connection.wrong(terminal, problems);
    }

    private int apply(FleetKafka kafka, List<R> rows) {
        List<Outcome> outcomes = new ArrayList<>();
        for (R row : rows) {
            // What was applied before may overlap with it.
            outcomes.add(apply(kafka, row, kafka.readAll()));
        }
        output.tell(
                terminal,
                () -> outcomes.stream().flatMap(each -> each.lines().stream()).toList(),
                () -> new JsonObjectReader.Builder()
                        .put(
                                "applied",
                                JsonText.list(
                                        outcomes.stream().map(Outcome::json).toList()))
                        .build());
        outcomes.stream().filter(Outcome::failed).forEach(each -> terminal.note(connection.name() + ": " + each.why()));
        outcomes.forEach(each -> each.warnings().forEach(says -> terminal.note("warning: " + says)));
        return outcomes.stream().mapToInt(Outcome::exit).max().orElse(Exit.DONE);
    }

    private Outcome apply(FleetKafka kafka, R row, Snapshot tables) {
        Outcome unchanged = Outcome.unchanged(kind, row, tables);
        if (unchanged != null) {
            return unchanged;
        }
        Review review = kind.reviewer().of(row, tables, kafka.sites());
        if (!review.mistakes().isEmpty() && !force) {
            return Outcome.mistaken(kind, row, tables, review);
        }
        return Outcome.of(kind, row, tables, kafka.submit(row, waiting.duration()), waiting)
                .warning(review.all());
    }
}
