package dev.flotilla.bench.kafka;

import dev.flotilla.core.FleetDecider;
import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.kafka.KafkaClientSettings;
import dev.flotilla.orchestrator.leader.OrchestratorListener;
import dev.flotilla.orchestrator.leader.OrchestratorLoopConfig;
import dev.flotilla.orchestrator.loop.OrchestratorLoop;
import dev.flotilla.orchestrator.state.ReplicaRole;
import dev.flotilla.orchestrator.state.StateQueryQueue;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.row.RejectedRecord;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** The real orchestrator loop in this JVM, with a listener for measurements. */
final class MeasuredOrchestratorLoop implements OrchestratorListener, AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofMinutes(3);
    private static final long POLL_MILLIS = 5;

    /** The decisions and records of one commit. */
    record MeasuredCommit(long nanos, List<Decision> decisions, List<WireRecord> records) {}

    private final OrchestratorLoop loop;
    private volatile Consumer<MeasuredCommit> commitListener = measuredCommit -> {};
    private volatile ReplicaRole replicaRole = ReplicaRole.RESTORING;
    private volatile long lastCommit = System.nanoTime();
    private volatile long restoredRecords = -1;

    MeasuredOrchestratorLoop(String bootstrap) {
        GateChain gates = GateChain.standard();
        this.loop = new OrchestratorLoop(
                OrchestratorLoopConfig.defaults(
                        "bench",
                        KafkaClientSettings.forLocalBroker(bootstrap),
                        () -> new FleetDecider(gates),
                        loopCrashPoint -> {},
                        this),
                new StateQueryQueue(gates));
    }

    void start() {
        loop.start();
    }

    /** Sets the listener of commits, which runs on the loop's thread. */
    void setCommitListener(Consumer<MeasuredCommit> listener) {
        commitListener = listener;
    }

    /** Number of records read to restore; negative before the restore has ended. */
    long restoredRecords() {
        return restoredRecords;
    }

    void awaitLeading() throws InterruptedException {
        await("leader", () -> replicaRole == ReplicaRole.LEADER);
    }

    /** Waits until nothing has been committed for the given time. */
    void awaitQuiet(Duration quiet) throws InterruptedException {
        await("quiet", () -> System.nanoTime() - lastCommit > quiet.toNanos());
    }

    static void await(String what, BooleanSupplier done) throws InterruptedException {
        long until = System.nanoTime() + TIMEOUT.toNanos();
        while (!done.getAsBoolean()) {
            if (System.nanoTime() > until) {
                throw new IllegalStateException("not " + what + " within " + TIMEOUT.toSeconds() + " s");
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    @Override
    public void roleChanged(ReplicaRole now, String reason) {
        replicaRole = now;
    }

    @Override
    public void stateRestored(long records, long millis) {
        restoredRecords = records;
    }

    @Override
    public void siteSuspended(SiteId site, String reason) {
        // The broker does not fail here.
    }

    @Override
    public void siteResumed(SiteId site) {
        // The broker does not fail here.
    }

    @Override
    public void onCommit(List<Decision> decisions, List<WireRecord> records, long millis) {
        lastCommit = System.nanoTime();
        commitListener.accept(new MeasuredCommit(lastCommit, decisions, records));
    }

    @Override
    public void onRejected(RejectedRecord rejected) {
        throw new IllegalStateException("a row of the benchmark is rejected: " + rejected);
    }

    @Override
    public void close() {
        loop.close();
    }

    @Override
    public void loopFailed(Throwable bug) {
        throw new IllegalStateException("the measured loop ended because of a bug", bug);
    }
}
