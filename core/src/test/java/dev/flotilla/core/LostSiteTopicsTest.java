package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.PartitionOffset;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.TopicId;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Topics of a site that were created again or lost records stay lost until they are adopted. */
class LostSiteTopicsTest {
    private static final String REASON = "topic flotilla.inventory.north was deleted and created again";

    private final FleetScenario fleetScenario = FleetScenario.open();

    @Test
    void theSiteIsUnreachableWithTheReason() {
        fleetScenario.cluster("c", 0, 1);
        lose(Table.INVENTORY);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        assertThat(fleetScenario.closed("c-w-0")).containsExactly(GateLabel.SITE_UNREACHABLE);
        assertThat(fleetScenario.explain("c-w-0").nextStep()).contains(REASON).contains("flotilla site adopt north");
    }

    @Test
    void lostTopicsStayLostWhenTheSiteIsReachable() {
        lose(Table.INVENTORY);
        fleetScenario.decide(new DecisionInput.SiteReachable(FleetScenario.SITE, fleetScenario.now));
        assertThat(head().unreachableSince()).isNotNull();
        assertThat(head().lostTables()).containsExactly(Table.INVENTORY);
    }

    @Test
    void aSecondLostTopicIsAdded() {
        lose(Table.INVENTORY);
        SiteHead before = head();
        fleetScenario.advance(Duration.ofMinutes(1));
        lose(Table.INVENTORY);
        assertThat(head()).isEqualTo(before);
        lose(Table.PROGRESS);
        assertThat(head().lostTables()).containsExactly(Table.INVENTORY, Table.PROGRESS);
        assertThat(head().unreachableSince()).isEqualTo(before.unreachableSince());
    }

    @Test
    void adoptedTopicsAreReadLikeThoseOfANewSite() {
        SiteHead known = head().withReadPosition(
                        0,
                        List.of(),
                        List.of(new PartitionOffset(Table.PROGRESS, 0, 7)),
                        List.of(new TopicId(Table.PROGRESS, "id")));
        fleetScenario.state.put(known);
        lose(Table.PROGRESS);
        adopt();
        assertThat(head().lostTables()).isEmpty();
        assertThat(head().offsets()).isEmpty();
        assertThat(head().topicIds()).isEmpty();
        assertThat(head().adoptOrderId()).isEqualTo("order-0");
        fleetScenario.decide(new DecisionInput.SiteReachable(FleetScenario.SITE, fleetScenario.now));
        assertThat(head().unreachableSince()).isNull();
        assertThat(head().unreachableReason()).isNull();
    }

    @Test
    void rejectsAnAdoptionWithoutLostTopics() {
        adopt();
        assertThat(fleetScenario.events()).endsWith(DecisionEvent.REJECTED);
        assertThat(head().adoptOrderId()).isNull();
    }

    @Test
    void anAdoptionCoversOnlyEarlierLosses() {
        OperatorOrder order = new OperatorOrder(
                new OperatorOrderKey.AdoptSiteTopics(FleetScenario.SITE),
                "once",
                "ada",
                "",
                null,
                OperatorOrder.OrderVerb.ADOPT);
        lose(Table.PROGRESS);
        fleetScenario.receive(order);
        lose(Table.PROGRESS);
        fleetScenario.receive(order);
        assertThat(head().lostTables()).containsExactly(Table.PROGRESS);
    }

    @Test
    void rejectsAnAdoptionOfALostStatusTopicWithAttemptsInFlight() {
        fleetScenario.cluster("c", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        assertThat(fleetScenario.inFlight()).hasSize(1);
        lose(Table.STATUS);
        adopt();
        assertThat(fleetScenario.events()).endsWith(DecisionEvent.REJECTED);
        assertThat(head().lostTables()).containsExactly(Table.STATUS);
        fleetScenario.order(new OperatorOrderKey.WriteOffSite(FleetScenario.SITE), OperatorOrder.OrderVerb.WRITE_OFF);
        assertThat(fleetScenario.inFlight()).isEmpty();
        adopt();
        assertThat(head().lostTables()).isEmpty();
    }

    @Test
    void rejectsAnAdoptionOfAMissingSite() {
        fleetScenario.order(new OperatorOrderKey.AdoptSiteTopics(new SiteId("nort")), OperatorOrder.OrderVerb.ADOPT);
        assertThat(fleetScenario.events()).endsWith(DecisionEvent.REJECTED);
    }

    private void lose(Table table) {
        fleetScenario.decide(
                new DecisionInput.SiteUnreachable(FleetScenario.SITE, REASON, List.of(table), fleetScenario.now));
    }

    private void adopt() {
        fleetScenario.order(new OperatorOrderKey.AdoptSiteTopics(FleetScenario.SITE), OperatorOrder.OrderVerb.ADOPT);
    }

    private SiteHead head() {
        return (SiteHead) fleetScenario.rows.get(new RowKey(Table.HEAD, FleetScenario.SITE));
    }
}
