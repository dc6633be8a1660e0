package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.WaveKey;
import dev.flotilla.schemas.topic.Table;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How far a wave is.
 *
 * @param campaignUid the campaign it belongs to
 * @param approvedBy the id of the order that let it begin
 * @param lastSuccess when its last machine so far succeeded
 */
public record WaveStatus(
        WaveKey key,
        long campaignUid,
        @Nullable Instant opened,
        @Nullable String approvedBy,
        @Nullable Instant lastSuccess,
        @Nullable Instant closed)
        implements Row {
    @Override
    public RowKey at() {
        return new RowKey(Table.CAMPAIGN_STATUS, key);
    }
}
