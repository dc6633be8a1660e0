package dev.flotilla.orchestrator.leader;

/** The points at which a test lets the process die. */
public enum LoopCrashPoint {
    HINTED,
    FENCED,
    RESTORED,
    POLLED,
    DECIDED,
    BEGUN,
    HALF_SENT,
    SENT,
    COMMITTED,
    PUBLISHED
}
