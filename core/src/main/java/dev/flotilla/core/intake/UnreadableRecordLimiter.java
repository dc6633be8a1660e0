package dev.flotilla.core.intake;

import dev.flotilla.core.DecisionBuilder;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.schemas.id.RejectedRecordKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.schemas.topic.Topic;
import org.jspecify.annotations.Nullable;

/**
 * Records of a site that nobody can read, under keys of nothing that is known: they close nothing, and a site can write as many
 * as it likes. So many are told one by one, and that there are more in one row, which goes when half of them can be read again.
 */
public final class UnreadableRecordLimiter {
    /** A site has so many rows of records that were not taken before what is garbage is no longer told by itself. */
    public static final int MOST_OF_A_SITE = 256;

    private UnreadableRecordLimiter() {}

    /** The row that tells of a record that cannot be read; null where enough is told. */
    public static @Nullable RejectedRecord limit(FleetState state, RejectedRecord row) {
        RejectedRecordKey key = row.key();
        SiteId site = siteOf(key);
        if (site == null
                || row.lastAccepted() != null
                // Whoever restores can read it, and has to know that it was not taken.
                || row.reason() == RejectionReason.CANNOT_BE_DECIDED
                || state.rejected(key) != null
                || state.rejections().isAboutKnown(key)
                || state.rejections().countOf(site) < MOST_OF_A_SITE) {
            return row;
        }
        RejectedRecordKey rest = rest(site);
        return state.rejected(rest) != null
                ? null
                : new RejectedRecord(
                        rest,
                        row.offset(),
                        row.reason(),
                        "",
                        "",
                        "site " + site + " has " + MOST_OF_A_SITE
                                + " records that were not taken, and more under keys of nothing that is known, the first of them "
                                + key + ": these are counted in metrics and in the log alone. Look at what writes them",
                        row.rejectedAt());
    }

    /** A record of a site can be read again: there may be no more of them than are told. */
    static void clearOverflow(DecisionBuilder draft, RejectedRecordKey readable) {
        SiteId site = siteOf(readable);
        if (site != null
                && draft.state().rejections().countOf(site) <= MOST_OF_A_SITE / 2
                && draft.state().rejected(rest(site)) != null) {
            draft.remove(Table.REJECTED, rest(site));
        }
    }

    /** No record has this key: it would be none of a row. */
    private static RejectedRecordKey rest(SiteId site) {
        return new RejectedRecordKey(new Topic(Table.INVENTORY, site).name(), 0, "and more");
    }

    private static @Nullable SiteId siteOf(RejectedRecordKey key) {
        Topic topic = Topic.parse(key.topic());
        return topic == null ? null : topic.site();
    }
}
