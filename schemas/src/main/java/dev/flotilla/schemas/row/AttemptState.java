package dev.flotilla.schemas.row;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The state of an open attempt. In each state the attempt occupies its slot. */
public sealed interface AttemptState {

    /** The attempt is admitted. The worker has not reported yet and may start until the command lease expires. */
    record Admitted(Instant leaseExpiresAt) implements AttemptState {}

    /**
     * The worker has reported a step.
     *
     * @param changeId the id of the change on the node, null before the call
     * @param deadline before the call: the call must not begin later; after the call: when the attempt should have ended
     */
    record Running(AttemptStep step, @Nullable String changeId, Instant deadline) implements AttemptState {}

    /**
     * The deadline passed without a report: what happened on the node is not known.
     *
     * @param lastObservation what the worker reported last; null if it reported nothing, and in rows of earlier versions
     */
    record Unknown(Instant since, @Nullable String lastObservation) implements AttemptState {
        public Unknown(Instant since) {
            this(since, null);
        }
    }
}
