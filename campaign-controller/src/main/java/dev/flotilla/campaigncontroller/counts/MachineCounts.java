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
 */
public record MachineCounts(
        long uid,
        long machines,
        long remaining,
        long inFlight,
        @Nullable Instant expectedEndAt) {}
