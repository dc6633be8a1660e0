package dev.flotilla.orchestrator.loop;

import dev.flotilla.core.FleetDecider;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.kafka.KafkaClientSettings;
import dev.flotilla.kafka.PartitionReader;
import dev.flotilla.orchestrator.follow.DecodeAheadThread;
import dev.flotilla.orchestrator.follow.PausedPartitions;
import dev.flotilla.orchestrator.follow.StateRestorer;
import dev.flotilla.orchestrator.follow.TableFollower;
import dev.flotilla.orchestrator.follow.UnreadableOwnRows;
import dev.flotilla.orchestrator.leader.OrchestratorListener;
import dev.flotilla.orchestrator.leader.OrchestratorLoopConfig;
import dev.flotilla.orchestrator.state.ReplicaRole;
import dev.flotilla.orchestrator.state.StateQueryQueue;
import dev.flotilla.runtime.process.ProcessClock;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.topic.TablePartition;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;

/** Orchestrators in this JVM, one after another, on the same Kafka. */
final class OrchestratorReplicas implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final IntFunction<OrchestratorLoopConfig> configs;
    private StateQueryQueue stateQueryQueue = new StateQueryQueue(GateChain.standard());
    private OrchestratorLoop loop;
    private int started;

    /**
     * A snapshot of the state with its head row; the last heartbeats are separate because no decision depends on them.
     */
    record ReplicaSnapshot(FleetHead head, List<String> heartbeats, long hash, ReplicaRole replicaRole) {
        static ReplicaSnapshot of(FleetState state, ReplicaRole replicaRole) {
            List<String> heard = state.sites().stream()
                    .map(site -> String.valueOf(site.heartbeat()))
                    .toList();
            return new ReplicaSnapshot(state.head(), heard, state.hash(), replicaRole);
        }
    }

    OrchestratorReplicas(String bootstrap, OrchestratorListener listener) {
        this(number -> OrchestratorLoopConfig.defaults(
                "leader-" + number,
                KafkaClientSettings.forLocalBroker(bootstrap),
                FleetDecider::standard,
                loopCrashPoint -> {},
                listener));
    }

    /** Creates replicas with a configuration for each, by number. */
    OrchestratorReplicas(IntFunction<OrchestratorLoopConfig> configs) {
        this.configs = configs;
        this.loop = createLoop();
        loop.start();
    }

    private OrchestratorLoop createLoop() {
        return new OrchestratorLoop(configs.apply(++started), stateQueryQueue);
    }

    /** Stops the present replica in order. */
    void stop() {
        loop.close();
    }

    /** Stops the present replica in order and starts another, which knows only the tables. */
    void startNext() {
        stop();
        stateQueryQueue = new StateQueryQueue(GateChain.standard());
        loop = createLoop();
        loop.start();
    }

    /** The committed state of the present replica. */
    ReplicaSnapshot readSnapshot() {
        try {
            return stateQueryQueue
                    .query(view -> ReplicaSnapshot.of(view.state(), view.replicaRole()))
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new AssertionError("no replica responds", e);
        }
    }

    /** The state that a replica would restore from all tables now. */
    static ReplicaSnapshot restoreSnapshot(String bootstrap, List<SiteId> sites) {
        try (DecodeAheadThread ahead = new DecodeAheadThread();
                PartitionReader reader = new PartitionReader(
                        KafkaClientSettings.forLocalBroker(bootstrap), "restored", 1_000, PATIENCE)) {
            List<TablePartition> places = StateRestorer.partitionsOf(sites);
            StateRestorer.addPartitions(reader, places);
            Map<TablePartition, Long> ends = reader.endOffsets(places);
            TableFollower tableFollower = new TableFollower(ahead);
            StateRestorer.readTo(ends, reader, tableFollower, new PausedPartitions(reader), () -> true);
            StateRestorer.validateState(
                    tableFollower, new UnreadableOwnRows(ProcessClock.SYSTEM), reader.endOffsets(places));
            return ReplicaSnapshot.of(tableFollower.state(), ReplicaRole.RESTORING);
        }
    }

    @Override
    public void close() {
        stop();
    }
}
