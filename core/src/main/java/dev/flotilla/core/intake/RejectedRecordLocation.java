package dev.flotilla.core.intake;

import dev.flotilla.core.DecisionInput;
import dev.flotilla.schemas.id.RejectedRecordKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.topic.RecordKeyFormat;
import dev.flotilla.schemas.topic.Topic;
import org.jspecify.annotations.Nullable;

/** Where an arrived record stands, in the words of {@code flotilla.rejected}. */
final class RejectedRecordLocation {
    private RejectedRecordLocation() {}

    static RejectedRecordKey locate(DecisionInput.RecordReceived recordReceived) {
        RowKey at = recordReceived.change().rowKey();
        @Nullable String key = RecordKeyFormat.print(at);
        return new RejectedRecordKey(
                new Topic(at.table(), RecordKeyFormat.siteOf(at)).name(),
                recordReceived.partition(),
                key == null ? "" : key);
    }
}
