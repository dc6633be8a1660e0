package dev.flotilla.core.intake;

import dev.flotilla.core.Input;
import dev.flotilla.schemas.id.RejectedRecordKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.topic.RecordKeyFormat;
import dev.flotilla.schemas.topic.Topic;
import org.jspecify.annotations.Nullable;

/** Where an arrived record stands, in the words of {@code flotilla.rejected}. */
final class Coordinates {
    private Coordinates() {}

    static RejectedRecordKey of(Input.Arrived arrived) {
        RowKey at = arrived.fact().rowKey();
        @Nullable String key = RecordKeyFormat.print(at);
        return new RejectedRecordKey(
                new Topic(at.table(), RecordKeyFormat.siteOf(at)).name(), arrived.partition(), key == null ? "" : key);
    }
}
