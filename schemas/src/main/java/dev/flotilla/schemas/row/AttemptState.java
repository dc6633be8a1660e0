package dev.flotilla.schemas.row;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Where an open attempt is. Each of these holds its slot. */
public sealed interface AttemptState {

    /** Decided; the worker has not said anything yet and may begin until {@code notAfter}. */
    record Admitted(Instant leaseExpiresAt) implements AttemptState {}

    /**
     * The worker is at it.
     *
     * @param changeId the id of the change on the node, null before the call
     * @param deadline before the call the instant after which it may not be made; then when it should have ended
     */
    record Running(AttemptStep step, @Nullable String changeId, Instant deadline) implements AttemptState {}

    /**
     * Past its deadline without a word: what happened on the node is not known.
     *
     * @param lastObservation what the worker saw last; null where nothing was said, and in rows of versions that did not keep it
     */
    record Unknown(Instant since, @Nullable String lastObservation) implements AttemptState {
        public Unknown(Instant since) {
            this(since, null);
        }
    }
}
