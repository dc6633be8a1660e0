package dev.flotilla.campaigncontroller.sync;

import dev.flotilla.campaigncontroller.table.StoredRow;
import dev.flotilla.schemas.contenthash.RowDigest;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.TableRow;

/** A hash of what a row says. */
final class RowHash {
    private RowHash() {}

    /** Returns the hash of the newest record of a key. One that cannot be read equals no object. */
    static String of(StoredRow stored) {
        return stored.row() instanceof TableRow row ? of(row) : "unreadable-" + stored.offset();
    }

    /** Labels that only the row may have do not count. */
    static String of(TableRow row) {
        return RowDigest.of(row instanceof Campaign campaign ? SharedLabels.of(campaign) : row);
    }
}
