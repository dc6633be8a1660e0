package dev.flotilla.nodeupgrader;

import dev.flotilla.nodeupgrader.decision.UpgradeDecision;

/** Points at which a test can halt a node-upgrader: right before each kind of write. */
enum UpgraderCrashPoint {
    STATUS,
    HOLD_OBJECT,
    RELEASE_OBJECT,
    CREATE_JOB,
    SUSPEND_JOB,
    CREATE_RESULT_POD,
    DELETE_RESULT_POD,
    /** Before nothing is written, once an upgrade runs. */
    WAIT;

    static UpgraderCrashPoint of(UpgradeDecision decision) {
        return switch (decision) {
            case UpgradeDecision.WriteStatus writeStatus -> STATUS;
            case UpgradeDecision.HoldObject holdObject -> HOLD_OBJECT;
            case UpgradeDecision.ReleaseObject releaseObject -> RELEASE_OBJECT;
            case UpgradeDecision.CreateJob createJob -> CREATE_JOB;
            case UpgradeDecision.SuspendJob suspendJob -> SUSPEND_JOB;
            case UpgradeDecision.CreateResultPod createResultPod -> CREATE_RESULT_POD;
            case UpgradeDecision.DeleteResultPod deleteResultPod -> DELETE_RESULT_POD;
            case UpgradeDecision.WaitForChange waitForChange -> WAIT;
            case UpgradeDecision.Finished finished -> WAIT;
        };
    }
}
