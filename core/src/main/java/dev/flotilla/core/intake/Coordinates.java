package dev.flotilla.core.intake;

import dev.flotilla.core.Input;
import dev.flotilla.schemas.id.RejectedKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.topic.Keys;
import dev.flotilla.schemas.topic.Topic;
import org.jspecify.annotations.Nullable;

/** Where an arrived record stands, in the words of {@code flotilla.rejected}. */
final class Coordinates {
    private Coordinates() {}

    static RejectedKey of(Input.Arrived arrived) {
        RowKey at = arrived.fact().at();
        @Nullable String key = Keys.print(at);
        return new RejectedKey(
                new Topic(at.table(), Keys.siteOf(at)).name(), arrived.partition(), key == null ? "" : key);
    }
}
