package dev.flotilla.core.upgrade;

/** What the procedure waits for. The worker decides how long, from the durations of similar machines. */
public enum WaitReason {
    /** The node to answer again, or to finish another change. */
    IDLE_NODE,
    /** The change to progress. */
    CHANGE,
    /** The node to prove its target. */
    PROOF,
    /** The node to prove its target after the outcome was reported as unknown. */
    LATE_PROOF
}
