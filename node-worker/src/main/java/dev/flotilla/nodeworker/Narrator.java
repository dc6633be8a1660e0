package dev.flotilla.nodeworker;

import dev.flotilla.core.procedure.FailedCheck;
import dev.flotilla.nodeworker.drive.Milestone;
import dev.flotilla.nodeworker.drive.WorkerListener;
import dev.flotilla.nodeworker.hands.Errand;
import dev.flotilla.runtime.http.HealthStatus;
import dev.flotilla.schemas.row.AttemptReport;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/** Tells logs, metrics and probes what the loop does. */
final class Narrator implements WorkerListener {
    private static final Logger LOG = LoggerFactory.getLogger("flotilla");

    private final NodeWorkerMetrics metrics;
    private final Consumer<Milestone> milestones;
    private final BooleanSupplier lockedOut;
    private final Runnable end;
    private volatile int partitions;
    private volatile boolean broken;

    /**
     * Tells of one loop.
     *
     * @param milestones is told of each that a drive comes by
     * @param lockedOut whether the management cluster has not taken the credentials for long
     * @param end what becomes of the process when the loop has ended by a bug
     */
    Narrator(NodeWorkerMetrics metrics, Consumer<Milestone> milestones, BooleanSupplier lockedOut, Runnable end) {
        this.metrics = metrics;
        this.milestones = milestones;
        this.lockedOut = lockedOut;
        this.end = end;
    }

    HealthStatus alive() {
        return broken
                ? new HealthStatus(false, "broken", List.of(new HealthStatus.ComponentHealth("drives", false, "ended by a bug")))
                : HealthStatus.healthy("alive");
    }

    /** One that has no partition stands by for those that have. One whom the management cluster does not let in is of no use. */
    HealthStatus ready() {
        if (lockedOut.getAsBoolean()) {
            return HealthStatus.LOCKED_OUT;
        }
        return HealthStatus.healthy(partitions > 0 ? "driving" : "standby");
    }

    @Override
    public void begun(Errand errand) {
        said(errand).log("takes up the attempt");
    }

    @Override
    public void reached(Milestone milestone) {
        milestones.accept(milestone);
    }

    @Override
    public void called(Errand errand) {
        metrics.called();
        said(errand).log("calls the node");
    }

    private static LoggingEventBuilder said(Errand errand) {
        return LOG.atInfo().addKeyValue("machine", errand.key()).addKeyValue("attempt", errand.attempt());
    }

    @Override
    public void polled(Errand errand) {
        metrics.polled();
    }

    @Override
    public void checked(Errand errand, List<FailedCheck> findings) {
        for (FailedCheck failedCheck : findings) {
            metrics.checkFailed();
            if (!failedCheck.check().blocking()) {
                // What stops an attempt is told as its end.
                LOG.atWarn()
                        .addKeyValue("machine", errand.key())
                        .addKeyValue("attempt", errand.attempt())
                        .log(
                                "advisory check {} does not hold: {}",
                                failedCheck.check().name(),
                                failedCheck.text());
            }
        }
    }

    @Override
    public void ended(Errand errand, AttemptReport report) {
        End how = End.of(report);
        if (report instanceof AttemptReport.Failed failed && failed.evidence() != null) {
            said(errand).addKeyValue("evidence", failed.evidence()).log("what was seen of its failure");
        }
        metrics.ended(how);
        said(errand)
                .addKeyValue("outcome", how.label())
                .log(
                        switch (report) {
                            case AttemptReport.Failed failed -> failed.reason().label() + ": " + failed.text();
                            case AttemptReport.Deferred not -> not.reason();
                            default -> how.label();
                        });
    }

    @Override
    public void leftBehind(Errand errand, String why) {
        metrics.leftBehind();
        LOG.atWarn()
                .addKeyValue("machine", errand.key())
                .addKeyValue("attempt", errand.attempt())
                .log("guards or cordon stay: {}", why);
    }

    @Override
    public void cleanedUp(Errand errand) {
        said(errand).log("guards and cordon are undone after all");
    }

    @Override
    public void stands(int nowPartitions, int attempts) {
        if (nowPartitions != partitions) {
            LOG.atInfo().addKeyValue("partitions", nowPartitions).log("partitions that are ours");
        }
        partitions = nowPartitions;
        metrics.stands(nowPartitions, attempts);
    }

    @Override
    public void kafkaFailed(String reason, String why) {
        metrics.kafkaFailed(reason);
        LOG.atWarn().addKeyValue("reason", reason).log("goes on with what has begun, begins nothing: {}", why);
    }

    @Override
    public void broke(Throwable bug) {
        LOG.atError().setCause(bug).log("a bug ended the drives, and now the process: it is to be started again");
        broken = true;
        end.run();
    }
}
