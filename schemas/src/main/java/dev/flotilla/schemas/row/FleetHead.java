package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.topic.Table;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How far the orchestrator has decided.
 *
 * @param term how many leaders there have been
 * @param seq the newest journal record
 * @param decidedAt the instant of the newest decision; time never goes back behind it
 * @param journalHash the journal's hash up to {@code seq}
 * @param featureLevel what a leader must understand to go on from here
 * @param clockInSync whether the leader's clock and the broker's agree
 * @param offsets of the fleet's input topics
 * @param chapter the journal's newest chapter; null before the first
 * @param topicIds which topics those offsets are of; empty where an earlier version wrote them
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
    /** What this version understands. */
    public static final int FEATURE_LEVEL = 1;

    public static final FleetHead NONE = new FleetHead(0, 0, Instant.EPOCH, "", FEATURE_LEVEL, true, List.of());

    public FleetHead {
        offsets = List.copyOf(offsets);
        topicIds = List.copyOf(topicIds);
    }

    /** Before the journal's first chapter. */
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

    /** Of topics whose ids nobody has recorded. */
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
