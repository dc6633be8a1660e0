package dev.flotilla.nodeworker.upgrade;

import dev.flotilla.core.upgrade.FailedCheck;
import dev.flotilla.schemas.row.AttemptReport;
import java.util.List;

/** Receives what happens in the worker's loop, on its thread. */
public interface WorkerLoopListener {
    /** An attempt started, from its beginning or from where another worker left it. */
    void attemptStarted(UpgradeAttemptParameters upgradeAttemptParameters);

    /** A machine upgrade reached a crash point. */
    void crashPointReached(UpgradeCrashPoint upgradeCrashPoint);

    /** A node is about to be called. */
    void upgradeCalled(UpgradeAttemptParameters upgradeAttemptParameters);

    /** The NodeUpgrade of a preparation is about to be created. */
    void preparationCalled(UpgradeAttemptParameters upgradeAttemptParameters);

    /** The status of a change is about to be read. */
    void changePolled(UpgradeAttemptParameters upgradeAttemptParameters);

    /** Health checks around a call were run, and these failed. */
    void checksRun(UpgradeAttemptParameters upgradeAttemptParameters, List<FailedCheck> failedChecks);

    /** A step of an attempt has ended. */
    default void stepEnded(EndedStep endedStep) {}

    /** An attempt has ended, and its report is committed. */
    void attemptEnded(UpgradeAttemptParameters upgradeAttemptParameters, AttemptReport report);

    /** Guards or cordon of a machine could not be removed. */
    void cleanupFailed(UpgradeAttemptParameters upgradeAttemptParameters, String reason);

    /** Guards and cordon of a machine were removed after an earlier failure. */
    void cleanedUp(UpgradeAttemptParameters upgradeAttemptParameters);

    /** The number of owned and writable partitions, or of running attempts, was determined. */
    void ownershipChanged(int partitions, int attempts);

    /** A Kafka operation failed. */
    void kafkaFailed(String reason, String message);

    /** A bug has ended the loop. */
    void loopFailed(Throwable bug);
}
