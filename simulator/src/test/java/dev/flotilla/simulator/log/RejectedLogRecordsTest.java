package dev.flotilla.simulator.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.schemas.topic.TopicCatalogue;
import dev.flotilla.simulator.world.VirtualClockScheduler;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Records that the broker rejects. */
class RejectedLogRecordsTest {
    private final SimKafkaLog log = new SimKafkaLog(new VirtualClockScheduler());
    private final List<String> rejections = new ArrayList<>();

    RejectedLogRecordsTest() {
        log.onRejection(rejections::add);
    }

    @Test
    void brokerRejectsARecordAboveTheLimit() {
        log.limits().measureEverything();
        log.append(SampleLogRecords.PLACE, orderBecause("x"));
        log.append(SampleLogRecords.PLACE, orderBecause("x".repeat(TopicCatalogue.MAX_MESSAGE_BYTES)));
        assertThat(SampleLogRecords.all(log)).hasSize(1);
        assertThat(rejections).singleElement().asString().contains("bytes in flotilla.freezes");
    }

    @Test
    void brokerRejectsARecordOfASiteWithoutTopics() {
        log.createSiteTopics(List.of(new SiteId("north")));
        log.append(TablePartition.of(Table.INVENTORY, new SiteId("north")), heartbeat("north", "watcher"));
        log.append(TablePartition.of(Table.INVENTORY, new SiteId("south")), heartbeat("south", "watcher"));
        assertThat(rejections).singleElement().asString().contains("there is no topic of");
    }

    @Test
    void brokerRejectsAnUnreadableRecordWhenEveryRecordIsMeasured() {
        log.limits().measureEverything();
        log.append(TablePartition.of(Table.INVENTORY, new SiteId("north")), heartbeat("north", ""));
        assertThat(rejections).singleElement().asString().contains("watcher");
    }

    private static WatcherHeartbeat heartbeat(String site, String watcher) {
        return new WatcherHeartbeat(new SiteId(site), "uid", watcher, Instant.EPOCH, 0);
    }

    private static OperatorOrder orderBecause(String reason) {
        return new OperatorOrder(
                new OperatorOrderKey.FreezeSite(new SiteId("north")),
                "order-1",
                "me",
                reason,
                null,
                OperatorOrder.OrderVerb.FREEZE);
    }
}
