package dev.flotilla.core.intake;

import dev.flotilla.core.decision.DecisionBuilder;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.schemas.id.RejectedRecordKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.topic.Topic;
import org.jspecify.annotations.Nullable;

/**
 * Limits the rejected rows of a site's unreadable records under unknown keys. Such records close nothing, and a site
 * can write any number of them. The first ones get a row each; one more row says that there are more, and is removed
 * when half of them are readable again.
 */
public final class UnreadableRecordLimiter {
    /** How many rejected rows a site may have before its unreadable records under unknown keys are no longer listed. */
    public static final int MAX_LISTED_PER_SITE = 256;

    private UnreadableRecordLimiter() {}

    /** The rejected row for an unreadable record; null if the limit is reached and already reported. */
    public static @Nullable RejectedRecord limit(FleetState state, RejectedRecord row) {
        RejectedRecordKey key = row.key();
        SiteId site = siteOf(key);
        if (site == null
                || row.lastAccepted() != null
                // A restoring leader can read the record and must know that it was rejected.
                || row.reason() == RejectionReason.CANNOT_BE_DECIDED
                || state.rejected(key) != null
                || state.rejections().isAboutKnown(key)
                || state.rejections().countOf(site) < MAX_LISTED_PER_SITE) {
            return row;
        }
        RejectedRecordKey overflowKey = overflowKey(site);
        return state.rejected(overflowKey) != null
                ? null
                : new RejectedRecord(
                        overflowKey,
                        row.offset(),
                        row.reason(),
                        "",
                        "",
                        "site " + site + " has " + MAX_LISTED_PER_SITE
                                + " rejected records and more unreadable ones under unknown keys, the first of them "
                                + key + ": these are counted only in metrics and logged. Find out what writes them",
                        row.rejectedAt());
    }

    /** Removes the overflow row of a site once few enough records are rejected. */
    static void clearOverflow(DecisionBuilder draft, RejectedRecordKey readable) {
        SiteId site = siteOf(readable);
        if (site != null
                && draft.state().rejections().countOf(site) <= MAX_LISTED_PER_SITE / 2
                && draft.state().rejected(overflowKey(site)) != null) {
            draft.remove(Table.REJECTED, overflowKey(site));
        }
    }

    /** The key of the overflow row; no record can have it. */
    private static RejectedRecordKey overflowKey(SiteId site) {
        return new RejectedRecordKey(new Topic(Table.INVENTORY, site).name(), 0, "and more");
    }

    private static @Nullable SiteId siteOf(RejectedRecordKey key) {
        Topic topic = Topic.parse(key.topic());
        return topic == null ? null : topic.site();
    }
}
