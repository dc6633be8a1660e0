package dev.flotilla.core.procedure;

import dev.flotilla.schemas.row.Report;
import org.jspecify.annotations.Nullable;

/** Where an attempt is. Each stage waits for its own signals, and bears all others. */
sealed interface Stage {

    /** Before the call: what does the node show? Its change or its silence is waited out. */
    record Looking(@Nullable Long darkSince) implements Stage {}

    /** Nothing was done to any object yet: does the node's k8sd answer, and take the token? */
    record Reaching(@Nullable Long darkSince) implements Stage {}

    /** The guards are being set. */
    record Guarding() implements Stage {}

    /** The licence for one call is being written. Its age counts from before: nobody knows how long a commit takes. */
    record Licensing(long since) implements Stage {}

    /** The licence is out, and the last look at the cluster is being taken. */
    record Judging(long licensed) implements Stage {}

    /** The call is being made, or was. */
    record Calling(long licensed) implements Stage {}

    /** The change's id is being written. */
    record Noting(String changeId) implements Stage {}

    /** The change is being watched. */
    record Refreshing(String changeId) implements Stage {}

    /** The node is watched until it proves where it is. */
    record Verifying(After after, @Nullable String changeId, long since) implements Stage {
        Verifying since(long ticks) {
            return new Verifying(after, changeId, ticks);
        }
    }

    /** What was done to the objects is being undone, before the end is told. */
    record Undoing(Report end) implements Stage {}

    record Ended() implements Stage {}

    /** What is known of the call when verifying begins. */
    enum After {
        /** The change is done: a node that is not at its target has failed. */
        DONE,
        /** The change was forgotten, so that snapd's word is missing. */
        LOST,
        /** There was nothing to do. */
        UNCHANGED,
        /** Somebody may have called, and nobody knows what came of it. */
        UNKNOWN
    }
}
