package dev.flotilla.nodeworker.upgrade;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.WorkerCommand;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a partition's attempts, from one committed report to the next. It begins with the last report that the partition shows, so
 * that a step that another worker began has its true start. Preparations are not attempts, and have no steps here.
 */
final class AttemptStepTracker {
    private final Map<MachineKey, TrackedAttempt> attempts = new HashMap<>();

    private record TrackedAttempt(long attemptId, @Nullable AttemptProgress last) {}

    /** An upgrade was started, from its beginning or from the last report about its machine. */
    void upgradeStarted(WorkerCommand command, @Nullable AttemptProgress last) {
        if (command instanceof WorkerCommand.PrepareMachine) {
            return;
        }
        long attemptId = command.attemptId();
        attempts.put(
                command.key(),
                new TrackedAttempt(attemptId, last != null && last.attemptId() == attemptId ? last : null));
    }

    /** Whether a report is about an attempt, and not about a preparation. */
    boolean isTracked(AttemptProgress progress) {
        TrackedAttempt attempt = attempts.get(progress.key());
        return attempt != null && attempt.attemptId() == progress.attemptId();
    }

    /** A report was committed. Returns the step that it ended; null for none. */
    @Nullable
    EndedStep reportCommitted(AttemptProgress progress) {
        TrackedAttempt attempt = attempts.get(progress.key());
        if (attempt == null || attempt.attemptId() != progress.attemptId()) {
            return null;
        }
        AttemptProgress last = attempt.last();
        if (last != null
                && last.report() instanceof AttemptReport.StepReached before
                && progress.report() instanceof AttemptReport.StepReached now
                && before.step() == now.step()) {
            // The same step with more detail: it goes on since the first report.
            attempts.put(
                    progress.key(),
                    new TrackedAttempt(
                            progress.attemptId(),
                            new AttemptProgress(
                                    progress.key(),
                                    progress.uid(),
                                    progress.attemptId(),
                                    progress.report(),
                                    last.reportedAt())));
            return null;
        }
        attempts.put(progress.key(), new TrackedAttempt(progress.attemptId(), progress));
        return last != null && last.report() instanceof AttemptReport.StepReached step
                ? new EndedStep(last, step, progress)
                : null;
    }

    /** An upgrade was stopped, or its command was removed. */
    void upgradeStopped(WorkerCommand command) {
        attempts.remove(command.key());
    }

    void clear() {
        attempts.clear();
    }
}
