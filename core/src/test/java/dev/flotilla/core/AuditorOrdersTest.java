package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.OperatorOrder.OrderVerb;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.Tombstone;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The auditor can only freeze the fleet, on a table of its own. Nobody can give other orders in its name. */
class AuditorOrdersTest {
    private static final CampaignName UP = new CampaignName("up");

    private final FleetScenario fleetScenario = FleetScenario.open();

    @BeforeEach
    void oneMachineAtWorkAndOneThatWaits() {
        fleetScenario.cap(1);
        fleetScenario.cluster("a", 0, 2);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        assertThat(fleetScenario.inFlight()).hasSize(1);
    }

    static Stream<Arguments> everythingElse() {
        return Stream.of(
                Arguments.of(new OperatorOrderKey.SetCampaignState(UP), OrderVerb.RUN),
                Arguments.of(new OperatorOrderKey.SetCampaignState(UP), OrderVerb.PAUSE),
                Arguments.of(new OperatorOrderKey.SetCampaignState(UP), OrderVerb.ABORT),
                Arguments.of(new OperatorOrderKey.ApproveWave(UP, "all"), OrderVerb.APPROVE),
                Arguments.of(new OperatorOrderKey.ApproveOverlap(UP), OrderVerb.APPROVE),
                Arguments.of(new OperatorOrderKey.SkipMachine(UP, FleetScenario.machine("a-w-1")), OrderVerb.SKIP),
                Arguments.of(new OperatorOrderKey.RetryQuarantined(UP), OrderVerb.RETRY),
                Arguments.of(new OperatorOrderKey.FreezeFleet(), OrderVerb.UNFREEZE),
                Arguments.of(new OperatorOrderKey.FreezeSite(FleetScenario.SITE), OrderVerb.FREEZE),
                Arguments.of(new OperatorOrderKey.FreezeSite(FleetScenario.SITE), OrderVerb.UNFREEZE),
                Arguments.of(new OperatorOrderKey.AcceptMassRemoval(FleetScenario.SITE), OrderVerb.ACCEPT_REMOVAL),
                Arguments.of(new OperatorOrderKey.WriteOffSite(FleetScenario.SITE), OrderVerb.WRITE_OFF));
    }

    @ParameterizedTest(name = "{1} under {0}")
    @MethodSource("everythingElse")
    void rejectsOtherOrdersOfTheAuditor(OperatorOrderKey key, OrderVerb verb) {
        order(key, verb, OperatorOrder.AUDITOR);
        RejectedRecord row = rejected();
        assertThat(row).isNotNull();
        assertThat(row.key().key()).isEqualTo(key.toString());
        assertThat(row.reason()).isEqualTo(RejectionReason.CONTRADICTION);
        assertThat(row.path()).isEqualTo("requestedBy");
        assertThat(row.value()).isEqualTo("auditor");
        assertThat(row.problem())
                .contains("only topic flotilla.auditor-orders accepts orders of the auditor")
                .contains(verb.label());
        assertThat(fleetScenario.campaignStatus("up").state()).isEqualTo(CampaignState.RUNNING);
        assertThat(fleetScenario.campaignStatus("up").appliedOrders()).isEmpty();
        assertThat(fleetScenario.status("a-w-1"))
                .as("the waiting machine still waits")
                .isNull();
    }

    @ParameterizedTest(name = "{1} under {0}")
    @MethodSource("everythingElse")
    void acceptsOtherOrdersOfAPerson(OperatorOrderKey key, OrderVerb verb) {
        order(key, verb, "ada");
        RejectedRecord row = rejected();
        assertThat(row == null || !row.path().equals("requestedBy"))
                .as("rejected because of its author")
                .isTrue();
    }

    @Test
    void freezesTheFleetAndRevokesLeases() {
        auditorFreezes("auditor-7");
        assertThat(rejected()).isNull();
        assertThat(fleetScenario.attempt("a-w-0").cancelled()).isTrue();
        assertThat(fleetScenario.closed("a-w-1")).contains(GateLabel.FREEZE);
        assertThat(fleetScenario.explain("a-w-1").toString()).contains("by the order auditor-7 of auditor: caps");
    }

    @Test
    void isLiftedByAnUnfreezeThatNamesIt() {
        auditorFreezes("auditor-7");
        unfreeze("not-the-auditors");
        assertThat(fleetScenario.closed("a-w-1")).contains(GateLabel.FREEZE);
        unfreeze("auditor-7");
        assertThat(fleetScenario.closed("a-w-1")).doesNotContain(GateLabel.FREEZE);
        assertThat(rejected()).isNull();
        auditorFreezes("auditor-9");
        assertThat(fleetScenario.closed("a-w-1")).as("another freeze").contains(GateLabel.FREEZE);
    }

    @Test
    void isNotLiftedByAnUnfreezeThatNamesNoFreeze() {
        auditorFreezes("auditor-7");
        unfreeze("auditor-7");
        order(new OperatorOrderKey.FreezeFleet(), OrderVerb.FREEZE, "ada");
        order(new OperatorOrderKey.FreezeFleet(), OrderVerb.UNFREEZE, "ada");
        assertThat(fleetScenario.closed("a-w-1")).contains(GateLabel.FREEZE);
    }

    @Test
    void isNotLiftedByATombstone() {
        auditorFreezes("auditor-7");
        fleetScenario.receive(new Tombstone(new RowKey(Table.AUDITOR_ORDERS, new OperatorOrderKey.FreezeFleet())));
        assertThat(fleetScenario.closed("a-w-1")).contains(GateLabel.FREEZE);
        assertThat(rejected()).isNotNull();
        unfreeze("auditor-7");
        assertThat(fleetScenario.closed("a-w-1")).doesNotContain(GateLabel.FREEZE);
    }

    @Test
    void closesTheFleetWhenItIsUnreadable() {
        fleetScenario.makeUnreadable("flotilla.auditor-orders", "fleet/freeze");
        assertThat(fleetScenario.closed("a-w-1")).contains(GateLabel.REJECTED_INPUT);
        assertThat(fleetScenario.explain("a-w-1").toString()).contains("flotilla.auditor-orders");
    }

    @Test
    void doesNotLiftAFreezeOfAPerson() {
        order(new OperatorOrderKey.FreezeFleet(), OrderVerb.FREEZE, "ada");
        order(new OperatorOrderKey.FreezeFleet(), OrderVerb.UNFREEZE, OperatorOrder.AUDITOR);
        assertThat(fleetScenario.closed("a-w-1")).contains(GateLabel.FREEZE);
        order(new OperatorOrderKey.FreezeFleet(), OrderVerb.UNFREEZE, "ada");
        assertThat(fleetScenario.closed("a-w-1")).doesNotContain(GateLabel.FREEZE);
        assertThat(rejected()).as("a readable order replaced it").isNull();
    }

    private void auditorFreezes(String id) {
        fleetScenario.receive(new OperatorOrder(
                        new OperatorOrderKey.FreezeFleet(), id, OperatorOrder.AUDITOR, "caps", null, OrderVerb.FREEZE)
                .withTable(Table.AUDITOR_ORDERS));
    }

    private void unfreeze(String lifts) {
        fleetScenario.receive(new OperatorOrder(
                        new OperatorOrderKey.FreezeFleet(), "u-" + lifts, "ada", "read it", null, OrderVerb.UNFREEZE)
                .withLiftedFreezes(List.of(lifts)));
    }

    private void order(OperatorOrderKey key, OrderVerb verb, String who) {
        Long uid = key instanceof OperatorOrderKey.CampaignOrder of ? fleetScenario.uid(of.campaign()) : null;
        fleetScenario.receive(new OperatorOrder(key, "by-" + who + "-" + verb.label(), who, "a test", uid, verb));
    }

    private @Nullable RejectedRecord rejected() {
        return fleetScenario.rows.values().stream()
                .filter(RejectedRecord.class::isInstance)
                .map(RejectedRecord.class::cast)
                .findFirst()
                .orElse(null);
    }
}
