package dev.flotilla.orchestrator.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flotilla.runtime.kafka.KafkaFailure;
import dev.flotilla.runtime.kafka.Read;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.Wire;
import dev.flotilla.schemas.row.Fact;
import dev.flotilla.schemas.row.Heartbeat;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.topic.Place;
import dev.flotilla.schemas.topic.Table;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A reader of tables whose topics may become others while it is stopped. */
class FollowerTest {
    private static final SiteId EAST = new SiteId("east");

    private final DecodeAhead ahead = new DecodeAhead();
    private final Follower follower = new Follower(ahead);
    private long offset;

    @AfterEach
    void close() {
        ahead.close();
    }

    /** It was stopped while the site was set aside: nothing else tells that its place in the topics is one in others. */
    @Test
    void doesNotReadOnInTopicsThatWereAdoptedInTheMeantime() {
        follow(SiteHead.of(EAST));
        follow(new Heartbeat(EAST, "uid", "watcher", Instant.EPOCH, 0));
        assertThatThrownBy(() -> follow(SiteHead.of(EAST).adopted("order-1")))
                .isInstanceOfSatisfying(
                        KafkaFailure.class,
                        failure -> assertThat(failure.kind()).isEqualTo(KafkaFailure.Kind.WENT_BACK))
                .hasMessageContaining("the topics of site east were adopted");
    }

    @Test
    void readsASiteThatWasAdoptedBeforeItReadIt() {
        follow(SiteHead.of(EAST));
        follow(SiteHead.of(EAST).adopted("order-1"));
        follow(new Heartbeat(EAST, "uid", "watcher", Instant.EPOCH, 0));
        follow(SiteHead.of(EAST).adopted("order-1").heard(Instant.EPOCH));
        assertThat(follower.siteHeads().get(EAST).silentSince()).isEqualTo(Instant.EPOCH);
    }

    private void follow(Fact fact) {
        Place place = fact instanceof SiteHead ? Place.of(Table.HEAD) : Place.of(Table.INVENTORY, EAST);
        follower.follow(follower.arrivals(List.of(new Read(place, offset++, 0, Wire.encode(fact, 1L)))));
    }
}
