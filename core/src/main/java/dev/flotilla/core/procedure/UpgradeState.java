package dev.flotilla.core.procedure;

import dev.flotilla.schemas.row.AttemptReport;
import org.jspecify.annotations.Nullable;

/** State of an attempt. Each state handles its own inputs and ignores all others. */
sealed interface UpgradeState {

    /** Inspects the node before the call, and waits while another change is running or the node is unreachable. */
    record InspectingNode(@Nullable Long unreachableSince) implements UpgradeState {}

    /** Connects to the node's k8sd; no object has been changed yet. */
    record Connecting(@Nullable Long unreachableSince) implements UpgradeState {}

    /**
     * Runs the checks before the call.
     *
     * @param guarded whether the guards are set, so that the call permit comes next
     */
    record RunningPreChecks(boolean guarded) implements UpgradeState {}

    /** Sets the guards. */
    record SettingGuards(long since) implements UpgradeState {}

    /** Writes the call permit. Its age counts from before the commit, whose duration is unknown. */
    record WritingPermit(long since) implements UpgradeState {}

    /** Checks the live preconditions with the permit committed. */
    record CheckingPreconditions(long permitSince) implements UpgradeState {}

    /** Makes the call. */
    record CallingRefresh(long permitSince) implements UpgradeState {}

    /** Writes the change's id. */
    record RecordingChangeId(String changeId) implements UpgradeState {}

    /** Finds out what the call did, if it was made. */
    record ResolvingOutcome(OutcomeResolver resolver) implements UpgradeState {}

    /** Runs the checks after the call, repeatedly. */
    record RunningPostChecks(PostCheckState postChecks) implements UpgradeState {}

    /** Removes cordon and guards before the final report. */
    record CleaningUp(AttemptReport report) implements UpgradeState {}

    record Ended() implements UpgradeState {}

    /** Whether no call has been made: a cancelled command ends the attempt, and a permit can be returned. */
    default boolean isBeforeTheCall() {
        return switch (this) {
            case InspectingNode s -> true;
            case Connecting s -> true;
            case RunningPreChecks s -> true;
            case SettingGuards s -> true;
            case WritingPermit s -> true;
            case CheckingPreconditions s -> true;
            case CallingRefresh s -> false;
            case RecordingChangeId s -> false;
            case ResolvingOutcome s -> false;
            case RunningPostChecks s -> false;
            case CleaningUp s -> false;
            case Ended s -> false;
        };
    }

    /**
     * Whether another worker can continue from the written reports alone.
     *
     * @param permitWritten whether the last report was a call permit
     */
    default boolean isSettled(boolean permitWritten) {
        return switch (this) {
            case InspectingNode s -> !permitWritten;
            case Connecting s -> !permitWritten;
            case RunningPreChecks s -> !permitWritten;
            case SettingGuards s -> !permitWritten;
            case WritingPermit s -> false;
            case CheckingPreconditions s -> false;
            case CallingRefresh s -> false;
            case RecordingChangeId s -> false;
            case ResolvingOutcome s -> true;
            case RunningPostChecks s -> true;
            case CleaningUp s -> false;
            case Ended s -> true;
        };
    }
}
