package dev.flotilla.cli.kafka;

import dev.flotilla.runtime.kafka.OpenTransaction;
import dev.flotilla.schemas.json.codec.RejectionDetail;
import dev.flotilla.schemas.row.RejectedRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What became of a row that an operator wrote. */
public sealed interface Answer {
    /** The orchestrator has taken it. */
    record Taken() implements Answer {}

    /** The orchestrator has read it and does not do what it asks. */
    record Refused(RejectedRecord why) implements Answer {}

    /** It is written, and was not waited for. */
    record Written() implements Answer {}

    /**
     * It is written, and no orchestrator has said anything within the time.
     *
     * @param behind an open transaction that it waits for; null for none
     */
    record Silent(@Nullable OpenTransaction behind) implements Answer {}

    /** It was not written: nobody would be able to read it. */
    record Malformed(List<RejectionDetail> why) implements Answer {}
}
