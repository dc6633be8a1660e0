package dev.flotilla.orchestrator.follow;

/** This process must not lead on what it has read. The message says why, and how to repair it. */
public final class LeadershipRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    LeadershipRefusedException(String message) {
        super(message);
    }
}
