package dev.flotilla.simulator.kubernetes;

/** How the API of a cluster can be reached. */
public enum ApiReachability {
    ANSWERS,
    /** Connections break, as where the server process is gone. */
    RESETS,
    /** Whoever stands before it answers that it is not there: 503. */
    UNAVAILABLE
}
