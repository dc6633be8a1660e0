package dev.flotilla.core.upgrade;

import org.jspecify.annotations.Nullable;

/** State of an attempt after its call may have been made. Each state handles its own inputs and ignores all others. */
sealed interface OutcomeState {

    /** Polls the change. */
    record PollingChange(String changeId, ChangePollState pollState) implements OutcomeState {}

    /** Inspects the node, because the provider has not answered for long: is the cluster's API unreachable? */
    record ProbingApiServer(String changeId, ChangePollState pollState) implements OutcomeState {}

    /** Inspects the node, because its k8sd waits for its peers: the node's state may be proof enough. */
    record AwaitingPeers(String changeId, ChangePollState pollState) implements OutcomeState {}

    /**
     * Inspects the node until it proves its target.
     *
     * @param since when the node has been readable without a break
     * @param unreachableSince since when the node could not be read; null while it can
     */
    record VerifyingNode(
            KnownOutcome knownOutcome,
            @Nullable String changeId,
            long since,
            @Nullable Long unreachableSince) implements OutcomeState {
        static VerifyingNode from(KnownOutcome knownOutcome, @Nullable String changeId, ClockReading now) {
            return new VerifyingNode(knownOutcome, changeId, now.monotonicMillis(), null);
        }

        VerifyingNode withNodeReadable() {
            return unreachableSince == null ? this : new VerifyingNode(knownOutcome, changeId, since, null);
        }

        /** The node cannot be read, so the time limits start again. */
        VerifyingNode withNodeUnreadable(ClockReading now) {
            return new VerifyingNode(
                    knownOutcome,
                    changeId,
                    now.monotonicMillis(),
                    unreachableSince == null ? now.monotonicMillis() : unreachableSince);
        }

        /** The change to poll, if its status may still tell what the call did; otherwise null. */
        @Nullable
        String changeIdToPoll() {
            return knownOutcome == KnownOutcome.UNKNOWN ? changeId : null;
        }
    }

    /** Asks the k8sd of a node that does not show its revision whether it waits for its peers. */
    record QueryingK8sd(VerifyingNode verifying, NodeInspection.ObservedNode node) implements OutcomeState {}

    /** What is known about the call when verification starts. */
    enum KnownOutcome {
        /** The change is done: a node that is not at its target has failed. */
        DONE,
        /** The provider does not know the change any more, so its result is missing. */
        LOST,
        /** The provider reported that there was nothing to do. */
        UNCHANGED,
        /** A call may have been made, with an unknown outcome. */
        UNKNOWN
    }
}
