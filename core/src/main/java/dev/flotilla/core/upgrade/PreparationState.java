package dev.flotilla.core.upgrade;

import org.jspecify.annotations.Nullable;

/** State of an attempt before its call. Each state handles its own inputs and ignores all others. */
sealed interface PreparationState {

    /** Inspects the node, and waits while another change is running or the node is unreachable. */
    record InspectingNode(@Nullable Long unreachableSince) implements PreparationState {}

    /** Connects to the machine's upgrade provider; no object has been changed yet. */
    record Connecting(@Nullable Long unreachableSince) implements PreparationState {}

    /**
     * Runs the checks before the call.
     *
     * @param guarded whether the guards are set, so that the call permit comes next
     */
    record RunningPreChecks(boolean guarded) implements PreparationState {}

    /** Sets the guards. */
    record SettingGuards(long since) implements PreparationState {}

    /** Writes the call permit. Its age counts from before the commit, whose duration is unknown. */
    record WritingPermit(long since) implements PreparationState {}

    /** Checks the live preconditions with the permit committed. */
    record CheckingPreconditions(long permitSince) implements PreparationState {}

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
        };
    }
}
