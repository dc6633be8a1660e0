package dev.flotilla.campaigncontroller.sync;

import dev.flotilla.campaigncontroller.table.StoredRow;
import dev.flotilla.schemas.contenthash.RowDigest;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.TableRow;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A hash of what a row says. */
final class RowHash {
    private RowHash() {}

    /** Returns the hash of the newest record of a key. One that cannot be read equals no object. */
    static String of(@Nullable StoredRow stored) {
        if (stored == null) {
            return SyncSides.ABSENT;
        }
        return stored.row() instanceof TableRow row ? of(row) : "unreadable-" + stored.offset();
    }

    /** Labels with a prefix do not count: an object has those of the tools that manage it. */
    static String of(TableRow row) {
        TableRow compared = row instanceof Campaign campaign
                ? new Campaign(campaign.name(), withoutPrefixes(campaign.labels()), campaign.spec())
                : row;
        return RowDigest.of(compared);
    }

    private static Labels withoutPrefixes(Labels labels) {
        SortedMap<String, String> own = new TreeMap<>(labels.values());
        own.keySet().removeIf(name -> name.indexOf('/') >= 0);
        return new Labels(own);
    }
}
