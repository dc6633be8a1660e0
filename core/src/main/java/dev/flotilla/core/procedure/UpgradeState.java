package dev.flotilla.core.procedure;

import dev.flotilla.schemas.row.AttemptReport;
import org.jspecify.annotations.Nullable;

/** Where an attempt is. Each stage waits for its own signals, and bears all others. */
sealed interface UpgradeState {

    /** Before the call: what does the node show? Its change or its silence is waited out. */
    record InspectingNode(@Nullable Long unreachableSince) implements UpgradeState {}

    /** Nothing was done to any object yet: does the node's k8sd answer, and take the token? */
    record Connecting(@Nullable Long unreachableSince) implements UpgradeState {}

    /**
     * The checks before the call are being asked.
     *
     * @param guarded whether the guards are set, so that the licence comes next
     */
    record RunningPreChecks(boolean guarded) implements UpgradeState {}

    /** The guards are being set. */
    record SettingGuards(long since) implements UpgradeState {}

    /** The licence for one call is being written. Its age counts from before: nobody knows how long a commit takes. */
    record WritingPermit(long since) implements UpgradeState {}

    /** The licence is out, and the last look at the cluster is being taken. */
    record CheckingPreconditions(long permitSince) implements UpgradeState {}

    /** The call is being made, or was. */
    record CallingRefresh(long permitSince) implements UpgradeState {}

    /** The change's id is being written. */
    record RecordingChangeId(String changeId) implements UpgradeState {}

    /** The call was made, or may have been: what came of it? */
    record ResolvingOutcome(OutcomeResolver resolver) implements UpgradeState {}

    /** The checks after the call are being asked, and asked again. */
    record RunningPostChecks(PostCheckState postChecks) implements UpgradeState {}

    /** What was done to the objects is being undone, before the end is told. */
    record CleaningUp(AttemptReport report) implements UpgradeState {}

    record Ended() implements UpgradeState {}

    /** Whether nothing was called yet: a command that is taken back ends it, and a licence can be given back. */
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
     * Whether it may be left as it is: whoever takes it up from what is written knows as much.
     *
     * @param licensed whether a licence is what was written last
     */
    default boolean isSettled(boolean licensed) {
        return switch (this) {
            case InspectingNode s -> !licensed;
            case Connecting s -> !licensed;
            case RunningPreChecks s -> !licensed;
            case SettingGuards s -> !licensed;
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
