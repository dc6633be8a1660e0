package dev.flotilla.cli.demo;

import dev.flotilla.cli.demo.stage.HttpJson;
import dev.flotilla.cli.demo.stage.JavaProcess;
import dev.flotilla.cli.demo.stage.Stage;
import dev.flotilla.cli.demo.stage.StageFailure;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.row.TableRow;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.testkit.tables.TableWriter;
import dev.flotilla.testkit.tables.TopicMaker;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One demonstration: everything is started, a campaign is written, and whoever looks on sees how it goes. */
final class Demo {
    private static final int ORCHESTRATORS = 2;
    private static final Duration TICK = Duration.ofMillis(200);
    private static final Duration START_PATIENCE = Duration.ofSeconds(60);
    private static final Duration AUDIT_PATIENCE = Duration.ofSeconds(30);

    /** So long nothing is decided before it is asked whether all that is left waits for people. */
    private static final Duration QUIET = Duration.ofSeconds(2);

    /** Where nothing is left to do, nobody can show by doing it that a kill has been got over. */
    private static final Duration KILL_PATIENCE = Duration.ofSeconds(15);

    /** Longer than anything waits that goes on by itself, but for a node's own work. */
    private static final Duration STALLED = Duration.ofSeconds(90);

    /** No node works longer on a refresh, by its own clock. */
    private static final Duration LONGEST_REFRESH = Duration.ofMinutes(20);

    private final DemoSpec spec;
    private final Stage stage;
    private final Screen screen;
    private final Consumer<JsonValue> endpoints;
    private final Instant begun = Instant.now();
    private final long begunNanos = System.nanoTime();

    /**
     * Shows something on a stage where nothing runs yet.
     *
     * @param endpoints told where everything is, as soon as all is up and whenever that changes
     */
    Demo(DemoSpec spec, Stage stage, Screen screen, Consumer<JsonValue> endpoints) {
        this.spec = spec;
        this.stage = stage;
        this.screen = screen;
        this.endpoints = endpoints;
    }

    DemoResult run(List<Victim> victims) throws StageFailure, InterruptedException {
        List<SiteId> sites = spec.fleet().sites();
        screen.preparing("starting the broker and the simulated sites", seconds());
        stage.startSites(spec.arguments());
        stage.startBroker();
        screen.preparing(
                "starting two orchestrators, the auditor, and the watchers and workers of the sites", seconds());
        TopicMaker.make(stage.bootstrap(), sites);
        write(Table.POLICIES, DemoCampaign.policy(spec.cap()));
        for (int i = 0; i < ORCHESTRATORS; i++) {
            stage.startOrchestrator();
        }
        stage.startAuditor();
        stage.awaitSites();
        for (SiteId site : sites) {
            stage.startWatcher(site);
            stage.startWorker(site);
        }
        stage.awaitReady();
        Scoreboard board = new Scoreboard(spec.fleet());
        try (Spectator spectator = new Spectator(stage.bootstrap(), spec, board, this::happened)) {
            screen.preparing("waiting until the orchestrator knows every machine", seconds());
            meet(spectator);
            endpoints.accept(EndpointsFile.of(stage, sites));
            JavaProcess leader = stage.leader();
            if (leader != null) {
                screen.preparing("the live page is at " + leader.uri(), seconds());
            }
            write(Table.CAMPAIGNS, DemoCampaign.campaign());
            return watch(spectator, board, new KillPlan(stage, spectator, board, victims, this::happened));
        }
    }

    /** Waits until the orchestrator knows every machine, so that the campaign begins with all of them. */
    private void meet(Spectator spectator) throws StageFailure {
        long end = System.nanoTime() + START_PATIENCE.toNanos();
        while (!spectator.fleetIsKnown(spec) && System.nanoTime() < end) {
            alive();
            spectator.poll(TICK);
        }
        if (!spectator.fleetIsKnown(spec)) {
            throw stage.failure(
                    "the orchestrator did not take in all machines within " + START_PATIENCE.toSeconds() + " s");
        }
    }

    private DemoResult watch(Spectator spectator, Scoreboard board, KillPlan kills)
            throws StageFailure, InterruptedException {
        Outcomes outcomes = new Outcomes(spec, spectator, board);
        screen.begin(glance(board));
        boolean moved = false;
        while (!over(spectator, board, kills, outcomes)) {
            alive();
            spectator.poll(TICK);
            moved |= kills.look();
            if (moved && stage.leader() != null && kills.recovered()) {
                endpoints.accept(EndpointsFile.of(stage, spec.fleet().sites()));
                moved = false;
            }
            screen.show(() -> glance(board), seconds());
        }
        String gaveUp = isStalled(spectator)
                ? "Gave up: nothing was decided about any attempt for "
                        + patience().toSeconds() + " s"
                : null;
        screen.end(glance(board), seconds());
        DemoResult.Audit audit = audit(spectator);
        NodeWork work = new NodeWork(HttpJson.get(stage.uri(Stage.SITES).resolve("/stats")));
        return outcomes.of(work, kills.done(), audit, begun, gaveUp);
    }

    /** Whether nothing has been decided for longer than anything takes at the nodes' speed. */
    private boolean isStalled(Spectator spectator) {
        return spectator.quiet().compareTo(patience()) > 0;
    }

    private Duration patience() {
        return STALLED.plusMillis(
                Math.round(LONGEST_REFRESH.toMillis() / spec.sites().speed()));
    }

    private boolean over(Spectator spectator, Scoreboard board, KillPlan kills, Outcomes outcomes) {
        if (isStalled(spectator)) {
            return true;
        }
        if (spectator.accepted() == null || board.open() > 0) {
            return false;
        }
        if (!kills.recovered() && spectator.quiet().compareTo(KILL_PATIENCE) < 0) {
            return false;
        }
        boolean completed = board.campaign() != null && board.campaign().state().isOver();
        return completed || (spectator.quiet().compareTo(QUIET) > 0 && outcomes.waitsForPeople());
    }

    /** Asks the auditor until it has seen the journal as far as it has been read here. */
    private DemoResult.Audit audit(Spectator spectator) {
        long end = System.nanoTime() + AUDIT_PATIENCE.toNanos();
        DemoResult.Audit last = new DemoResult.Audit(false, 0, List.of());
        while (!last.whole() && System.nanoTime() < end) {
            spectator.poll(TICK);
            last = audit(HttpJson.get(stage.uri(Stage.AUDITOR).resolve("/report")), spectator.seq());
        }
        return last;
    }

    private static DemoResult.Audit audit(@Nullable JsonObjectReader report, long seq) {
        if (report == null
                || !(report.get("seq") instanceof JsonValue.JsonInteger seen)
                || !(report.get("checks") instanceof JsonObjectReader checks)
                || !(report.get("violations") instanceof JsonValue.JsonArray violations)) {
            return new DemoResult.Audit(false, 0, List.of());
        }
        boolean caughtUp = report.get("caughtUp") instanceof JsonValue.JsonBoolean jsonBoolean && jsonBoolean.value();
        return new DemoResult.Audit(caughtUp && seen.value() >= seq, sum(checks), violations.items());
    }

    /** How often it looked, at all invariants together. */
    private static long sum(JsonObjectReader checks) {
        long sum = 0;
        for (int i = 0; i < checks.size(); i++) {
            sum += checks.value(i) instanceof JsonValue.JsonInteger jsonInteger ? jsonInteger.value() : 0;
        }
        return sum;
    }

    private void alive() throws StageFailure {
        String missing = stage.missing();
        if (missing != null) {
            throw stage.failure(missing);
        }
    }

    private void write(Table table, TableRow row) {
        try (TableWriter writer = new TableWriter(stage.bootstrap(), failure -> {
            throw new IllegalStateException("writing to " + table.label(), failure);
        })) {
            writer.write(TablePartition.of(table), row, () -> {});
            writer.flush();
        }
    }

    private void happened(DemoEvent event) {
        screen.happened(event, seconds());
    }

    private Glance glance(Scoreboard board) {
        return new Glance(board.progress(), board.open(), spec.cap());
    }

    private double seconds() {
        return (System.nanoTime() - begunNanos) / 1e9;
    }
}
