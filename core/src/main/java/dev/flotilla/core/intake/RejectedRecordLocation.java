package dev.flotilla.core.intake;

import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.schemas.id.RejectedRecordKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.topic.RecordKeyFormat;
import dev.flotilla.schemas.topic.Topic;
import org.jspecify.annotations.Nullable;

/** The key of a received record in {@code flotilla.rejected}. */
final class RejectedRecordLocation {
    private RejectedRecordLocation() {}

    static RejectedRecordKey locate(DecisionInput.RecordReceived recordReceived) {
        RowKey rowKey = recordReceived.change().rowKey();
        @Nullable String key = RecordKeyFormat.print(rowKey);
        return new RejectedRecordKey(
                new Topic(rowKey.table(), RecordKeyFormat.siteOf(rowKey)).name(),
                recordReceived.partition(),
                key == null ? "" : key);
    }
}
