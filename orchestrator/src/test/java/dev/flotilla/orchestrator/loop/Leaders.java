package dev.flotilla.orchestrator.loop;

import dev.flotilla.core.FleetDecider;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.orchestrator.view.Standing;
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
final class Leaders implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final IntFunction<Surroundings> surroundings;
    private Mailbox mailbox = new Mailbox(GateChain.standard());
    private OrchestratorLoop loop;
    private int started;

    /** A state, up to where it was decided, and the last heartbeats: nothing is decided about those. */
    record Glimpse(FleetHead head, List<String> heard, long hash, Standing standing) {
        static Glimpse of(FleetState state, Standing standing) {
            List<String> heard = state.sites().stream()
                    .map(site -> String.valueOf(site.heartbeat()))
                    .toList();
            return new Glimpse(state.head(), heard, state.hash(), standing);
        }
    }

    Leaders(String bootstrap, LoopListener listener) {
        this(number -> Surroundings.usual(
                "leader-" + number,
                KafkaClientSettings.forLocalBroker(bootstrap),
                FleetDecider::standard,
                step -> {},
                listener));
    }

    /** With surroundings of the test's choice for the first, the second and so on. */
    Leaders(IntFunction<Surroundings> surroundings) {
        this.surroundings = surroundings;
        this.loop = made();
        loop.start();
    }

    private OrchestratorLoop made() {
        return new OrchestratorLoop(surroundings.apply(++started), mailbox);
    }

    /** Ends the one there is in order, and starts another, who knows nothing but the tables. */
    void next() {
        loop.close();
        mailbox = new Mailbox(GateChain.standard());
        loop = made();
        loop.start();
    }

    /** What the one there is holds, all of it committed. */
    Glimpse look() {
        try {
            return mailbox.ask(view -> Glimpse.of(view.state(), view.standing()))
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
    static Glimpse restored(String bootstrap, List<SiteId> sites) {
        try (DecodeAhead ahead = new DecodeAhead();
                PartitionReader reader =
                        new PartitionReader(KafkaClientSettings.forLocalBroker(bootstrap), "restored", 1_000, PATIENCE)) {
            List<TablePartition> places = Restore.placesOf(sites);
            Restore.add(reader, places);
            Map<TablePartition, Long> ends = reader.endOffsets(places);
            Follower follower = new Follower(ahead);
            Restore.readTo(ends, reader, follower, new Held(reader), () -> true);
            Restore.check(follower, new UnreadableRows(TimeSource.SYSTEM), reader.endOffsets(places));
            return Glimpse.of(follower.state(), Standing.RESTORING);
        }
    }

    @Override
    public void close() {
        loop.close();
    }
}
