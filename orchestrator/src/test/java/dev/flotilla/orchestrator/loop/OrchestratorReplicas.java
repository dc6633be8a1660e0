package dev.flotilla.orchestrator.loop;

import dev.flotilla.core.FleetDecider;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.orchestrator.view.ReplicaRole;
import dev.flotilla.runtime.kafka.KafkaClientSettings;
import dev.flotilla.runtime.kafka.PartitionReader;
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

/** Orchestrators in this JVM, one after the other, on a Kafka that stays. */
final class OrchestratorReplicas implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final IntFunction<OrchestratorLoopConfig> surroundings;
    private StateQueryQueue stateQueryQueue = new StateQueryQueue(GateChain.standard());
    private OrchestratorLoop loop;
    private int started;

    /** A state, up to where it was decided, and the last heartbeats: nothing is decided about those. */
    record ReplicaSnapshot(FleetHead head, List<String> heard, long hash, ReplicaRole standing) {
        static ReplicaSnapshot of(FleetState state, ReplicaRole replicaRole) {
            List<String> heard = state.sites().stream()
                    .map(site -> String.valueOf(site.heartbeat()))
                    .toList();
            return new ReplicaSnapshot(state.head(), heard, state.hash(), replicaRole);
        }
    }

    OrchestratorReplicas(String bootstrap, OrchestratorLoopListener listener) {
        this(number -> OrchestratorLoopConfig.defaults(
                "leader-" + number,
                KafkaClientSettings.forLocalBroker(bootstrap),
                FleetDecider::standard,
                loopCrashPoint -> {},
                listener));
    }

    /** With surroundings of the test's choice for the first, the second and so on. */
    OrchestratorReplicas(IntFunction<OrchestratorLoopConfig> surroundings) {
        this.surroundings = surroundings;
        this.loop = made();
        loop.start();
    }

    private OrchestratorLoop made() {
        return new OrchestratorLoop(surroundings.apply(++started), stateQueryQueue);
    }

    /** Ends the one there is in order, and starts another, who knows nothing but the tables. */
    void next() {
        loop.close();
        stateQueryQueue = new StateQueryQueue(GateChain.standard());
        loop = made();
        loop.start();
    }

    /** What the one there is holds, all of it committed. */
    ReplicaSnapshot look() {
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
            throw new AssertionError("nobody answers", e);
        }
    }

    /** What somebody would hold who reads all tables now, from their beginnings. */
    static ReplicaSnapshot restored(String bootstrap, List<SiteId> sites) {
        try (DecodeAheadThread ahead = new DecodeAheadThread();
                PartitionReader reader = new PartitionReader(
                        KafkaClientSettings.forLocalBroker(bootstrap), "restored", 1_000, PATIENCE)) {
            List<TablePartition> places = StateRestorer.partitionsOf(sites);
            StateRestorer.addPartitions(reader, places);
            Map<TablePartition, Long> ends = reader.endOffsets(places);
            TableFollower tableFollower = new TableFollower(ahead);
            StateRestorer.readTo(ends, reader, tableFollower, new PausedPartitions(reader), () -> true);
            StateRestorer.validateState(
                    tableFollower, new UnreadableOwnRows(LoopClock.SYSTEM), reader.endOffsets(places));
            return ReplicaSnapshot.of(tableFollower.state(), ReplicaRole.RESTORING);
        }
    }

    @Override
    public void close() {
        loop.close();
    }
}
