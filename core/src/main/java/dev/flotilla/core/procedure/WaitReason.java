package dev.flotilla.core.procedure;

/** What is waited for. How long, the shell decides by what it knows of such machines. */
public enum WaitReason {
    /** That a node answers again, or has ended a change of its own. */
    IDLE_NODE,
    /** That the change goes on. */
    CHANGE,
    /** That the node shows where it is. */
    PROOF,
    /** The same, where nobody expects it any more. */
    LATE_PROOF
}
