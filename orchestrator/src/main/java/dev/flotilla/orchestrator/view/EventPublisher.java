package dev.flotilla.orchestrator.view;

import java.time.Instant;

/** Where what has been committed is told. */
@FunctionalInterface
public interface EventPublisher {
    /** Tells of a journal record. Costs the same whether anybody listens or not, and never waits. */
    void publish(long seq, Instant time, String event, String subject, String reason);
}
