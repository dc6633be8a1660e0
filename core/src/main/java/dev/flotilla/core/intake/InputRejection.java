package dev.flotilla.core.intake;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionBuilder;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.schemas.id.RejectedRecordKey;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.RowChange;
import org.jspecify.annotations.Nullable;

/** Decides that an input record is rejected, with the reason. */
final class InputRejection {
    private InputRejection() {}

    static Decision reject(
            DecisionBuilder draft,
            DecisionInput.RecordReceived recordReceived,
            RejectionReason reason,
            String path,
            String value,
            String problem) {
        return reject(draft, recordReceived, reason, path, value, problem, null);
    }

    /** Rejects a record that would replace one that stays in force. */
    static Decision reject(
            DecisionBuilder draft,
            DecisionInput.RecordReceived recordReceived,
            RejectionReason reason,
            String path,
            String value,
            String problem,
            @Nullable RowChange stillCounts) {
        RejectedRecord row = new RejectedRecord(
                recordReceived.rejectedRecordKey(),
                recordReceived.offset(),
                reason,
                path,
                value,
                problem,
                draft.at(),
                true,
                stillCounts);
        return write(draft, recordReceived.change(), row);
    }

    /** Rejects a record that would open what an unreadable record has closed: its key stays unreadable. */
    static Decision keepUnreadable(DecisionBuilder draft, DecisionInput.RecordReceived recordReceived, String problem) {
        RejectedRecordKey key = recordReceived.rejectedRecordKey();
        RejectedRecord known = draft.state().rejected(key);
        RejectedRecord row = new RejectedRecord(
                key,
                recordReceived.offset(),
                RejectionReason.CONTRADICTION,
                "",
                "",
                problem,
                draft.at(),
                false,
                known == null ? null : known.lastAccepted());
        return write(draft, recordReceived.change(), row);
    }

    /** The state keeps the rejected row, because the table has it, but does not act on it. */
    static Decision write(DecisionBuilder draft, RowChange rowChange, RejectedRecord rejected) {
        return draft.write(rowChange).write(rejected).build(DecisionEvent.REJECTED, rejected.key(), rejected.problem());
    }
}
