package dev.flotilla.cli.demo;

import dev.flotilla.cli.demo.stage.DemoProcess;
import dev.flotilla.cli.demo.stage.DemoProcessException;
import dev.flotilla.cli.demo.stage.DemoProcesses;
import dev.flotilla.cli.demo.stage.HttpJsonClient;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.row.TableRow;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.testkit.tables.TableWriter;
import dev.flotilla.testkit.tables.TopicCreator;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Runs one demonstration: starts all processes, writes a campaign, and shows its progress. */
final class DemoRunner {
    private static final int ORCHESTRATORS = 2;
    private static final Duration TICK = Duration.ofMillis(200);
    private static final Duration START_PATIENCE = Duration.ofSeconds(60);
    private static final Duration AUDIT_PATIENCE = Duration.ofSeconds(30);

    /** Time without decisions before it checks whether all remaining machines wait for an operator. */
    private static final Duration QUIET = Duration.ofSeconds(2);

    /** Time to wait for recovery after a kill; if no work is left, recovery cannot be observed. */
    private static final Duration KILL_PATIENCE = Duration.ofSeconds(15);

    /** Time without decisions, apart from a node's work, after which the demonstration has stalled. */
    private static final Duration STALLED = Duration.ofSeconds(90);

    /** Longest duration of a refresh, in simulated time. */
    private static final Duration LONGEST_REFRESH = Duration.ofMinutes(20);

    private final DemoSpec spec;
    private final DemoProcesses demoProcesses;
    private final DemoScreen screen;
    private final Consumer<JsonValue> endpoints;
    private final Instant begun = Instant.now();
    private final long begunNanos = System.nanoTime();

    /**
     * Runs a demonstration.
     *
     * @param endpoints receives all addresses as soon as everything is ready, and whenever they change
     */
    DemoRunner(DemoSpec spec, DemoProcesses demoProcesses, DemoScreen screen, Consumer<JsonValue> endpoints) {
        this.spec = spec;
        this.demoProcesses = demoProcesses;
        this.screen = screen;
        this.endpoints = endpoints;
    }

    DemoResult run(List<KillTarget> victims) throws DemoProcessException, InterruptedException {
        List<SiteId> sites = spec.fleet().sites();
        screen.preparing("starting the broker and the simulated sites", seconds());
        demoProcesses.startSites(spec.arguments());
        demoProcesses.startBroker();
        screen.preparing(
                "starting two orchestrators, the auditor, and the watchers"
                        + (spec.hasNodeUpgrades() ? ", workers and node-upgraders" : " and workers")
                        + " of the sites",
                seconds());
        TopicCreator.createTopics(demoProcesses.bootstrap(), sites);
        write(Table.POLICIES, DemoCampaign.policy(spec.cap(), spec.sites().providers()));
        for (int i = 0; i < ORCHESTRATORS; i++) {
            demoProcesses.startOrchestrator();
        }
        demoProcesses.startAuditor();
        demoProcesses.awaitSites();
        for (SiteId site : sites) {
            demoProcesses.startWatcher(site);
            demoProcesses.startWorker(site);
            if (spec.hasNodeUpgrades()) {
                demoProcesses.startNodeUpgrader(site);
            }
        }
        demoProcesses.awaitReady();
        MachineStatusTracker board = new MachineStatusTracker(spec);
        try (DemoTableFollower demoTableFollower =
                new DemoTableFollower(demoProcesses.bootstrap(), spec, board, this::onEvent)) {
            screen.preparing("waiting until the orchestrator knows every machine", seconds());
            awaitFleet(demoTableFollower);
            endpoints.accept(EndpointsFile.toJson(demoProcesses, sites));
            DemoProcess leader = demoProcesses.leader();
            if (leader != null) {
                screen.preparing("the live page is at " + leader.uri(), seconds());
            }
            DemoCampaign.campaigns(spec.sites().providers()).forEach(each -> write(Table.CAMPAIGNS, each));
            return watch(
                    demoTableFollower,
                    board,
                    new ProcessKiller(demoProcesses, demoTableFollower, board, victims, this::onEvent));
        }
    }

    /** Waits until the orchestrator knows every machine, so that the campaign begins with all of them. */
    private void awaitFleet(DemoTableFollower demoTableFollower) throws DemoProcessException {
        long end = System.nanoTime() + START_PATIENCE.toNanos();
        while (!demoTableFollower.isFleetComplete(spec) && System.nanoTime() < end) {
            requireAllRunning();
            demoTableFollower.poll(TICK);
        }
        if (!demoTableFollower.isFleetComplete(spec)) {
            throw demoProcesses.failure(
                    "the orchestrator did not read all machines within " + START_PATIENCE.toSeconds() + " s");
        }
    }

    private DemoResult watch(DemoTableFollower demoTableFollower, MachineStatusTracker board, ProcessKiller kills)
            throws DemoProcessException, InterruptedException {
        DemoResultCollector demoResultCollector = new DemoResultCollector(spec, demoTableFollower, board);
        screen.begin(progress(board));
        boolean moved = false;
        while (!isOver(demoTableFollower, board, kills, demoResultCollector)) {
            requireAllRunning();
            demoTableFollower.poll(TICK);
            moved |= kills.killNextIfDue();
            if (moved && demoProcesses.leader() != null && kills.hasRecovered()) {
                endpoints.accept(
                        EndpointsFile.toJson(demoProcesses, spec.fleet().sites()));
                moved = false;
            }
            screen.show(() -> progress(board), seconds());
        }
        String gaveUp = isStalled(demoTableFollower)
                ? "Gave up: no attempt has changed for " + patience().toSeconds() + " s"
                : null;
        screen.end(progress(board), seconds());
        DemoResult.AuditResult auditResult = audit(demoTableFollower);
        NodeCallStatistics work = new NodeCallStatistics(
                HttpJsonClient.get(demoProcesses.uri(DemoProcesses.SITES).resolve("/stats")));
        return demoResultCollector.collectResult(work, kills.kills(), auditResult, begun, gaveUp);
    }

    /** Whether nothing was decided for longer than any refresh takes at the configured speed. */
    private boolean isStalled(DemoTableFollower demoTableFollower) {
        return demoTableFollower.timeSinceDecision().compareTo(patience()) > 0;
    }

    private Duration patience() {
        return STALLED.plusMillis(
                Math.round(LONGEST_REFRESH.toMillis() / spec.sites().speed()));
    }

    private boolean isOver(
            DemoTableFollower demoTableFollower,
            MachineStatusTracker board,
            ProcessKiller kills,
            DemoResultCollector demoResultCollector) {
        if (isStalled(demoTableFollower)) {
            return true;
        }
        if (demoTableFollower.accepted() == null || board.open() > 0) {
            return false;
        }
        if (!kills.hasRecovered() && demoTableFollower.timeSinceDecision().compareTo(KILL_PATIENCE) < 0) {
            return false;
        }
        return board.areCampaignsOver()
                || (demoTableFollower.timeSinceDecision().compareTo(QUIET) > 0
                        && demoResultCollector.waitsForOperators());
    }

    /** Polls the auditor until it has read the journal as far as this process. */
    private DemoResult.AuditResult audit(DemoTableFollower demoTableFollower) {
        long end = System.nanoTime() + AUDIT_PATIENCE.toNanos();
        DemoResult.AuditResult last = new DemoResult.AuditResult(false, 0, List.of());
        while (!last.isComplete() && System.nanoTime() < end) {
            demoTableFollower.poll(TICK);
            last = audit(
                    HttpJsonClient.get(demoProcesses.uri(DemoProcesses.AUDITOR).resolve("/report")),
                    demoTableFollower.seq());
        }
        return last;
    }

    private static DemoResult.AuditResult audit(@Nullable JsonObjectReader report, long seq) {
        if (report == null
                || !(report.get("seq") instanceof JsonValue.JsonInteger seen)
                || !(report.get("checks") instanceof JsonObjectReader checks)
                || !(report.get("violations") instanceof JsonValue.JsonArray violations)) {
            return new DemoResult.AuditResult(false, 0, List.of());
        }
        boolean caughtUp = report.get("caughtUp") instanceof JsonValue.JsonBoolean jsonBoolean && jsonBoolean.value();
        return new DemoResult.AuditResult(caughtUp && seen.value() >= seq, sum(checks), violations.items());
    }

    /** Number of checks of all invariants. */
    private static long sum(JsonObjectReader checks) {
        long sum = 0;
        for (int i = 0; i < checks.size(); i++) {
            sum += checks.value(i) instanceof JsonValue.JsonInteger jsonInteger ? jsonInteger.value() : 0;
        }
        return sum;
    }

    private void requireAllRunning() throws DemoProcessException {
        String missing = demoProcesses.crashedProcess();
        if (missing != null) {
            throw demoProcesses.failure(missing);
        }
    }

    private void write(Table table, TableRow row) {
        try (TableWriter writer = new TableWriter(demoProcesses.bootstrap(), failure -> {
            throw new IllegalStateException("writing to " + table.label(), failure);
        })) {
            writer.write(TablePartition.of(table), row, () -> {});
            writer.flush();
        }
    }

    private void onEvent(DemoEvent event) {
        screen.showEvent(event, seconds());
    }

    private DemoProgress progress(MachineStatusTracker board) {
        return new DemoProgress(board.progress(), board.open(), spec.cap());
    }

    private double seconds() {
        return (System.nanoTime() - begunNanos) / 1e9;
    }
}
