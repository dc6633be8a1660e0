package dev.flotilla.simulator.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.schemas.topic.TopicCatalogue;
import dev.flotilla.simulator.world.VirtualClockScheduler;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a broker takes from nobody. */
class RejectedLogRecordsTest {
    private final SimKafkaLog log = new SimKafkaLog(new VirtualClockScheduler());
    private final List<String> refusals = new ArrayList<>();

    RejectedLogRecordsTest() {
        log.onRejection(refusals::add);
    }

    @Test
    void aRecordAboveTheProductsLimitIsRefused() {
        log.limits().measureEverything();
        log.append(SampleLogRecords.PLACE, because("x"));
        log.append(SampleLogRecords.PLACE, because("x".repeat(TopicCatalogue.MAX_MESSAGE_BYTES)));
        assertThat(SampleLogRecords.all(log)).hasSize(1);
        assertThat(refusals).singleElement().asString().contains("bytes in flotilla.freezes");
    }

    @Test
    void aRecordOfASiteThatHasNoTopicsIsRefused() {
        log.createSiteTopics(List.of(new SiteId("north")));
        log.append(TablePartition.of(Table.INVENTORY, new SiteId("north")), heartbeat("north", "watcher"));
        log.append(TablePartition.of(Table.INVENTORY, new SiteId("south")), heartbeat("south", "watcher"));
        assertThat(refusals).singleElement().asString().contains("there is no topic of");
    }

    @Test
    void whereAllIsWeighedARecordThatNobodyCouldReadIsRefused() {
        log.limits().measureEverything();
        log.append(TablePartition.of(Table.INVENTORY, new SiteId("north")), heartbeat("north", ""));
        assertThat(refusals).singleElement().asString().contains("watcher");
    }

    private static WatcherHeartbeat heartbeat(String site, String watcher) {
        return new WatcherHeartbeat(new SiteId(site), "uid", watcher, Instant.EPOCH, 0);
    }

    private static OperatorOrder because(String why) {
        return new OperatorOrder(
                new OperatorOrderKey.FreezeSite(new SiteId("north")),
                "order-1",
                "me",
                why,
                null,
                OperatorOrder.OrderVerb.FREEZE);
    }
}
