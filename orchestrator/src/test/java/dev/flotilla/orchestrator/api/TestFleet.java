package dev.flotilla.orchestrator.api;

import dev.flotilla.core.DecisionEngine;
import dev.flotilla.core.FleetDecider;
import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.orchestrator.state.ReplicaRole;
import dev.flotilla.orchestrator.state.StateQueries;
import dev.flotilla.orchestrator.state.StateView;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignSpecBuilder;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.FailureBudget;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineSelection;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.WatcherHeartbeat;
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

/** A fleet whose state is owned by one thread, as the leader's is, and queried from others. */
final class TestFleet implements StateQueries, AutoCloseable {
    static final Instant START = Instant.parse("2026-03-01T00:00:00Z");
    private static final int QUEUE_CAPACITY = 64;

    private final ThreadPoolExecutor owner =
            new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(QUEUE_CAPACITY));
    private final FleetState state = new FleetState();
    private final GateChain gates = GateChain.standard();
    private final DecisionEngine decisionEngine = new DecisionEngine(new FleetDecider(gates), state);
    private long offset;
    final AtomicInteger queryCount = new AtomicInteger();
    volatile ReplicaRole replicaRole = ReplicaRole.LEADER;

    /** Receives each decision. */
    volatile Consumer<Decision> decisionListener = decision -> {};

    TestFleet() {
        processInput(new DecisionInput.LeaderElected(START));
        acceptRecord(new UpgradePolicy(
                FleetScope.FLEET, new CountOrPercent.Percent(10), null, false, null, null, null, null));
    }

    void addSite(String name) {
        SiteId site = new SiteId(name);
        acceptRecord(new WatcherHeartbeat(site, "uid-of-" + name, "watcher", START, 0));
        processInput(new DecisionInput.HeartbeatResumed(site, START));
    }

    void makeSiteSilent(String site) {
        processInput(new DecisionInput.HeartbeatLost(new SiteId(site), START));
    }

    void addCluster(String site, String name, int controlPlanes, int workers) {
        ClusterKey key = new ClusterKey(new SiteId(site), "default", name);
        acceptRecord(new ClusterRow(key, "uid-" + name, Labels.NONE, false, false, null, controlPlanes, workers));
        for (int i = 0; i < controlPlanes + workers; i++) {
            boolean isControlPlane = i < controlPlanes;
            String machine = name + (isControlPlane ? "-cp-" + i : "-w-" + (i - controlPlanes));
            addMachine(key, machine, isControlPlane ? MachineRole.CONTROL_PLANE : MachineRole.WORKER, null);
        }
    }

    void addMachine(ClusterKey cluster, String name, MachineRole role, @Nullable String release) {
        addMachine(cluster, name, role, release, Labels.NONE);
    }

    void addMachine(ClusterKey cluster, String name, MachineRole role, @Nullable String release, Labels labels) {
        boolean no = false;
        MachineKey key = new MachineKey(cluster.site(), cluster.namespace(), name);
        acceptRecord(new MachineRow(
                key,
                "uid-" + name,
                cluster.name(),
                null,
                role,
                labels,
                name,
                null,
                null,
                true,
                no,
                no,
                no,
                no,
                release,
                "v1.32.1",
                "3000",
                "amd64",
                List.of()));
    }

    void addCampaign(String name, int budget) {
        addCampaign(name, budget, "1.33-classic/stable");
    }

    void addCampaign(String name, int budget, String channel) {
        acceptRecord(new Campaign(
                new CampaignName(name),
                Labels.NONE,
                new CampaignSpecBuilder(new UpgradeTarget.Channel(channel), MachineSelection.EVERYTHING)
                        .failureBudget(FailureBudget.of(budget))
                        .maxUnavailable(new CountOrPercent.Count(2))
                        .build()));
    }

    void acceptRecord(RowChange rowChange) {
        processInput(new DecisionInput.RecordReceived(rowChange, 0, offset++, START));
    }

    private void processInput(DecisionInput input) {
        decisionEngine.processInput(input, 100_000, decision -> decisionListener.accept(decision));
    }

    /** Changes the fleet on its own thread while others query it. */
    void runOnOwnerThread(Runnable change) throws Exception {
        owner.submit(change).get(60, TimeUnit.SECONDS);
    }

    /** Writes this report for this many machines in flight. */
    void report(int machines, AttemptReport report) {
        List<AttemptProgress> reports = state.clusters().stream()
                .flatMap(cluster -> state.machines(cluster).stream())
                .filter(MachineView::inFlight)
                .limit(machines)
                .map(machine -> progressOf(machine, report))
                .toList();
        reports.forEach(this::acceptRecord);
    }

    private static AttemptProgress progressOf(MachineView machine, AttemptReport report) {
        UpgradeAttempt attempt = Objects.requireNonNull(machine.attempt());
        return new AttemptProgress(machine.key(), machine.uid(), attempt.id(), report, START);
    }

    @Override
    public <T> Future<T> query(Function<StateView, T> query) {
        Promise<T> promise = Promise.promise();
        try {
            owner.execute(() -> {
                queryCount.incrementAndGet();
                try {
                    promise.complete(query.apply(new StateView(state, gates, replicaRole, START.plusSeconds(1))));
                } catch (RuntimeException e) {
                    promise.fail(e);
                }
            });
        } catch (RejectedExecutionException full) {
            promise.fail(new StateQueries.QueueFullException(QUEUE_CAPACITY));
        }
        return promise.future();
    }

    /** Keeps the owner busy and its queue full until the latch is released. */
    CountDownLatch blockAndFillQueue() {
        return blockOwnerThread(1 + QUEUE_CAPACITY);
    }

    /** Keeps the owner busy, with room for queries, until the latch is released. */
    CountDownLatch blockOwnerThread() {
        return blockOwnerThread(1);
    }

    private CountDownLatch blockOwnerThread(int tasks) {
        CountDownLatch release = new CountDownLatch(1);
        for (int i = 0; i < tasks; i++) {
            owner.execute(() -> {
                try {
                    release.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
        return release;
    }

    @Override
    public void close() {
        owner.shutdownNow();
    }
}
