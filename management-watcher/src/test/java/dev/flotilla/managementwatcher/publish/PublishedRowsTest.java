package dev.flotilla.managementwatcher.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kafka.ConsumedRecord;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.json.WireRecordCodec;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.topic.TablePartition;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PublishedRowsTest {
    private static final ClusterKey KEY = new ClusterKey(new SiteId("east"), "fleet", "blue");

    private final PublishedRows publishedRows = new PublishedRows();

    @Test
    void keepsTheReasonOfARejectedRowUntilItIsValid() {
        assertThat(publishedRows.encodeIfChanged(in(""))).isNotNull();
        assertThat(publishedRows.unreadableReason(KEY)).contains("timeZone");
        assertThat(publishedRows.encodeIfChanged(in("Europe/Berlin"))).isNotNull();
        assertThat(publishedRows.unreadableReason(KEY)).isNull();
    }

    /** The next watcher would otherwise withhold single removals for ten minutes. */
    @Test
    void doesNotCountRemovalsThatAnOrderAccepted() {
        removeMachine(1, 10);
        apply(heartbeat(1, "order-1"), 20);
        removeMachine(2, 30);
        removeMachine(3, 30);
        apply(heartbeat(0, "order-2"), 30);
        removeMachine(4, 40);
        assertThat(publishedRows.removalTimes()).containsExactly(10L, 40L);
    }

    @Test
    void countsRemovalsThatNoOrderAccepted() {
        apply(heartbeat(0, null), 10);
        removeMachine(1, 20);
        apply(heartbeat(0, "order-1"), 30);
        removeMachine(2, 40);
        apply(heartbeat(1, "order-1"), 50);
        removeMachine(3, 60);
        apply(heartbeat(0, "order-1"), 70);
        assertThat(publishedRows.removalTimes())
                .as("nothing withheld; nothing withheld; no new order")
                .containsExactly(20L, 40L, 60L);
    }

    private void removeMachine(int number, long at) {
        MachineRow row = new MachineRow(
                new MachineKey(KEY.site(), "fleet", "m-" + number),
                "u",
                "blue",
                null,
                MachineRole.WORKER,
                Labels.NONE,
                "m-" + number,
                null,
                null,
                true,
                false,
                false,
                false,
                false,
                null,
                null,
                null,
                "amd64",
                List.of());
        apply(row, at);
        assertThat(publishedRows.hasRow(row.key())).isTrue();
        apply(new Tombstone(row.rowKey()), at);
    }

    private static WatcherHeartbeat heartbeat(int withheld, @Nullable String appliedOrder) {
        return new WatcherHeartbeat(KEY.site(), "uid", "watcher-1", Instant.EPOCH, withheld, null, null, appliedOrder);
    }

    private void apply(RowChange rowChange, long at) {
        publishedRows.applyRecord(new ConsumedRecord(
                TablePartition.of(Table.INVENTORY, KEY.site()), 0, at, WireRecordCodec.encode(rowChange)));
    }

    private static ClusterRow in(@Nullable String zone) {
        return new ClusterRow(KEY, "u", Labels.NONE, false, false, zone, 3, 2);
    }
}
