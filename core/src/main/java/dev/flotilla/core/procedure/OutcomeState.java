package dev.flotilla.core.procedure;

import org.jspecify.annotations.Nullable;

/** Where an attempt is once its call may have been made. Each of these waits for its own signals, and bears all others. */
sealed interface OutcomeState {

    /** The change is being watched. */
    record PollingChange(String changeId, ChangePollState watch) implements OutcomeState {}

    /** The same, and nobody has answered for long: is the cluster's API away? */
    record ProbingApiServer(String changeId, ChangePollState watch) implements OutcomeState {}

    /** The same, and its k8sd waits for its peers: the node is looked at, which may say enough. */
    record AwaitingPeers(String changeId, ChangePollState watch) implements OutcomeState {}

    /**
     * The node is watched until it proves where it is.
     *
     * @param since when it has been seen without a break
     * @param unreachableSince it has not been seen; null while it is
     */
    record VerifyingNode(
            KnownOutcome knownOutcome,
            @Nullable String changeId,
            long since,
            @Nullable Long unreachableSince) implements OutcomeState {
        static VerifyingNode from(KnownOutcome knownOutcome, @Nullable String changeId, ClockReading now) {
            return new VerifyingNode(knownOutcome, changeId, now.monotonicMillis(), null);
        }

        VerifyingNode seen() {
            return unreachableSince == null ? this : new VerifyingNode(knownOutcome, changeId, since, null);
        }

        /** Nothing can be told, and the clock of patience does not run. */
        VerifyingNode unseen(ClockReading now) {
            return new VerifyingNode(
                    knownOutcome,
                    changeId,
                    now.monotonicMillis(),
                    unreachableSince == null ? now.monotonicMillis() : unreachableSince);
        }

        /** Its change, where that may still tell what came of the call. */
        @Nullable
        String asksFor() {
            return knownOutcome == KnownOutcome.UNKNOWN ? changeId : null;
        }
    }

    /** A node that does not show what it runs is asked whether it waits for its peers. */
    record QueryingK8sd(VerifyingNode verifying, NodeInspection.ObservedNode seen) implements OutcomeState {}

    /** What is known of the call when verifying begins. */
    enum KnownOutcome {
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
