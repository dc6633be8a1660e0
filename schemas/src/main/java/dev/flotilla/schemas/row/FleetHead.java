package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The head row of the fleet: how far the leader has decided.
 *
 * @param term the leader's term; each new leader's is higher
 * @param seq the number of the newest journal record
 * @param decidedAt the instant of the newest decision; no later decision is earlier
 * @param journalHash the journal hash of record {@code seq}
 * @param featureLevel the feature level that a leader must support to continue from these rows
 * @param clockInSync whether the clocks of the leader and the broker are in sync
 * @param offsets the next offsets to read of the fleet's input topics
 * @param chapter the journal's newest chapter; null before the first
 * @param topicIds the ids of the topics that the offsets belong to; empty in rows of earlier versions
 */
public record FleetHead(
        long term,
        long seq,
        Instant decidedAt,
        String journalHash,
        int featureLevel,
        boolean clockInSync,
        List<PartitionOffset> offsets,
        @Nullable JournalChapter chapter,
        List<TopicId> topicIds)
        implements TableRow {
    /** The feature level of this version. */
    public static final int FEATURE_LEVEL = 1;

    public static final FleetHead NONE = new FleetHead(0, 0, Instant.EPOCH, "", FEATURE_LEVEL, true, List.of());

    public FleetHead {
        offsets = List.copyOf(offsets);
        topicIds = List.copyOf(topicIds);
    }

    /** A head before the journal's first chapter. */
    public FleetHead(
            long term,
            long seq,
            Instant decided,
            String chain,
            int featureLevel,
            boolean clockAgrees,
            List<PartitionOffset> offsets) {
        this(term, seq, decided, chain, featureLevel, clockAgrees, offsets, null, List.of());
    }

    /** A head without topic ids. */
    public FleetHead(
            long term,
            long seq,
            Instant decided,
            String chain,
            int featureLevel,
            boolean clockAgrees,
            List<PartitionOffset> offsets,
            @Nullable JournalChapter chapter) {
        this(term, seq, decided, chain, featureLevel, clockAgrees, offsets, chapter, List.of());
    }

    @Override
    public RowKey rowKey() {
        return new RowKey(Table.HEAD, FleetScope.FLEET);
    }
}
