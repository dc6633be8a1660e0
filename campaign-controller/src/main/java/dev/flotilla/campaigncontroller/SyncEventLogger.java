package dev.flotilla.campaigncontroller;

import dev.flotilla.campaigncontroller.sync.SyncListener;
import dev.flotilla.runtime.http.HealthStatus;
import dev.flotilla.runtime.http.LoopLiveness;
import dev.flotilla.runtime.log.LogKey;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs what a campaign controller does, counts it, and keeps its health. */
final class SyncEventLogger implements SyncListener {
    private static final Logger LOG = LoggerFactory.getLogger(SyncEventLogger.class);
    private static final String NEVER_READ = "Kafka and the hub cluster were not read yet";
    private static final String NONE = "";

    private final CampaignControllerMetrics metrics;
    private final LongSupplier nanos;
    private final Runnable end;
    private final LoopLiveness liveness = new LoopLiveness("sync", "campaign-controller");

    /** Why the last pass did not end; empty if it did. */
    private final AtomicReference<String> problem = new AtomicReference<>(NEVER_READ);

    /** The controller that works instead; empty while this one does, or if it is not known. */
    private final AtomicReference<String> otherHolder = new AtomicReference<>(NONE);

    private volatile boolean hasRead;

    /** The latest problem of each object, so that a lasting one is logged once. */
    private final Map<String, String> problems = new ConcurrentHashMap<>();

    /** Why machines were not counted last; empty if they were. */
    private final AtomicReference<String> countsProblem = new AtomicReference<>("");

    private volatile long lastPass;

    /**
     * @param nanos a monotonic clock
     * @param end ends the process after a bug
     */
    SyncEventLogger(MeterRegistry registry, LongSupplier nanos, Runnable end) {
        this.nanos = nanos;
        this.end = end;
        this.lastPass = nanos.getAsLong();
        this.metrics = new CampaignControllerMetrics(registry, ignored -> secondsSincePass());
    }

    private double secondsSincePass() {
        return (nanos.getAsLong() - lastPass) / (double) TimeUnit.SECONDS.toNanos(1);
    }

    HealthStatus liveness() {
        return liveness.status();
    }

    /**
     * It is ready when it has read Kafka and the hub cluster once, and stays so: without a ready one, the API server could ask none about
     * an object, and none could be stored. That it cannot read any more is in its metrics.
     */
    HealthStatus readiness() {
        String reason = problem.get();
        return hasRead
                ? HealthStatus.healthy("ready")
                : new HealthStatus(
                        false, "not-synced", List.of(new HealthStatus.ComponentHealth("sync", false, reason)));
    }

    @Override
    public void passEnded(int objects, int conflicts) {
        hasRead = true;
        lastPass = nanos.getAsLong();
        metrics.setObjects(objects, conflicts);
        metrics.setLeader(true);
        boolean hasWaited = !otherHolder.getAndSet(NONE).isEmpty();
        if (!problem.getAndSet(NONE).isEmpty() || hasWaited) {
            LOG.info("campaign objects read");
        }
    }

    @Override
    public void otherWorks(String holder) {
        hasRead = true;
        problem.set(NONE);
        metrics.setObjects(0, 0);
        metrics.setLeader(false);
        if (!holder.equals(otherHolder.getAndSet(holder)) && !holder.isEmpty()) {
            LOG.atInfo()
                    .addKeyValue(LogKey.DETAIL.label(), holder + " works; this one waits")
                    .log("lease of another campaign controller found");
        }
    }

    @Override
    public void kafkaFailed(String reason, String detail) {
        metrics.countKafkaFailure();
        if (!detail.equals(problem.getAndSet(detail))) {
            LOG.atWarn()
                    .addKeyValue(LogKey.REASON.label(), reason)
                    .addKeyValue(LogKey.DETAIL.label(), detail)
                    .log("kafka failed");
        }
    }

    @Override
    public void objectFailed(String object, String reason) {
        metrics.countObjectFailure();
        if (!reason.equals(problems.put(object, reason))) {
            LOG.atWarn()
                    .addKeyValue(LogKey.OBJECT.label(), object)
                    .addKeyValue(LogKey.REASON.label(), reason)
                    .log("campaign object write failed");
        }
    }

    @Override
    public void reconcileFailed(String object, RuntimeException bug) {
        metrics.countObjectFailure();
        String reason = bug.toString();
        if (!reason.equals(problems.put(object, reason))) {
            LOG.atError()
                    .addKeyValue(LogKey.OBJECT.label(), object)
                    .setCause(bug)
                    .log("campaign object step ended by a bug");
        }
    }

    @Override
    public void listFailed(String kinds, String reason) {
        metrics.countObjectFailure();
        if (!reason.equals(problem.getAndSet(reason))) {
            LOG.atWarn()
                    .addKeyValue(LogKey.OBJECT.label(), kinds)
                    .addKeyValue(LogKey.REASON.label(), reason)
                    .log("campaign object list failed");
        }
    }

    @Override
    public void rowWritten(String key) {
        LOG.atInfo().addKeyValue(LogKey.SUBJECT.label(), key).log("campaign object written to kafka");
    }

    /**
     * The machines of campaigns were counted, or not. Nothing else depends on it.
     *
     * @param reason why not; empty if they were
     */
    void countsRead(String reason) {
        if (!reason.isEmpty()) {
            metrics.countCountsFailure();
        }
        if (!reason.equals(countsProblem.getAndSet(reason)) && !reason.isEmpty()) {
            LOG.atWarn().addKeyValue(LogKey.REASON.label(), reason).log("machine counts not read");
        }
    }

    @Override
    public void loopFailed(Throwable bug) {
        LOG.atError().setCause(bug).log("loop ended by a bug");
        liveness.loopFailed();
        end.run();
    }
}
