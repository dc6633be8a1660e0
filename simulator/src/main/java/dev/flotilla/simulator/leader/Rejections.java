package dev.flotilla.simulator.leader;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.schemas.id.RejectedKey;
import dev.flotilla.schemas.row.Rejected;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.topic.Keys;
import dev.flotilla.schemas.topic.Place;
import dev.flotilla.schemas.topic.Topic;
import dev.flotilla.simulator.log.LogRecord;
import java.time.Instant;

/** What a leader says of records that it does not take. */
public final class Rejections {
    private Rejections() {}

    static Rejected of(Place place, LogRecord logged, RejectionReason reason, String problem, Instant at) {
        return new Rejected(keyOf(place, logged), logged.offset(), reason, "", "", problem, at);
    }

    /** Whether a record that can be read was not taken all the same, as if it could not. */
    public static boolean isRejected(FleetState state, Place place, LogRecord logged) {
        Rejected known = state.rejected().isEmpty() ? null : state.rejected(keyOf(place, logged));
        return known != null && !known.readable() && known.offset() == logged.offset();
    }

    private static RejectedKey keyOf(Place place, LogRecord logged) {
        return new RejectedKey(
                new Topic(place.table(), place.site()).name(),
                place.partition(),
                String.valueOf(Keys.print(logged.key())));
    }
}
