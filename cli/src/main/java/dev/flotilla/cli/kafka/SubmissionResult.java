package dev.flotilla.cli.kafka;

import dev.flotilla.kafka.OpenTransaction;
import dev.flotilla.schemas.json.codec.RejectionDetail;
import dev.flotilla.schemas.row.RejectedRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Result of writing an operator's row. */
public sealed interface SubmissionResult {
    /** The orchestrator has accepted the row. */
    record RowAccepted() implements SubmissionResult {}

    /** The orchestrator has rejected the row. */
    record RowRejected(RejectedRecord rejection) implements SubmissionResult {}

    /** The row is written; the answer was not waited for. */
    record WrittenWithoutWaiting() implements SubmissionResult {}

    /**
     * The row is written, but no orchestrator has decided on it in time.
     *
     * @param openTransaction open transaction that blocks the row; null for none
     */
    record OrchestratorSilent(@Nullable OpenTransaction openTransaction) implements SubmissionResult {}

    /** The row was not written, because it would be unreadable. */
    record RowInvalid(List<RejectionDetail> defects) implements SubmissionResult {}
}
