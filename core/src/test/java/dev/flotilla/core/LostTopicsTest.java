package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.PartitionOffset;
import dev.flotilla.schemas.row.OperatorOrder;
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
        assertThat(head().lostTables()).containsExactly(Table.INVENTORY);
    }

    @Test
    void aSecondLostTopicIsAdded() {
        lose(Table.INVENTORY);
        SiteHead before = head();
        scene.pass(Duration.ofMinutes(1));
        lose(Table.INVENTORY);
        assertThat(head()).isEqualTo(before);
        lose(Table.PROGRESS);
        assertThat(head().lostTables()).containsExactly(Table.INVENTORY, Table.PROGRESS);
        assertThat(head().unreachableSince()).isEqualTo(before.unreachableSince());
    }

    @Test
    void adoptedTopicsAreReadAsThoseOfANewSite() {
        SiteHead known = head().withReadPosition(
                        0,
                        List.of(),
                        List.of(new PartitionOffset(Table.PROGRESS, 0, 7)),
                        List.of(new TopicId(Table.PROGRESS, "id")));
        scene.state.put(known);
        lose(Table.PROGRESS);
        adopt();
        assertThat(head().lostTables()).isEmpty();
        assertThat(head().offsets()).isEmpty();
        assertThat(head().topicIds()).isEmpty();
        assertThat(head().adoptOrderId()).isEqualTo("order-0");
        scene.take(new Input.SiteReachable(Scene.SITE, scene.now));
        assertThat(head().unreachableSince()).isNull();
        assertThat(head().unreachableReason()).isNull();
    }

    @Test
    void whatIsNotLostIsNotAdopted() {
        adopt();
        assertThat(scene.events()).endsWith(Event.REJECTED);
        assertThat(head().adoptOrderId()).isNull();
    }

    @Test
    void anOrderToAdoptHoldsForWhatWasLostBeforeIt() {
        OperatorOrder order = new OperatorOrder(new OperatorOrderKey.AdoptSiteTopics(Scene.SITE), "once", "ada", "", null, OperatorOrder.OrderVerb.ADOPT);
        lose(Table.PROGRESS);
        scene.arrive(order);
        lose(Table.PROGRESS);
        scene.arrive(order);
        assertThat(head().lostTables()).containsExactly(Table.PROGRESS);
    }

    @Test
    void attemptsAreNotForgottenWithALostStatusTopic() {
        scene.cluster("c", 0, 1);
        scene.campaign(CampaignBuilder.named("up").build());
        assertThat(scene.inFlight()).hasSize(1);
        lose(Table.STATUS);
        adopt();
        assertThat(scene.events()).endsWith(Event.REJECTED);
        assertThat(head().lostTables()).containsExactly(Table.STATUS);
        scene.order(new OperatorOrderKey.WriteOffSite(Scene.SITE), OperatorOrder.OrderVerb.WRITE_OFF);
        assertThat(scene.inFlight()).isEmpty();
        adopt();
        assertThat(head().lostTables()).isEmpty();
    }

    @Test
    void nobodyAdoptsASiteThatThereIsNot() {
        scene.order(new OperatorOrderKey.AdoptSiteTopics(new SiteId("nort")), OperatorOrder.OrderVerb.ADOPT);
        assertThat(scene.events()).endsWith(Event.REJECTED);
    }

    private void lose(Table table) {
        scene.take(new Input.SiteUnreachable(Scene.SITE, REASON, List.of(table), scene.now));
    }

    private void adopt() {
        scene.order(new OperatorOrderKey.AdoptSiteTopics(Scene.SITE), OperatorOrder.OrderVerb.ADOPT);
    }

    private SiteHead head() {
        return (SiteHead) scene.rows.get(new RowKey(Table.HEAD, Scene.SITE));
    }
}
