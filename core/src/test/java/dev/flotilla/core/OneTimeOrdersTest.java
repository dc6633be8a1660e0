package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.OperatorOrder.OrderVerb;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.Tombstone;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An order that is not declarative is applied once, by its id, however often it is written. */
class OneTimeOrdersTest {
    private static final CampaignName UP = new CampaignName("up");

    private final FleetScenario fleetScenario = FleetScenario.open();

    @BeforeEach
    void aCampaignWithManyMachines() {
        fleetScenario.cap(1);
        fleetScenario.cluster("a", 0, 9);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
    }

    static Stream<OperatorOrder> orders() {
        return Stream.of(
                order(new OperatorOrderKey.SkipMachine(UP, FleetScenario.machine("a-w-1")), OrderVerb.SKIP, "ada"),
                order(new OperatorOrderKey.RetryQuarantined(UP), OrderVerb.RETRY, "ada"),
                order(new OperatorOrderKey.AcceptMassRemoval(FleetScenario.SITE), OrderVerb.ACCEPT_REMOVAL, "ada"),
                order(new OperatorOrderKey.WriteOffSite(FleetScenario.SITE), OrderVerb.WRITE_OFF, "ada"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("orders")
    void theSameOrderAgainChangesNothing(OperatorOrder order) {
        fleetScenario.receive(of(order, "once", "ada"));
        int before = fleetScenario.decisions.size();
        fleetScenario.receive(of(order, "once", "ada"));
        assertThat(fleetScenario.decisions).hasSize(before);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("orders")
    void rejectsAnotherOrderWithAKnownId(OperatorOrder order) {
        fleetScenario.receive(of(order, "once", "ada"));
        int before = fleetScenario.decisions.size();
        OperatorOrder other = of(order, "once", "grace");
        fleetScenario.receive(other);
        fleetScenario.receive(other);
        assertThat(fleetScenario.state.orders().get(order.key()))
                .as("the row in the table")
                .isEqualTo(other);
        assertThat(fleetScenario.decisions.subList(before, fleetScenario.decisions.size()))
                .allSatisfy(said -> {
                    assertThat(said.event()).isEqualTo(DecisionEvent.REJECTED);
                    assertThat(said.reason()).contains("once").contains("new id");
                    assertThat(said.changes()).hasAtLeastOneElementOfType(RejectedRecord.class);
                });
        fleetScenario.receive(of(order, "another", "grace"));
        assertThat(fleetScenario.rows.values()).noneMatch(RejectedRecord.class::isInstance);
    }

    /** The row is deleted, so it is unknown whether the order is the same. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("orders")
    void anOrderWithAKnownIdAfterATombstoneIsNotApplied(OperatorOrder order) {
        fleetScenario.receive(of(order, "once", "ada"));
        fleetScenario.receive(new Tombstone(order.rowKey()));
        int before = fleetScenario.decisions.size();
        fleetScenario.receive(of(order, "once", "ada"));
        assertThat(fleetScenario.decisions.subList(before, fleetScenario.decisions.size()))
                .noneMatch(said -> said.event() == DecisionEvent.ORDER_APPLIED);
    }

    static Stream<OperatorOrder> ordersForAnUnknownSite() {
        SiteId unknown = new SiteId("nroth");
        return Stream.of(
                order(new OperatorOrderKey.AcceptMassRemoval(unknown), OrderVerb.ACCEPT_REMOVAL, "ada"),
                order(new OperatorOrderKey.WriteOffSite(unknown), OrderVerb.WRITE_OFF, "ada"),
                order(new OperatorOrderKey.AdoptSiteTopics(unknown), OrderVerb.ADOPT, "ada"));
    }

    /** A site that does not exist has no topics: no leader could commit a row of it, nor decide on any later input. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("ordersForAnUnknownSite")
    void rejectsAnOrderForAnUnknownSite(OperatorOrder order) {
        fleetScenario.receive(order);
        assertThat(fleetScenario.onlyRejection().problem()).isEqualTo("there is no site nroth");
        assertThat(fleetScenario.rows.keySet()).noneMatch(row -> row.key().equals(new SiteId("nroth")));
    }

    @Test
    void skipsDoNotChangeTheCampaignsRow() {
        CampaignStatus before = fleetScenario.campaignStatus("up");
        for (int i = 1; i < 9; i++) {
            fleetScenario.order(
                    new OperatorOrderKey.SkipMachine(UP, FleetScenario.machine("a-w-" + i)), OrderVerb.SKIP);
            assertThat(fleetScenario.outcome("a-w-" + i)).isEqualTo(MachineOutcome.SKIPPED);
        }
        assertThat(fleetScenario.campaignStatus("up")).isEqualTo(before);
    }

    private static OperatorOrder order(OperatorOrderKey key, OrderVerb verb, String who) {
        return new OperatorOrder(key, "once", who, "test", null, verb);
    }

    private OperatorOrder of(OperatorOrder order, String id, String who) {
        @Nullable Long uid = order.key() instanceof OperatorOrderKey.CampaignOrder ? fleetScenario.uid(UP) : null;
        return new OperatorOrder(order.key(), id, who, order.reason(), uid, order.verb());
    }
}
