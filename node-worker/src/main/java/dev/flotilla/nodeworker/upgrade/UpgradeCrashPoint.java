package dev.flotilla.nodeworker.upgrade;

import dev.flotilla.core.upgrade.UpgradeAction;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptStep;
import org.jspecify.annotations.Nullable;

/**
 * Points in a machine upgrade at which a test can kill the worker, each before or after an action that must survive it.
 */
public enum UpgradeCrashPoint {
    INSPECT,
    GUARD,
    SAY_STARTING,
    WROTE_STARTING,
    JUDGE,
    CALL,
    CALLED,
    SAY_REFRESHING,
    WROTE_REFRESHING,
    POLL,
    UNDO,
    UNDONE,
    SAY_END,
    WROTE_END;

    /** Returns the point right before an action; null for none. */
    static @Nullable UpgradeCrashPoint beforeAction(UpgradeAction upgradeAction) {
        return switch (upgradeAction) {
            case UpgradeAction.InspectNode it -> INSPECT;
            case UpgradeAction.SetGuards it -> GUARD;
            case UpgradeAction.CheckPreconditions it -> JUDGE;
            case UpgradeAction.CallUpgrade it -> CALL;
            case UpgradeAction.PollChange it -> POLL;
            case UpgradeAction.CleanUp it -> UNDO;
            case UpgradeAction.WriteReport writeReport ->
                of(writeReport.report(), SAY_STARTING, SAY_REFRESHING, SAY_END);
            default -> null;
        };
    }

    /** Returns the point right after a committed report; null for none. */
    static @Nullable UpgradeCrashPoint afterReport(AttemptReport written) {
        return of(written, WROTE_STARTING, WROTE_REFRESHING, WROTE_END);
    }

    private static @Nullable UpgradeCrashPoint of(
            AttemptReport report, UpgradeCrashPoint starting, UpgradeCrashPoint refreshing, UpgradeCrashPoint end) {
        return switch (report) {
            case AttemptReport.StepReached it ->
                it.step() == AttemptStep.STARTING ? starting : it.step() == AttemptStep.REFRESHING ? refreshing : null;
            case AttemptReport.OutcomeUnknown it -> null;
            default -> end;
        };
    }
}
