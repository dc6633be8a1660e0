package dev.flotilla.simulator.log;

import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.topic.TablePartition;
import java.util.List;

/** Small rows to write, and what a reader gets as text: {@code north=1}, or {@code north=} for a tombstone. */
final class SampleLogRecords {
    static final TablePartition PLACE = TablePartition.of(Table.FREEZES);

    private SampleLogRecords() {}

    static OperatorOrder row(String site, int value) {
        return new OperatorOrder(
                new OperatorOrderKey.FreezeSite(new SiteId(site)),
                "order-" + value,
                "me",
                "",
                null,
                OperatorOrder.OrderVerb.FREEZE);
    }

    static Tombstone tombstone(String site) {
        return new Tombstone(key(site));
    }

    static RowKey key(String site) {
        return row(site, 0).rowKey();
    }

    static List<String> text(List<SimLogReader.FetchedRecord> fetched) {
        return fetched.stream()
                .map(fetchedRecord -> text(fetchedRecord.logged()))
                .toList();
    }

    /** All records from the beginning of the partition. */
    static List<String> all(SimKafkaLog log) {
        return text(new SimLogReader(log).upTo(PLACE, Long.MAX_VALUE));
    }

    private static String text(SimLogRecord logged) {
        String site = ((OperatorOrderKey.FreezeSite) logged.key().key()).site().name();
        return site + "="
                + (logged.rowChange() instanceof OperatorOrder order
                        ? order.id().substring("order-".length())
                        : "");
    }
}
