package dev.flotilla.core.leader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.PartitionOffset;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.topic.TablePartition;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a restore takes from the tables. */
class RestoredTablesTest {
    private static final SiteId EAST = new SiteId("east");
    private static final TablePartition INVENTORY = TablePartition.of(Table.INVENTORY, EAST);

    private final RestoredTables tables = new RestoredTables();

    private record TestRecord(long offset, @Nullable RowChange rowChange) implements InputRecord {
        @Override
        public TablePartition partition() {
            return INVENTORY;
        }

        @Override
        public String writtenKey() {
            return "site";
        }

        @Override
        public long appendedAt() {
            return 1_000 + offset;
        }

        @Override
        public @Nullable RejectedRecord findDefect(Instant at) {
            throw new AssertionError("a restore decides nothing");
        }
    }

    @Test
    void theHeadRowsSayWhichInputsWereDecidedOn() {
        assertThat(tables.applyOwnRow(SiteHead.of(EAST)
                        .withReadPosition(
                                0, List.of(), List.of(new PartitionOffset(Table.INVENTORY, 0, 7)), List.of())))
                .isTrue();
        assertThat(tables.decidedUpTo(INVENTORY)).isEqualTo(7);
        assertThat(tables.applyOwnRow(new Tombstone(new RowKey(Table.HEAD, EAST))))
                .isFalse();
        assertThat(tables.decidedUpTo(INVENTORY)).as("it is read as a new site").isZero();
        assertThat(tables.applyOwnRow(FleetHead.NONE)).isTrue();
    }

    @Test
    void aKeyWhoseNewestRecordIsUnreadableGetsNoRow() {
        tables.applyInputs(List.of(new TestRecord(0, heartbeat("one")), new TestRecord(1, null)));
        assertThat(tables.state().hash()).isEqualTo(new FleetState().hash());
        tables.applyInputs(List.of(new TestRecord(2, null), new TestRecord(3, heartbeat("two"))));
        FleetState expected = new FleetState();
        expected.put(heartbeat("two"));
        assertThat(tables.state().hash()).isEqualTo(expected.hash());
        assertThat(tables.lastHeartbeats()).containsEntry(EAST, 1_003L);
    }

    @Test
    void aFollowedSiteWhoseTopicsWereAdoptedMustBeReadAgain() {
        tables.applyOwnRow(SiteHead.of(EAST));
        tables.applyOwnRow(SiteHead.of(EAST).withAdoption("order-1"));
        assertThat(tables.outdatedSite()).as("nothing was read of it").isNull();
        tables.followSite(EAST);
        tables.applyOwnRow(SiteHead.of(EAST).withAdoption("order-1").withSilentSince(Instant.EPOCH));
        assertThat(tables.outdatedSite()).as("the same topics").isNull();
        tables.applyOwnRow(SiteHead.of(EAST).withAdoption("order-2"));
        assertThat(tables.outdatedSite()).isEqualTo(EAST);
    }

    private static WatcherHeartbeat heartbeat(String watcher) {
        return new WatcherHeartbeat(EAST, watcher, watcher, Instant.EPOCH, 0);
    }
}
