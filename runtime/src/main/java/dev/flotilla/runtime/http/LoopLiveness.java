package dev.flotilla.runtime.http;

import java.util.List;

/** Liveness of a process with one loop: it ends when a bug has ended the loop. */
public final class LoopLiveness {
    private final String component;
    private final String application;
    private volatile boolean failed;

    /**
     * @param component name of the loop in the response
     */
    public LoopLiveness(String component, String application) {
        this.component = component;
        this.application = application;
    }

    /** A bug has ended the loop. */
    public void loopFailed() {
        failed = true;
    }

    public HealthStatus status() {
        return failed
                ? new HealthStatus(
                        false,
                        "broken",
                        List.of(new HealthStatus.ComponentHealth(
                                component, false, "a bug ended the " + application + "'s loop")))
                : HealthStatus.healthy("alive");
    }
}
