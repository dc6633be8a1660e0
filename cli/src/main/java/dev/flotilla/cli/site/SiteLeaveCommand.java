package dev.flotilla.cli.site;

import dev.flotilla.cli.ExitCode;
import dev.flotilla.cli.kafka.FleetKafkaClient;
import dev.flotilla.cli.kafka.TableSnapshot;
import dev.flotilla.cli.order.OrderOptions;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.cli.verb.HelpExamples;
import dev.flotilla.managementwatcher.leave.SiteLeaveCleanup;
import dev.flotilla.schemas.id.NameValidator;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.topic.Table;
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
        mixinStandardHelpOptions = true,
        description = {
            "Takes a site out of Flotilla in an order that leaves nothing behind that lies. Run it until it exits 0: each run"
                    + " does what can be done by then, and says what it waits for.",
            "It freezes the site, waits until nothing is in flight and the watcher has reported the ends, has you stop watcher"
                    + " and workers, removes what Flotilla wrote on the objects, and names what you delete last.",
            "What people wrote (hold, opt-out, time-zone), status and release of what is over stay. Rights in the management"
                    + " cluster: list and patch Clusters, Machines and their owners.",
            "Exit: 0 it has left, 1 something is still to be done, 3 something does not answer."
        })
public final class SiteLeaveCommand implements Callable<Integer> {
    private static final String STOP =
            "kubectl -n flotilla scale deployment --replicas=0 flotilla-management-watcher" + " flotilla-node-worker";
    private static final String DELETE =
            "kubectl delete -f deploy/management-watcher/intercept.yaml -f deploy/management-watcher/rbac.yaml";

    private final Terminal terminal;

    @Parameters(paramLabel = "NAME", description = "The site.")
    private String name = "";

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            required = true,
            description = "Of the site's management cluster.")
    private Path kubeconfig = Path.of("");

    @Mixin
    private OrderOptions options = new OrderOptions();

    private SiteLeaveCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new SiteLeaveCommand(terminal));
        HelpExamples.set(command, "flotilla site leave east --kubeconfig east.kubeconfig --why 'the site closes'");
        return command;
    }

    @Override
    public Integer call() {
        List<String> problems = new ArrayList<>();
        String problem = NameValidator.problemOfOwnName(name);
        if (problem != null) {
            problems.add("\"" + name + "\" is no name of a site: it " + problem);
        }
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
                    .reportNegativeAnswer(terminal, "there is no site " + site + "; `flotilla site list` lists them");
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
        String waits = waits(kafka, site);
        if (waits != null) {
            return still(waits);
        }
        SiteLeaveCleanup.CleanupPlan cleanupPlan = sweep.planCleanup();
        if (!cleanupPlan.problems().isEmpty()) {
            cleanupPlan.problems().forEach(terminal::note);
            return ExitCode.UNREACHABLE;
        }
        return isSilent(kafka, site) ? swept(sweep, cleanupPlan) : stopped(cleanupPlan);
    }

    /** What is still in flight, in words; null for nothing. */
    private static @Nullable String waits(FleetKafkaClient kafka, SiteId site) {
        TableSnapshot tables = kafka.read(List.of(site), Table.STATUS);
        List<String> open = tables.rows(MachineStatus.class).stream()
                .filter(row -> row.attempt() != null)
                .map(row -> row.key().toString())
                .toList();
        return open.isEmpty() ? null : open.size() + " machines are in flight, " + open.getFirst() + " among them";
    }

    private static boolean isSilent(FleetKafkaClient kafka, SiteId site) {
        SiteHead head = kafka.read(Table.HEAD).row(new RowKey(Table.HEAD, site), SiteHead.class);
        return head != null && head.silentSince() != null;
    }

    private int stopped(SiteLeaveCleanup.CleanupPlan cleanupPlan) {
        List<String> open = new ArrayList<>(cleanupPlan.guarded());
        open.addAll(cleanupPlan.unreported());
        return still(
                open.isEmpty()
                        ? "nothing is in flight, and everything is reported: stop the watcher and the workers with `"
                                + STOP + "`; the site counts as silent half a minute later"
                        : "watcher and workers have still to write to " + open.size() + " Machines, " + open.getFirst()
                                + " among them");
    }

    private int swept(SiteLeaveCleanup sweep, SiteLeaveCleanup.CleanupPlan cleanupPlan) {
        if (!cleanupPlan.guarded().isEmpty()) {
            return still(cleanupPlan.guarded().size()
                    + " Machines bear guards of a worker that is gone, and their nodes may be"
                    + " cordoned: `flotilla machine release " + name + "/"
                    + cleanupPlan.guarded().getFirst()
                    + " --kubeconfig " + kubeconfig + "` for each");
        }
        List<String> problems = sweep.runCleanup(cleanupPlan);
        if (!problems.isEmpty()) {
            problems.forEach(terminal::note);
            return ExitCode.NO;
        }
        cleanupPlan.intents().forEach(wish -> terminal.out().println("removed unfulfilled: " + wish));
        terminal.out()
                .println("removed what Flotilla wrote from "
                        + cleanupPlan.removable().size() + " objects");
        terminal.out()
                .println(
                        "the site has left; delete the policy last, since the provider's controllers act from then on:");
        terminal.out().println("  " + DELETE);
        return ExitCode.DONE;
    }

    private int still(String what) {
        terminal.out().println(what);
        terminal.out().println("run it again then");
        return ExitCode.NO;
    }
}
