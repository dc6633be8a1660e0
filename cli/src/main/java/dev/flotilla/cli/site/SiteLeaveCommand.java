package dev.flotilla.cli.site;

import dev.flotilla.cli.command.CommandErrorReporter;
import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.kafka.FleetKafkaClient;
import dev.flotilla.cli.kafka.TableSnapshot;
import dev.flotilla.cli.order.OrderOptions;
import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.managementwatcher.leave.SiteLeaveCleanup;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.SiteHead;
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

/** {@code flotilla site leave}. */
@Command(
        name = "leave",
        aliases = "remove",
        mixinStandardHelpOptions = true,
        description = {
            "Removes a site from Flotilla, step by step. Run it until it exits 0: each run does the next step that is"
                    + " possible"
                    + " and says what it waits for.",
            "The steps: freeze the site; wait until nothing is in flight and the watcher has reported all results;"
                    + " you stop"
                    + " watcher and workers; remove Flotilla's annotations from the objects; name the policy or webhook"
                    + " that you delete last.",
            "Annotations of operators (hold, opt-out, time-zone) stay, and so do status and release of finished"
                    + " upgrades. Rights"
                    + " in the management cluster: list and patch Clusters, Machines and their owners.",
            "Exit codes: 0 the site is removed, 1 something is left to do, 2 wrong usage, 3 Kafka or the management"
                    + " cluster cannot"
                    + " be reached."
        })
public final class SiteLeaveCommand implements Callable<Integer> {
    private static final String STOP =
            " -n flotilla scale deployment --replicas=0 flotilla-management-watcher flotilla-node-worker";

    private final Terminal terminal;

    @Parameters(paramLabel = "NAME", description = "Name of the site.")
    private String name = "";

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            required = true,
            description = "Kubeconfig of the site's management cluster.")
    private Path kubeconfig = Path.of("");

    @Mixin
    private OrderOptions options = new OrderOptions();

    private SiteLeaveCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new SiteLeaveCommand(terminal));
        HelpExamples.set(command, "flotilla site leave east --kubeconfig east.kubeconfig --reason 'the site closes'");
        return command;
    }

    @Override
    public Integer call() {
        List<String> problems = new ArrayList<>();
        problems.addAll(CommandErrorReporter.siteNameProblems(name));
        problems.addAll(options.waitOption().problems());
        if (!problems.isEmpty()) {
            return options.connection().reportUsageErrors(terminal, problems);
        }
        try (SiteLeaveCleanup sweep = SiteLeaveCleanup.open(kubeconfig)) {
            return options.connection().run(terminal, kafka -> leave(kafka, sweep));
        } catch (IOException unfit) {
            return options.connection().reportUsageErrors(terminal, List.of(String.valueOf(unfit.getMessage())));
        }
    }

    private int leave(FleetKafkaClient kafka, SiteLeaveCleanup sweep) {
        SiteId site = new SiteId(name);
        if (!kafka.sites().contains(site)) {
            return options.connection()
                    .reportNegativeAnswer(
                            terminal, "there is no site " + site + "; `flotilla site list` lists the" + " sites");
        }
        OperatorOrderKey freeze = new OperatorOrderKey.FreezeSite(site);
        OperatorOrder frozen = kafka.read(Table.FREEZES).row(new RowKey(Table.FREEZES, freeze), OperatorOrder.class);
        if (frozen == null || !frozen.isFreeze()) {
            int given = options.submitOrder(
                    kafka, terminal, freeze, OperatorOrder.OrderVerb.FREEZE, null, "site " + name, "frozen");
            if (given != ExitCode.DONE) {
                return given;
            }
        }
        String waits = describeInFlight(kafka, site);
        if (waits != null) {
            return reportRemaining(waits);
        }
        SiteLeaveCleanup.CleanupPlan cleanupPlan = sweep.planCleanup();
        if (!cleanupPlan.problems().isEmpty()) {
            cleanupPlan.problems().forEach(terminal::note);
            return ExitCode.UNREACHABLE;
        }
        return isSilent(kafka, site) ? reportRemoved(sweep, cleanupPlan) : reportStopNeeded(cleanupPlan);
    }

    /** Describes what is still in flight; null for nothing. */
    private static @Nullable String describeInFlight(FleetKafkaClient kafka, SiteId site) {
        TableSnapshot tables = kafka.read(List.of(site), Table.STATUS);
        List<String> open = tables.rows(MachineStatus.class).stream()
                .filter(row -> row.attempt() != null)
                .map(row -> row.key().toString())
                .toList();
        return open.isEmpty() ? null : open.size() + " machines are in flight, for example " + open.getFirst();
    }

    private static boolean isSilent(FleetKafkaClient kafka, SiteId site) {
        SiteHead head = kafka.read(Table.HEAD).row(new RowKey(Table.HEAD, site), SiteHead.class);
        return head != null && head.silentSince() != null;
    }

    private int reportStopNeeded(SiteLeaveCleanup.CleanupPlan cleanupPlan) {
        List<String> open = new ArrayList<>(cleanupPlan.guarded());
        open.addAll(cleanupPlan.unreported());
        return reportRemaining(
                open.isEmpty()
                        ? "nothing is in flight and all results are reported: stop the watcher and the workers with"
                                + " `" + kubectl() + STOP
                                + "`; 30 s later the site is silent"
                        : "watcher and workers still have to write to " + open.size() + " Machines, for example "
                                + open.getFirst());
    }

    private int reportRemoved(SiteLeaveCleanup sweep, SiteLeaveCleanup.CleanupPlan cleanupPlan) {
        if (!cleanupPlan.guarded().isEmpty()) {
            return reportRemaining(cleanupPlan.guarded().size()
                    + " Machines have guard annotations of a worker that no longer runs, and their"
                    + " nodes may be cordoned: run `flotilla machine release " + name + "/"
                    + cleanupPlan.guarded().getFirst()
                    + " --kubeconfig " + kubeconfig + "` for each");
        }
        List<String> problems = sweep.runCleanup(cleanupPlan);
        if (!problems.isEmpty()) {
            problems.forEach(terminal::note);
            return ExitCode.NO;
        }
        cleanupPlan.intents().forEach(intent -> terminal.out().println("removed unfulfilled: " + intent));
        terminal.out()
                .println("removed what Flotilla wrote from "
                        + cleanupPlan.removable().size() + " objects");
        boolean isWebhook = sweep.isInterceptedByWebhook();
        terminal.out()
                .println("the site is removed; delete the " + (isWebhook ? "webhook" : "policy")
                        + " last, because the provider's controllers act from then on:");
        terminal.out()
                .println("  installed with Helm: helm uninstall flotilla-site -n flotilla --kubeconfig " + kubeconfig);
        terminal.out()
                .println("  otherwise: " + kubectl() + " delete -f deploy/management-watcher/"
                        + (isWebhook ? "intercept-webhook.yaml" : "intercept.yaml")
                        + " -f deploy/management-watcher/rbac.yaml");
        return ExitCode.DONE;
    }

    private String kubectl() {
        return "kubectl --kubeconfig " + kubeconfig;
    }

    private int reportRemaining(String what) {
        terminal.out().println(what);
        terminal.out().println("then run this command again");
        return ExitCode.NO;
    }
}
