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
 * @param approvedBy the id of the order that let it begin
 * @param lastSuccess when its last machine so far succeeded
 * @param durations how long the attempts of its machines took
 */
public record WaveStatus(
        WaveKey key,
        long campaignUid,
        @Nullable Instant opened,
        @Nullable String approvedBy,
        @Nullable Instant lastSuccess,
        @Nullable Instant closed,
        List<Durations> durations)
        implements Row {
    public WaveStatus {
        durations = List.copyOf(durations);
    }

    @Override
    public RowKey at() {
        return new RowKey(Table.CAMPAIGN_STATUS, key);
    }
}
