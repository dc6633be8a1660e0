package dev.flotilla.core.leader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.EntityKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RejectedRecordKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.topic.RecordKeyFormat;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.schemas.topic.Topic;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RejectedRecordFactoryTest {
    private static final SiteId SITE = new SiteId("s".repeat(63));
    private static final MachineKey LONGEST =
            new MachineKey(SITE, "n".repeat(63), ("m".repeat(63) + ".").repeat(3) + "m".repeat(61));

    /** An unreadable record blocks the scope of its key, so the rejection row must hold the whole key. */
    @Test
    void keepsTheLongestValidKey() {
        Map<RowKey, Topic> longest = Map.of(
                new RowKey(Table.INVENTORY, LONGEST),
                new Topic(Table.INVENTORY, SITE),
                new RowKey(Table.ORDERS, new OperatorOrderKey.SkipMachine(new CampaignName("c".repeat(63)), LONGEST)),
                Topic.of(Table.ORDERS));
        longest.forEach((row, topic) -> {
            RejectedRecordKey told = keyOf(topic, RecordKeyFormat.print(row));
            EntityKey about = RecordKeyFormat.parse(topic, told.key());
            assertThat(about).isEqualTo(row.key());
            assertThat(RecordKeyFormat.parse(Topic.of(Table.REJECTED), told.toString()))
                    .isEqualTo(told);
        });
    }

    @Test
    void shortensInvalidKeysAndKeepsThemDifferent() {
        Topic topic = Topic.of(Table.CAMPAIGNS);
        RejectedRecordKey one = keyOf(topic, "x".repeat(9_000) + "1");
        RejectedRecordKey other = keyOf(topic, "x".repeat(9_000) + "2");
        assertThat(one).isNotEqualTo(other);
        assertThat(RecordKeyFormat.parse(Topic.of(Table.REJECTED), one.toString()))
                .isEqualTo(one);
    }

    private static RejectedRecordKey keyOf(Topic topic, String key) {
        return RejectedRecordFactory.keyOf(new TablePartition(topic.table(), topic.site(), 0), key);
    }
}
