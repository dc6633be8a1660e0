package dev.flotilla.campaigncontroller.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kafka.ConsumedRecord;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RejectedRecordKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.json.WireRecordCodec;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.PartitionOffset;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.TableRow;
import dev.flotilla.schemas.row.TopicId;
import dev.flotilla.schemas.topic.RecordKeyFormat;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.schemas.topic.Topic;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What an orchestrator has decided on, by its head row: it decided on the first ten freezes of topic {@code one}. */
class FleetTablesTest {
    private static final RowKey FREEZE = new RowKey(Table.FREEZES, new OperatorOrderKey.FreezeFleet());

    private static FleetTables tables(String topicId) {
        FleetTables tables = new FleetTables(List.of(new TopicId(Table.FREEZES, topicId)));
        add(
                tables,
                new RejectedRecord(
                        new RejectedRecordKey(
                                Topic.of(Table.FREEZES).name(),
                                0,
                                Objects.requireNonNull(RecordKeyFormat.print(FREEZE))),
                        9,
                        RejectionReason.CONTRADICTION,
                        "id",
                        "a",
                        "was already applied",
                        Instant.EPOCH));
        add(
                tables,
                new FleetHead(
                        1,
                        1,
                        Instant.EPOCH,
                        "",
                        FleetHead.FEATURE_LEVEL,
                        true,
                        List.of(new PartitionOffset(Table.FREEZES, 0, 10)),
                        null,
                        List.of(new TopicId(Table.FREEZES, "one"))));
        tables.settle();
        return tables;
    }

    private static void add(FleetTables tables, TableRow row) {
        Table table = row.rowKey().table();
        tables.add(new ConsumedRecord(TablePartition.of(table), 0, 0, WireRecordCodec.encode(row)));
    }

    @Test
    void theHeadNamesTheOffsetsThatAreDecided() {
        FleetTables tables = tables("one");
        assertThat(tables.isDecided(FREEZE, 9)).isTrue();
        assertThat(tables.isDecided(FREEZE, 10)).isFalse();
        assertThat(tables.rejection(FREEZE, 9)).isNotNull();
        assertThat(tables.rejection(FREEZE, 8)).isNull();
    }

    /** Its first offsets are those of other records, on which somebody has decided. */
    @Test
    void nothingIsDecidedInATopicThatWasCreatedAgain() {
        FleetTables tables = tables("two");
        assertThat(tables.isDecided(FREEZE, 9)).isFalse();
        assertThat(tables.rejection(FREEZE, 9)).isNull();
    }
}
