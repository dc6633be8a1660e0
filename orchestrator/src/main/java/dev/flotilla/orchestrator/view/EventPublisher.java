package dev.flotilla.orchestrator.view;

import java.time.Instant;

/** Receives each committed journal record. */
@FunctionalInterface
interface EventPublisher {
    /** Publishes a journal record. The cost does not depend on the number of readers, and the call never blocks. */
    void publish(long seq, Instant time, String event, String subject, String reason);
}
