package dev.flotilla.cli.site.check;

import dev.flotilla.cli.command.CommandErrorReporter;
import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.kafka.FleetKafkaClient;
import dev.flotilla.cli.kafka.KafkaConnectionOption;
import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.JsonFormatter;
import dev.flotilla.cli.terminal.OutputOption;
import dev.flotilla.cli.terminal.Terminal;
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
            "Checks that a site has what upgrades need: brokers, topics, topic settings, replicas and ACLs. Changes"
                    + " nothing.",
            "With --kubeconfig also its management cluster: the admission policy if the provider's controllers run, the"
                    + " permissions of watcher and workers, whether each cluster's kubeconfig can be read and when it"
                    + " expires, and"
                    + " whether nodes hold their snap, and whether another extension of Cluster API serves in-place updates in"
                    + " Flotilla's namespaces. The checks use your own rights.",
            "Each result is ok, differs (harmless), unknown (not permitted to check) or FAILED, with what to do.",
            "Exit codes: 0 no check failed, 1 a check failed, 2 wrong usage, 3 no broker reachable."
        })
public final class SiteCheckCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "NAME", description = "Name of the site.")
    private String name = "";

    @Option(names = "--kubeconfig", paramLabel = "FILE", description = "Kubeconfig of the site's management cluster.")
    private @Nullable Path kubeconfig;

    @Mixin
    private KafkaConnectionOption connection = new KafkaConnectionOption();

    @Mixin
    private OutputOption output = new OutputOption();

    private SiteCheckCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new SiteCheckCommand(terminal));
        HelpExamples.set(
                command,
                "flotilla site check east",
                "flotilla site check east --kubeconfig east.kubeconfig",
                "flotilla site check east --output json");
        return command;
    }

    @Override
    public Integer call() {
        List<String> problems = new ArrayList<>();
        problems.addAll(CommandErrorReporter.siteNameProblems(name));
        try (ManagementClusterChecks management = management(problems)) {
            return problems.isEmpty()
                    ? connection.run(terminal, kafka -> check(kafka, management))
                    : connection.reportUsageErrors(terminal, problems);
        }
    }

    private @Nullable ManagementClusterChecks management(List<String> problems) {
        if (kubeconfig == null) {
            return null;
        }
        try {
            return ManagementClusterChecks.open(kubeconfig);
        } catch (IOException unfit) {
            problems.add(String.valueOf(unfit.getMessage()));
            return null;
        }
    }

    private int check(FleetKafkaClient kafka, @Nullable ManagementClusterChecks management) {
        SiteId site = new SiteId(name);
        KafkaChecks tables = new KafkaChecks(kafka, site);
        List<CheckResult> verdicts = new ArrayList<>(tables.runAll());
        if (management == null) {
            verdicts.add(CheckResult.unknown(ManagementClusterChecks.CHECK, "give --kubeconfig FILE to check it"));
        } else {
            verdicts.addAll(management.runAll(site, tables.inventory()));
        }
        boolean met =
                verdicts.stream().noneMatch(checkResult -> checkResult.status() == CheckResult.CheckStatus.FAILED);
        output.print(
                terminal,
                () -> verdicts.stream().map(CheckResult::line).toList(),
                () -> new JsonObjectReader.Builder()
                        .put("site", name)
                        .put("passed", met)
                        .put(
                                "checks",
                                JsonFormatter.list(
                                        verdicts.stream().map(CheckResult::json).toList()))
                        .build());
        return met ? ExitCode.DONE : ExitCode.NO;
    }
}
