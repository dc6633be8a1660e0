package dev.flotilla.core.leader;

import dev.flotilla.core.decision.Decision;

/** The transaction that receives a term's decisions until the next commit. */
public interface OpenTransaction {
    /**
     * Adds a decision, completely or not at all.
     *
     * @throws DecisionTooLargeException if Kafka would reject one of its records as too large
     */
    void add(Decision decision);

    /** Whether another decision is sure to fit; a single decision always does. */
    boolean hasRoom();
}
