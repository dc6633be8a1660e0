package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.OrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.Offset;
import dev.flotilla.schemas.row.Order;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.TopicId;
import dev.flotilla.schemas.topic.Table;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Topics of a site that were created again or lost records stay lost until somebody adopts them. */
class LostTopicsTest {
    private static final String REASON = "topic flotilla.inventory.north was deleted and created again";

    private final Scene scene = Scene.open();

    @Test
    void theSiteIsSetAsideWithTheReason() {
        scene.cluster("c", 0, 1);
        lose(Table.INVENTORY);
        scene.campaign(CampaignBuilder.named("up").build());
        assertThat(scene.closed("c-w-0")).containsExactly(GateLabel.SITE_UNREACHABLE);
        assertThat(scene.explain("c-w-0").next()).contains(REASON).contains("site/north/adopt");
    }

    @Test
    void theyStayLostWhateverTheBrokersSay() {
        lose(Table.INVENTORY);
        scene.take(new Input.SiteReachable(Scene.SITE, scene.now));
        assertThat(head().unreachableSince()).isNotNull();
        assertThat(head().lost()).containsExactly(Table.INVENTORY);
    }

    @Test
    void aSecondLostTopicIsAdded() {
        lose(Table.INVENTORY);
        SiteHead before = head();
        scene.pass(Duration.ofMinutes(1));
        lose(Table.INVENTORY);
        assertThat(head()).isEqualTo(before);
        lose(Table.PROGRESS);
        assertThat(head().lost()).containsExactly(Table.INVENTORY, Table.PROGRESS);
        assertThat(head().unreachableSince()).isEqualTo(before.unreachableSince());
    }

    @Test
    void adoptedTopicsAreReadAsThoseOfANewSite() {
        SiteHead known = head().stamped(
                        0,
                        List.of(),
                        List.of(new Offset(Table.PROGRESS, 0, 7)),
                        List.of(new TopicId(Table.PROGRESS, "id")));
        scene.state.put(known);
        lose(Table.PROGRESS);
        adopt();
        assertThat(head().lost()).isEmpty();
        assertThat(head().offsets()).isEmpty();
        assertThat(head().topics()).isEmpty();
        assertThat(head().adoptOrder()).isEqualTo("order-0");
        scene.take(new Input.SiteReachable(Scene.SITE, scene.now));
        assertThat(head().unreachableSince()).isNull();
        assertThat(head().unreachableReason()).isNull();
    }

    @Test
    void whatIsNotLostIsNotAdopted() {
        adopt();
        assertThat(scene.events()).endsWith(Event.REJECTED);
        assertThat(head().adoptOrder()).isNull();
    }

    @Test
    void anOrderToAdoptHoldsForWhatWasLostBeforeIt() {
        Order order = new Order(new OrderKey.AdoptSite(Scene.SITE), "once", "ada", "", null, Order.Verb.ADOPT);
        lose(Table.PROGRESS);
        scene.arrive(order);
        lose(Table.PROGRESS);
        scene.arrive(order);
        assertThat(head().lost()).containsExactly(Table.PROGRESS);
    }

    @Test
    void attemptsAreNotForgottenWithALostStatusTopic() {
        scene.cluster("c", 0, 1);
        scene.campaign(CampaignBuilder.named("up").build());
        assertThat(scene.inFlight()).hasSize(1);
        lose(Table.STATUS);
        adopt();
        assertThat(scene.events()).endsWith(Event.REJECTED);
        assertThat(head().lost()).containsExactly(Table.STATUS);
        scene.order(new OrderKey.WriteOff(Scene.SITE), Order.Verb.WRITE_OFF);
        assertThat(scene.inFlight()).isEmpty();
        adopt();
        assertThat(head().lost()).isEmpty();
    }

    @Test
    void nobodyAdoptsASiteThatThereIsNot() {
        scene.order(new OrderKey.AdoptSite(new SiteId("nort")), Order.Verb.ADOPT);
        assertThat(scene.events()).endsWith(Event.REJECTED);
    }

    private void lose(Table table) {
        scene.take(new Input.SiteUnreachable(Scene.SITE, REASON, List.of(table), scene.now));
    }

    private void adopt() {
        scene.order(new OrderKey.AdoptSite(Scene.SITE), Order.Verb.ADOPT);
    }

    private SiteHead head() {
        return (SiteHead) scene.rows.get(new RowKey(Table.HEAD, Scene.SITE));
    }
}
