package dev.flotilla.cli.kafka;

import dev.flotilla.runtime.kafka.OpenTransaction;
import dev.flotilla.schemas.json.codec.RejectionDetail;
import dev.flotilla.schemas.row.RejectedRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What became of a row that an operator wrote. */
public sealed interface SubmissionResult {
    /** The orchestrator has taken it. */
    record RowAccepted() implements SubmissionResult {}

    /** The orchestrator has read it and does not do what it asks. */
    record RowRejected(RejectedRecord rejection) implements SubmissionResult {}

    /** It is written, and was not waited for. */
    record WrittenWithoutWaiting() implements SubmissionResult {}

    /**
     * It is written, and no orchestrator has said anything within the time.
     *
     * @param openTransaction an open transaction that it waits for; null for none
     */
    record OrchestratorSilent(@Nullable OpenTransaction openTransaction) implements SubmissionResult {}

    /** It was not written: nobody would be able to read it. */
    record RowInvalid(List<RejectionDetail> defects) implements SubmissionResult {}
}
