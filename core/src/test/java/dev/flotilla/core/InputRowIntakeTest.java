package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.EntityKey;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RejectedRecordKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.SiteStatus;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.UpgradePolicy.CampaignRule;
import dev.flotilla.schemas.row.UpgradePolicy.IntentRule;
import dev.flotilla.schemas.row.UpgradePolicy.RequiredApproval;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How rows are handled that say nothing new, refer to something unknown, or do not belong to their table. */
class InputRowIntakeTest {
    private static final SiteId WEST = new SiteId("west");
    private static final CampaignName UP = new CampaignName("up");

    private final FleetScenario fleetScenario = FleetScenario.open();

    @BeforeEach
    void aMachine() {
        fleetScenario.cluster("a", 0, 1);
    }

    private void leavesNoTrace(RowChange rowChange) {
        int before = fleetScenario.decisions.size();
        long hash = fleetScenario.state.hash();
        fleetScenario.receive(rowChange);
        assertThat(fleetScenario.decisions).hasSize(before);
        assertThat(fleetScenario.state.hash()).isEqualTo(hash);
    }

    static Stream<RowKey> placesOfNothing() {
        MachineKey machine = new MachineKey(WEST, "default", "m");
        return Stream.of(
                new RowKey(Table.INVENTORY, machine),
                new RowKey(Table.INVENTORY, new ClusterKey(WEST, "default", "c")),
                new RowKey(Table.INVENTORY, WEST),
                new RowKey(Table.INTENTS, machine),
                new RowKey(Table.PROGRESS, machine),
                new RowKey(Table.POLICIES, WEST),
                new RowKey(Table.CAMPAIGNS, UP),
                new RowKey(Table.ORDERS, new OperatorOrderKey.RetryQuarantined(UP)),
                new RowKey(Table.FREEZES, new OperatorOrderKey.FreezeFleet()));
    }

    @ParameterizedTest
    @MethodSource("placesOfNothing")
    void aTombstoneOfAnUnknownKeyChangesNothing(RowKey place) {
        leavesNoTrace(new Tombstone(place));
    }

    @Test
    void aTombstoneOfAReportChangesNothing() {
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        leavesNoTrace(new Tombstone(new RowKey(Table.PROGRESS, FleetScenario.machine("a-w-0"))));
    }

    @Test
    void aKnownRowChangesNothing() {
        UpgradePolicy policy = FleetScenario.policy(FleetScope.FLEET, new CountOrPercent.Count(3));
        fleetScenario.receive(policy);
        leavesNoTrace(policy);
        leavesNoTrace(new ClusterRow(
                new ClusterKey(FleetScenario.SITE, "default", "a"), "uid-a", Labels.NONE, false, false, null, 0, 1));
    }

    @Test
    void aKnownIntentChangesNothingWhileItIsAllowed() {
        fleetScenario.requestUpgrade(FleetScenario.machine("a-w-0"), "channel=1.34-classic/stable");
        RowChange asked = fleetScenario.rows.get(new RowKey(Table.INTENTS, FleetScenario.machine("a-w-0")));
        leavesNoTrace(asked);
        fleetScenario.receive(FleetScenario.policy(FleetScope.FLEET, null)
                .withCalendar(
                        UpgradePolicy.MaintenanceCalendar.NONE,
                        IntentRule.DEFAULT.withTargetPatterns(List.of("channel=1.33-*"))));
        fleetScenario.receive(asked);
        assertThat(fleetScenario.onlyRejection().problem())
                .isEqualTo("the policy allows annotations only the targets channel=1.33-* (intents.targets)");
    }

    @Test
    void aSiteWithoutItsHeartbeatRowIsSilent() {
        fleetScenario.receive(new Tombstone(new RowKey(Table.INVENTORY, FleetScenario.SITE)));
        assertThat(fleetScenario.decisions.getLast().event()).isEqualTo(DecisionEvent.INVENTORY_CHANGED);
        assertThat(fleetScenario.decisions.getLast().reason()).isEqualTo("deleted");
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        assertThat(fleetScenario.closed("a-w-0")).containsExactly(GateLabel.SITE_SILENT);
    }

    @Test
    void rejectsTheOrchestratorsOwnRowsAsInput() {
        assertThatThrownBy(() -> fleetScenario.receive(SiteStatus.of(FleetScenario.SITE)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("not an input: ");
        assertThatThrownBy(() -> fleetScenario.receive(new Tombstone(new RowKey(Table.STATUS, FleetScenario.SITE))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("not an input: ");
    }

    @Test
    void rejectsAnEditOfAFinishedCampaign() {
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        fleetScenario.succeed("a-w-0");
        fleetScenario.campaign(CampaignBuilder.named("up").priority(3).build());
        assertThat(fleetScenario.onlyRejection().problem())
                .isEqualTo("the campaign is completed: use another name, or delete this campaign first");
        assertThat(fleetScenario.onlyRejection().value()).isEqualTo("up");
        assertThat(fleetScenario.campaignStatus("up").acceptedCampaign().spec().priority())
                .isZero();
    }

    @Test
    void aRejectedCampaignIsRemovedWithItsRow() {
        Campaign refused = CampaignBuilder.named("up").basedOn("none").build();
        fleetScenario.campaign(refused);
        assertThat(fleetScenario.onlyRejection().path()).isEqualTo("spec.expectedContentHash");
        fleetScenario.receive(new Tombstone(refused.rowKey()));
        assertThat(fleetScenario.events()).last().isEqualTo(DecisionEvent.CAMPAIGN_REMOVED);
        assertThat(fleetScenario.state.campaign(UP)).isNull();
        leavesNoTrace(new Tombstone(refused.rowKey()));
    }

    @Test
    void rejectsACampaignWithoutTheRequiredApproval() {
        fleetScenario.receive(FleetScenario.policy(FleetScope.FLEET, null)
                .with(new CampaignRule(RequiredApproval.AFTER_FIRST_WAVE, null, List.of())));
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        assertThat(fleetScenario.onlyRejection().problem())
                .isEqualTo("the fleet's policy requires an approval after the first wave: set its approval to after, or"
                        + " the second wave's to before (campaigns.requireApproval)");
        assertThat(fleetScenario.onlyRejection().path()).isEqualTo("spec.waves");
        assertThat(fleetScenario.onlyRejection().value()).isEqualTo("all");
    }

    static Stream<OperatorOrderKey> allOrders() {
        return Stream.of(
                new OperatorOrderKey.SetCampaignState(UP),
                new OperatorOrderKey.ApproveWave(UP, "all"),
                new OperatorOrderKey.ApproveOverlap(UP),
                new OperatorOrderKey.SkipMachine(UP, FleetScenario.machine("a-w-0")),
                new OperatorOrderKey.RetryQuarantined(UP),
                new OperatorOrderKey.FreezeFleet(),
                new OperatorOrderKey.FreezeSite(FleetScenario.SITE),
                new OperatorOrderKey.AcceptMassRemoval(FleetScenario.SITE),
                new OperatorOrderKey.WriteOffSite(FleetScenario.SITE),
                new OperatorOrderKey.AdoptSiteTopics(FleetScenario.SITE),
                new OperatorOrderKey.AdoptFleetTopics());
    }

    private static List<OperatorOrder.OrderVerb> verbs(EntityKey key) {
        return switch ((OperatorOrderKey) key) {
            case OperatorOrderKey.SetCampaignState state ->
                List.of(OperatorOrder.OrderVerb.RUN, OperatorOrder.OrderVerb.PAUSE, OperatorOrder.OrderVerb.ABORT);
            case OperatorOrderKey.ApproveWave approve -> List.of(OperatorOrder.OrderVerb.APPROVE);
            case OperatorOrderKey.ApproveOverlap overlap -> List.of(OperatorOrder.OrderVerb.APPROVE);
            case OperatorOrderKey.SkipMachine skip -> List.of(OperatorOrder.OrderVerb.SKIP);
            case OperatorOrderKey.RetryQuarantined retry -> List.of(OperatorOrder.OrderVerb.RETRY);
            case OperatorOrderKey.FreezeFleet fleet ->
                List.of(OperatorOrder.OrderVerb.FREEZE, OperatorOrder.OrderVerb.UNFREEZE);
            case OperatorOrderKey.FreezeSite site ->
                List.of(OperatorOrder.OrderVerb.FREEZE, OperatorOrder.OrderVerb.UNFREEZE);
            case OperatorOrderKey.AcceptMassRemoval removal -> List.of(OperatorOrder.OrderVerb.ACCEPT_REMOVAL);
            case OperatorOrderKey.WriteOffSite off -> List.of(OperatorOrder.OrderVerb.WRITE_OFF);
            case OperatorOrderKey.AdoptSiteTopics site -> List.of(OperatorOrder.OrderVerb.ADOPT);
            case OperatorOrderKey.AdoptFleetTopics fleet -> List.of(OperatorOrder.OrderVerb.ADOPT);
        };
    }

    @ParameterizedTest
    @MethodSource("allOrders")
    void acceptsOnlyTheVerbsOfAnOrderKey(OperatorOrderKey key) {
        for (OperatorOrder.OrderVerb verb : OperatorOrder.OrderVerb.values()) {
            FleetScenario fresh = FleetScenario.open();
            fresh.cluster("a", 0, 1);
            fresh.campaign(CampaignBuilder.named("up").build());
            fresh.order(key, verb);
            boolean says = fresh.rejected().stream()
                    .anyMatch(row -> row.path().equals("verb")
                            && row.problem().equals("an order under " + key + " cannot have the verb " + verb.label()));
            assertThat(says)
                    .as("%s under %s", verb, key)
                    .isNotEqualTo(verbs(key).contains(verb));
        }
    }

    @Test
    void recordsAnAdoptionOfTheFleetsTopics() {
        fleetScenario.order(new OperatorOrderKey.AdoptFleetTopics(), OperatorOrder.OrderVerb.ADOPT);
        assertThat(fleetScenario.events()).last().isEqualTo(DecisionEvent.ORDER_APPLIED);
        assertThat(fleetScenario.decisions.getLast().reason()).isEqualTo("adopt by ada: test");
    }

    @Test
    void rejectsAnOrderForAMissingCampaignOrAnotherUid() {
        fleetScenario.receive(new OperatorOrder(
                new OperatorOrderKey.RetryQuarantined(UP), "1", "ada", "test", 7L, OperatorOrder.OrderVerb.RETRY));
        assertThat(fleetScenario.onlyRejection().reason()).isEqualTo(RejectionReason.WRONG_CAMPAIGN);
        assertThat(fleetScenario.onlyRejection().problem()).isEqualTo("there is no campaign up");
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        long uid = fleetScenario.uid(UP);
        for (Long other : new Long[] {null, uid - 1, uid + 1}) {
            fleetScenario.receive(new OperatorOrder(
                    new OperatorOrderKey.RetryQuarantined(UP),
                    "1",
                    "ada",
                    "test",
                    other,
                    OperatorOrder.OrderVerb.RETRY));
            assertThat(fleetScenario.onlyRejection().problem()).isEqualTo("campaign up has the uid " + uid);
        }
        assertThat(fleetScenario.campaignStatus("up").retriedBeforeSeq()).isZero();
    }

    @Test
    void rejectsAnOrderForAFinishedCampaign() {
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        fleetScenario.order(new OperatorOrderKey.SetCampaignState(UP), OperatorOrder.OrderVerb.ABORT);
        fleetScenario.order(new OperatorOrderKey.SetCampaignState(UP), OperatorOrder.OrderVerb.RUN);
        assertThat(fleetScenario.onlyRejection().problem()).isEqualTo("campaign up is aborted");
        assertThat(fleetScenario.campaignStatus("up").state()).isEqualTo(CampaignState.ABORTED);
    }

    @Test
    void aParkedRecordIsListedDespiteTheLimit() {
        for (int i = 0; i < 300; i++) {
            fleetScenario.makeUnreadable("flotilla.inventory.north", "machine/default/m" + i);
        }
        int told = fleetScenario.rejected().size();
        RejectedRecord first = fleetScenario.rejected().get(0);
        fleetScenario.decide(new DecisionInput.RecordUnreadable(
                new RejectedRecord(
                        new RejectedRecordKey("flotilla.inventory.north", 0, "machine/default/x"),
                        9,
                        RejectionReason.CANNOT_BE_DECIDED,
                        "",
                        "?",
                        "a bug",
                        fleetScenario.now),
                fleetScenario.now));
        assertThat(fleetScenario.rejected()).hasSize(told + 1);
        RejectedRecord again = new RejectedRecord(
                first.key(), first.offset() + 1, first.reason(), "", "?", "still not JSON", fleetScenario.now);
        fleetScenario.decide(new DecisionInput.RecordUnreadable(again, fleetScenario.now));
        assertThat(fleetScenario.rejected()).hasSize(told + 1).contains(again);
    }

    @Test
    void parksOnlyMachinesObjectsSitesAndCampaigns() {
        assertThatThrownBy(() -> fleetScenario.decide(new DecisionInput.SubjectParked(
                        new OperatorOrderKey.FreezeFleet(), "a bug", fleetScenario.now)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("no due work is about ");
    }
}
