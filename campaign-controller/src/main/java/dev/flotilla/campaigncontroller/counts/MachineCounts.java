package dev.flotilla.campaigncontroller.counts;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The machines of a campaign.
 *
 * @param uid the uid of the campaign; one of the same name that came later has another
 * @param machines all of them
 * @param remaining those that have not ended
 * @param expectedEndAt null if too few have ended to tell
 * @param waiting how many wait at the gate that blocks most of them, if none is in flight; empty otherwise, or if it is not known
 */
public record MachineCounts(
        long uid,
        long machines,
        long remaining,
        long inFlight,
        @Nullable Instant expectedEndAt,
        String waiting) {

    /** Takes over what was known of the same campaign. */
    MachineCounts waitingAs(@Nullable MachineCounts before) {
        return before != null && before.uid == uid ? withWaiting(before.waiting) : this;
    }

    MachineCounts withWaiting(String text) {
        return new MachineCounts(uid, machines, remaining, inFlight, expectedEndAt, text);
    }
}
