package dev.flotilla.campaigncontroller.sync;

import dev.flotilla.campaigncontroller.table.StoredRow;
import dev.flotilla.schemas.json.RowCodec;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.TableRow;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A hash of what a row says. */
final class RowHash {
    private static final int BYTES = 8;

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
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(RowCodec.encode(compared));
            return HexFormat.of().formatHex(digest, 0, BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }

    private static Labels withoutPrefixes(Labels labels) {
        SortedMap<String, String> own = new TreeMap<>(labels.values());
        own.keySet().removeIf(name -> name.indexOf('/') >= 0);
        return new Labels(own);
    }
}
