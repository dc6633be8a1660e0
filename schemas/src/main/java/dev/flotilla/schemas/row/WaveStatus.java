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
 * @param bound how many millionths of the clusters it takes, settled once; null where it takes all, or while that is open
 * @param approvedBy the id of the order that let it begin, or be done with
 * @param lastSuccess when its last machine so far succeeded
 * @param durations how long the attempts of its machines took
 */
public record WaveStatus(
        WaveKey key,
        long campaignUid,
        @Nullable Integer bound,
        @Nullable Instant opened,
        @Nullable String approvedBy,
        @Nullable Instant lastSuccess,
        @Nullable Instant closed,
        List<Durations> durations)
        implements Row {
    public WaveStatus {
        durations = List.copyOf(durations);
    }

    /** Of a wave about which nothing has been decided yet. */
    public static WaveStatus of(WaveKey key, long campaignUid) {
        return new WaveStatus(key, campaignUid, null, null, null, null, null, List.of());
    }

    public WaveStatus boundTo(@Nullable Integer share) {
        return new WaveStatus(key, campaignUid, share, opened, approvedBy, lastSuccess, closed, durations);
    }

    public WaveStatus openedAt(Instant at) {
        return new WaveStatus(key, campaignUid, bound, at, approvedBy, lastSuccess, closed, durations);
    }

    public WaveStatus approvedBy(@Nullable String order) {
        return new WaveStatus(key, campaignUid, bound, opened, order, lastSuccess, closed, durations);
    }

    public WaveStatus closedAt(Instant at) {
        return new WaveStatus(key, campaignUid, bound, opened, approvedBy, lastSuccess, at, durations);
    }

    /** With one more success, and how long attempts took now. */
    public WaveStatus succeededAt(Instant at, List<Durations> took) {
        return new WaveStatus(key, campaignUid, bound, opened, approvedBy, at, closed, took);
    }

    @Override
    public RowKey at() {
        return new RowKey(Table.CAMPAIGN_STATUS, key);
    }
}
