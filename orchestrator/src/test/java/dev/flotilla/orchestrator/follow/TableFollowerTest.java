package dev.flotilla.orchestrator.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flotilla.kafka.ConsumedRecord;
import dev.flotilla.kafka.KafkaFailure;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.json.WireRecordCodec;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.topic.TablePartition;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests a follower of tables whose topics are replaced while it does not read. */
class TableFollowerTest {
    private static final SiteId EAST = new SiteId("east");

    private final DecodeAheadThread ahead = new DecodeAheadThread();
    private final TableFollower tableFollower = new TableFollower(ahead);
    private long offset;

    @AfterEach
    void close() {
        ahead.close();
    }

    /**
     * The follower did not read while the site was suspended: nothing else shows that its position is in the old
     * topics.
     */
    @Test
    void failsWhenTopicsWereAdoptedInTheMeantime() {
        follow(SiteHead.of(EAST));
        follow(new WatcherHeartbeat(EAST, "uid", "watcher", Instant.EPOCH, 0));
        assertThatThrownBy(() -> follow(SiteHead.of(EAST).withAdoption("order-1")))
                .isInstanceOfSatisfying(
                        KafkaFailure.class,
                        failure -> assertThat(failure.kind()).isEqualTo(KafkaFailure.Kind.RECORDS_LOST))
                .hasMessageContaining("the topics of site east were adopted");
    }

    @Test
    void readsASiteThatWasAdoptedBefore() {
        follow(SiteHead.of(EAST));
        follow(SiteHead.of(EAST).withAdoption("order-1"));
        follow(new WatcherHeartbeat(EAST, "uid", "watcher", Instant.EPOCH, 0));
        follow(SiteHead.of(EAST).withAdoption("order-1").withSilentSince(Instant.EPOCH));
        assertThat(tableFollower.siteHeads().get(EAST).silentSince()).isEqualTo(Instant.EPOCH);
    }

    private void follow(RowChange rowChange) {
        TablePartition tablePartition = rowChange instanceof SiteHead
                ? TablePartition.of(Table.HEAD)
                : TablePartition.of(Table.INVENTORY, EAST);
        tableFollower.applyRecords(tableFollower.decodeRecords(
                List.of(new ConsumedRecord(tablePartition, offset++, 0, WireRecordCodec.encode(rowChange, 1L)))));
    }
}
