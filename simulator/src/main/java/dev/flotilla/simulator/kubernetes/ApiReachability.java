package dev.flotilla.simulator.kubernetes;

/** How the API of a cluster responds to connections. */
public enum ApiReachability {
    ANSWERS,
    /** Connections are reset, as if the server process were not running. */
    RESETS,
    /** A load balancer in front of it answers 503. */
    UNAVAILABLE
}
