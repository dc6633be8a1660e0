package dev.flotilla.core.procedure;

import org.jspecify.annotations.Nullable;

/** Where an attempt is once its call may have been made. Each of these waits for its own signals, and bears all others. */
sealed interface Proving {

    /** The change is being watched. */
    record Watching(String changeId, Watch watch) implements Proving {}

    /** The same, and nobody has answered for long: is the cluster's API away? */
    record Glancing(String changeId, Watch watch) implements Proving {}

    /** The same, and its k8sd waits for its peers: the node is looked at, which may say enough. */
    record Awaiting(String changeId, Watch watch) implements Proving {}

    /**
     * The node is watched until it proves where it is.
     *
     * @param since when it has been seen without a break
     * @param darkSince it has not been seen; null while it is
     */
    record Verifying(
            After after,
            @Nullable String changeId,
            long since,
            @Nullable Long darkSince) implements Proving {
        static Verifying from(After after, @Nullable String changeId, Moment now) {
            return new Verifying(after, changeId, now.ticks(), null);
        }

        Verifying seen() {
            return darkSince == null ? this : new Verifying(after, changeId, since, null);
        }

        /** Nothing can be told, and the clock of patience does not run. */
        Verifying unseen(Moment now) {
            return new Verifying(after, changeId, now.ticks(), darkSince == null ? now.ticks() : darkSince);
        }

        /** Its change, where that may still tell what came of the call. */
        @Nullable
        String asksFor() {
            return after == After.UNKNOWN ? changeId : null;
        }
    }

    /** A node that does not show what it runs is asked whether it waits for its peers. */
    record Asking(Verifying verifying, Sight.Node seen) implements Proving {}

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
