package dev.flotilla.cli.site.check;

import dev.flotilla.cli.Exit;
import dev.flotilla.cli.kafka.Connection;
import dev.flotilla.cli.kafka.FleetKafka;
import dev.flotilla.cli.terminal.JsonText;
import dev.flotilla.cli.terminal.Output;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.cli.verb.Examples;
import dev.flotilla.schemas.id.NameValidator;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code flotilla site check}. */
@Command(
        name = "check",
        mixinStandardHelpOptions = true,
        description = {
            "Checks that a site has what an upgrade needs: brokers, topics, their settings and replicas, rights.",
            "With --kubeconfig its management cluster too: the admission policy where the provider's controllers run, the"
                    + " rights of watcher and workers, whether each cluster's kubeconfig can be read and when it ends, and"
                    + " whether nodes hold their snap. It is asked with your own rights, and nothing there is changed.",
            "Each verdict is ok, differs (harmless), unknown (we may not ask) or FAILED, with what to do.",
            "Exit: 0 nothing failed, 1 something did, 3 no broker answers."
        })
public final class CheckCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "NAME", description = "The site.")
    private String name = "";

    @Option(names = "--kubeconfig", paramLabel = "FILE", description = "Of the site's management cluster.")
    private @Nullable Path kubeconfig;

    @Mixin
    private Connection connection = new Connection();

    @Mixin
    private Output output = new Output();

    private CheckCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new CheckCommand(terminal));
        Examples.set(
                command,
                "flotilla site check east",
                "flotilla site check east --kubeconfig east.kubeconfig",
                "flotilla site check east --output json");
        return command;
    }

    @Override
    public Integer call() {
        List<String> problems = new ArrayList<>();
        String problem = NameValidator.problemOfOwnName(name);
        if (problem != null) {
            problems.add("\"" + name + "\" is no name of a site: it " + problem);
        }
        try (ManagementChecks management = management(problems)) {
            return problems.isEmpty()
                    ? connection.run(terminal, kafka -> check(kafka, management))
                    : connection.wrong(terminal, problems);
        }
    }

    private @Nullable ManagementChecks management(List<String> problems) {
        if (kubeconfig == null) {
            return null;
        }
        try {
            return ManagementChecks.open(kubeconfig);
        } catch (IOException unfit) {
            problems.add(String.valueOf(unfit.getMessage()));
            return null;
        }
    }

    private int check(FleetKafka kafka, @Nullable ManagementChecks management) {
        SiteId site = new SiteId(name);
        KafkaChecks tables = new KafkaChecks(kafka, site);
        List<Verdict> verdicts = new ArrayList<>(tables.all());
        if (management == null) {
            verdicts.add(Verdict.unknown(ManagementChecks.CHECK, "give --kubeconfig FILE to have it looked at"));
        } else {
            verdicts.addAll(management.all(site, tables.inventory()));
        }
        boolean met = verdicts.stream().noneMatch(verdict -> verdict.word() == Verdict.Word.FAILED);
        output.tell(
                terminal,
                () -> verdicts.stream().map(Verdict::line).toList(),
                () -> new JsonObjectReader.Builder()
                        .put("site", name)
                        .put("met", met)
                        .put(
                                "checks",
                                JsonText.list(
                                        verdicts.stream().map(Verdict::json).toList()))
                        .build());
        return met ? Exit.DONE : Exit.NO;
    }
}
