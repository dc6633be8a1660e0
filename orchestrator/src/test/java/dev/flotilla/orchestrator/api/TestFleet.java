package dev.flotilla.orchestrator.api;

import dev.flotilla.core.Decision;
import dev.flotilla.core.DecisionEngine;
import dev.flotilla.core.DecisionInput;
import dev.flotilla.core.FleetDecider;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.MachineView;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.orchestrator.view.QueryQueueFullException;
import dev.flotilla.orchestrator.view.ReplicaRole;
import dev.flotilla.orchestrator.view.StateQueries;
import dev.flotilla.orchestrator.view.StateView;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.FailureBudget;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineSelection;
import dev.flotilla.schemas.row.RetryRule;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.row.Wave;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A fleet whose state one thread owns, as the leader's does, and which that thread is asked about. */
final class TestFleet implements StateQueries, AutoCloseable {
    static final Instant START = Instant.parse("2026-03-01T00:00:00Z");
    private static final int ROOM = 64;

    private final ThreadPoolExecutor owner =
            new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(ROOM));
    private final FleetState state = new FleetState();
    private final GateChain gates = GateChain.standard();
    private final DecisionEngine decisionEngine = new DecisionEngine(new FleetDecider(gates), state);
    private long offset;
    final AtomicInteger asked = new AtomicInteger();
    volatile ReplicaRole standing = ReplicaRole.LEADER;

    /** Who is told of each decision. */
    volatile Consumer<Decision> told = decision -> {};

    TestFleet() {
        take(new DecisionInput.LeaderElected(START));
        arrive(new UpgradePolicy(
                FleetScope.FLEET, new CountOrPercent.Percent(10), null, false, null, null, null, null));
    }

    void site(String name) {
        SiteId site = new SiteId(name);
        arrive(new WatcherHeartbeat(site, "uid-of-" + name, "watcher", START, 0));
        take(new DecisionInput.HeartbeatResumed(site, START));
    }

    void silent(String site) {
        take(new DecisionInput.HeartbeatLost(new SiteId(site), START));
    }

    void cluster(String site, String name, int controlPlanes, int workers) {
        ClusterKey key = new ClusterKey(new SiteId(site), "default", name);
        arrive(new ClusterRow(key, "uid-" + name, Labels.NONE, false, false, null, controlPlanes, workers));
        for (int i = 0; i < controlPlanes + workers; i++) {
            boolean first = i < controlPlanes;
            String machine = name + (first ? "-cp-" + i : "-w-" + (i - controlPlanes));
            machine(key, machine, first ? MachineRole.CONTROL_PLANE : MachineRole.WORKER, null);
        }
    }

    void machine(ClusterKey cluster, String name, MachineRole role, @Nullable String release) {
        boolean not = false;
        MachineKey key = new MachineKey(cluster.site(), cluster.namespace(), name);
        arrive(new MachineRow(
                key,
                "uid-" + name,
                cluster.name(),
                null,
                role,
                Labels.NONE,
                name,
                null,
                null,
                true,
                not,
                not,
                not,
                not,
                release,
                "v1.32.1",
                "3000",
                "amd64",
                List.of()));
    }

    void campaign(String name, int budget) {
        campaign(name, budget, "1.33-classic/stable");
    }

    void campaign(String name, int budget, String channel) {
        arrive(new Campaign(
                new CampaignName(name),
                Labels.NONE,
                new CampaignSpec(
                        new UpgradeTarget.Channel(channel),
                        null,
                        MachineSelection.EVERYTHING,
                        List.of(new Wave("all", List.of(), LabelSelector.ALL, false, 100)),
                        null,
                        null,
                        FailureBudget.of(budget),
                        null,
                        null,
                        50,
                        new CountOrPercent.Count(2),
                        true,
                        RetryRule.DEFAULT)));
    }

    void arrive(RowChange rowChange) {
        take(new DecisionInput.RecordReceived(rowChange, 0, offset++, START));
    }

    private void take(DecisionInput input) {
        decisionEngine.processInput(input, 100_000, decision -> told.accept(decision));
    }

    /** Changes something while others ask. */
    void live(Runnable change) throws Exception {
        owner.submit(change).get(60, TimeUnit.SECONDS);
    }

    /** So many of those in flight report this. */
    void report(int machines, AttemptReport report) {
        List<AttemptProgress> words = state.clusters().stream()
                .flatMap(cluster -> state.machines(cluster).stream())
                .filter(MachineView::inFlight)
                .limit(machines)
                .map(machine -> word(machine, report))
                .toList();
        words.forEach(this::arrive);
    }

    private static AttemptProgress word(MachineView machine, AttemptReport report) {
        UpgradeAttempt attempt = Objects.requireNonNull(machine.attempt());
        return new AttemptProgress(machine.key(), machine.uid(), attempt.id(), report, START);
    }

    @Override
    public <T> Future<T> query(Function<StateView, T> question) {
        Promise<T> answer = Promise.promise();
        try {
            owner.execute(() -> {
                asked.incrementAndGet();
                try {
                    answer.complete(question.apply(new StateView(state, gates, standing, START.plusSeconds(1))));
                } catch (RuntimeException e) {
                    answer.fail(e);
                }
            });
        } catch (RejectedExecutionException full) {
            answer.fail(new QueryQueueFullException(ROOM));
        }
        return answer.future();
    }

    /** Keeps the owner busy and its queue full until the latch is let go. */
    CountDownLatch fill() {
        return hold(1 + ROOM);
    }

    /** Keeps the owner busy, with room for questions, until the latch is let go. */
    CountDownLatch hold() {
        return hold(1);
    }

    private CountDownLatch hold(int tasks) {
        CountDownLatch free = new CountDownLatch(1);
        for (int i = 0; i < tasks; i++) {
            owner.execute(() -> {
                try {
                    free.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
        return free;
    }

    @Override
    public void close() {
        owner.shutdownNow();
    }
}
