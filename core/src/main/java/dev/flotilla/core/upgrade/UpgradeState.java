package dev.flotilla.core.upgrade;

import dev.flotilla.schemas.row.AttemptReport;

/** State of an attempt. Each state handles its own inputs and ignores all others. */
sealed interface UpgradeState {

    /** Prepares the call: a cancelled command ends the attempt, and a permit can be returned. */
    record PreparingCall(CallPreparer preparer) implements UpgradeState {}

    /** Makes the call. */
    record CallingUpgrade() implements UpgradeState {}

    /** Writes the change's id. */
    record RecordingChangeId(String changeId) implements UpgradeState {}

    /** Finds out what the call did, if it was made. */
    record ResolvingOutcome(OutcomeResolver resolver) implements UpgradeState {}

    /** Runs the checks after the call, repeatedly. */
    record RunningPostChecks(PostCheckState postChecks) implements UpgradeState {}

    /** Removes cordon and guards before the final report. */
    record CleaningUp(AttemptReport report) implements UpgradeState {}

    record Ended() implements UpgradeState {}

    /** Whether another worker can continue from the written reports alone. */
    default boolean isSettled() {
        return switch (this) {
            case PreparingCall s -> s.preparer().isSettled();
            case CallingUpgrade s -> false;
            case RecordingChangeId s -> false;
            case ResolvingOutcome s -> true;
            case RunningPostChecks s -> true;
            case CleaningUp s -> false;
            case Ended s -> true;
        };
    }
}
