package dev.flotilla.nodeworker.upgrade;

import dev.flotilla.core.procedure.FailedCheck;
import dev.flotilla.nodeworker.node.UpgradeAttemptParameters;
import dev.flotilla.schemas.row.AttemptReport;
import java.util.List;

/** Is told what happens in the loop, on its thread. */
public interface WorkerLoopListener {
    /** An attempt is taken up, from its beginning or where another left it. */
    void attemptStarted(UpgradeAttemptParameters upgradeAttemptParameters);

    /** A drive is at a place where it matters whether the worker dies before or after. */
    void crashPointReached(UpgradeCrashPoint upgradeCrashPoint);

    /** A machine is about to be called. */
    void refreshCalled(UpgradeAttemptParameters upgradeAttemptParameters);

    /** A node is asked how its change stands. */
    void changePolled(UpgradeAttemptParameters upgradeAttemptParameters);

    /** The checks around an attempt's call were asked: these do not hold. */
    void checksRun(UpgradeAttemptParameters upgradeAttemptParameters, List<FailedCheck> findings);

    /** An attempt has ended, and its report is committed. */
    void attemptEnded(UpgradeAttemptParameters upgradeAttemptParameters, AttemptReport report);

    /** What was done to a machine's objects could not be undone. */
    void cleanupFailed(UpgradeAttemptParameters upgradeAttemptParameters, String why);

    /** What was left behind on a machine's objects is undone after all. */
    void cleanedUp(UpgradeAttemptParameters upgradeAttemptParameters);

    /** How many partitions are ours and can be written, and how many attempts are in our hands. */
    void ownershipChanged(int partitions, int attempts);

    /** Kafka did not do what it was asked to. */
    void kafkaFailed(String reason, String why);

    /** A bug: the loop is over. */
    void loopFailed(Throwable bug);
}
