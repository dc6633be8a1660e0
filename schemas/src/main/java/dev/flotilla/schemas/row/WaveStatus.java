package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.WaveKey;
import dev.flotilla.schemas.topic.Table;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How far a wave is.
 *
 * @param campaignUid the campaign it belongs to
 * @param sharePartsPerMillion how many millionths of the clusters it takes, settled once; null where it takes all, or while that is open
 * @param approvedBy the id of the order that let it begin, or be done with
 * @param lastSuccessAt when its last machine so far succeeded
 * @param durations how long the attempts of its machines took
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

    /** Of a wave about which nothing has been decided yet. */
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

    public WaveStatus approvedBy(@Nullable String order) {
        return new WaveStatus(
                key, campaignUid, sharePartsPerMillion, openedAt, order, lastSuccessAt, closedAt, durations);
    }

    public WaveStatus withClosedAt(Instant at) {
        return new WaveStatus(
                key, campaignUid, sharePartsPerMillion, openedAt, approvedBy, lastSuccessAt, at, durations);
    }

    /** With one more success, and how long attempts took now. */
    public WaveStatus withLastSuccessAt(Instant at, List<DurationHistogram> took) {
        return new WaveStatus(key, campaignUid, sharePartsPerMillion, openedAt, approvedBy, at, closedAt, took);
    }

    @Override
    public RowKey rowKey() {
        return new RowKey(Table.CAMPAIGN_STATUS, key);
    }
}
