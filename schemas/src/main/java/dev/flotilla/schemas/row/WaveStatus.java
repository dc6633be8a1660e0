package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.id.WaveKey;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a wave.
 *
 * @param campaignUid the uid of the campaign it belongs to
 * @param sharePartsPerMillion the share of the clusters that it takes, computed once; null if it takes all, or before that
 * @param approvedBy the id of the order that approved its start or its end
 * @param lastSuccessAt when its latest success was
 * @param durations the durations of its attempts
 */
public record WaveStatus(
        WaveKey key,
        long campaignUid,
        @Nullable Integer sharePartsPerMillion,
        @Nullable Instant openedAt,
        @Nullable String approvedBy,
        @Nullable Instant lastSuccessAt,
        @Nullable Instant closedAt,
        List<DurationHistogram> durations)
        implements TableRow {
    public WaveStatus {
        durations = List.copyOf(durations);
    }

    /** The status of a wave without decisions. */
    public static WaveStatus of(WaveKey key, long campaignUid) {
        return new WaveStatus(key, campaignUid, null, null, null, null, null, List.of());
    }

    public WaveStatus withShare(@Nullable Integer share) {
        return new WaveStatus(key, campaignUid, share, openedAt, approvedBy, lastSuccessAt, closedAt, durations);
    }

    public WaveStatus withOpenedAt(Instant at) {
        return new WaveStatus(
                key, campaignUid, sharePartsPerMillion, at, approvedBy, lastSuccessAt, closedAt, durations);
    }

    public WaveStatus withApproval(@Nullable String order) {
        return new WaveStatus(
                key, campaignUid, sharePartsPerMillion, openedAt, order, lastSuccessAt, closedAt, durations);
    }

    public WaveStatus withClosedAt(Instant at) {
        return new WaveStatus(
                key, campaignUid, sharePartsPerMillion, openedAt, approvedBy, lastSuccessAt, at, durations);
    }

    /** Returns a copy with one more success and these durations. */
    public WaveStatus withLastSuccessAt(Instant at, List<DurationHistogram> took) {
        return new WaveStatus(key, campaignUid, sharePartsPerMillion, openedAt, approvedBy, at, closedAt, took);
    }

    @Override
    public RowKey rowKey() {
        return new RowKey(Table.CAMPAIGN_STATUS, key);
    }
}
