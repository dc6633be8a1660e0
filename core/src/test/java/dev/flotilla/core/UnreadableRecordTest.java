package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.RejectedRecordKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineSelection;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.topic.Topic;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Unreadable records close their scope and never open anything; a readable record opens it again. */
class UnreadableRecordTest {
    private final FleetScenario fleetScenario = FleetScenario.open();

    @Test
    void anUnreadableHeartbeatKeepsAValidWatcher() {
        RejectedRecordKey key = new RejectedRecordKey("flotilla.inventory.north", 0, "site");
        fleetScenario.makeUnreadable(key.topic(), key.key());
        RejectedRecord rejectedRecord = fleetScenario.state.rejected(key);
        assertThat(rejectedRecord.lastAccepted())
                .isInstanceOfSatisfying(
                        WatcherHeartbeat.class, row -> assertThat(row.watcher()).isNotEmpty());
    }

    @Test
    void anUnreadableFleetPolicyLeavesTheAcceptedOneInForce() {
        fleetScenario.cap(1);
        fleetScenario.makeUnreadable("flotilla.policies", "fleet");
        fleetScenario.cluster("a", 0, 3);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        assertThat(fleetScenario.inFlight()).hasSize(1);
        assertThat(fleetScenario.closed("a-w-1")).containsExactly(GateLabel.FLEET_CAP);
    }

    @Test
    void anUnreadableFleetPolicyWithoutAnAcceptedOneStartsNothing() {
        FleetScenario bare = new FleetScenario();
        bare.site(FleetScenario.SITE);
        bare.makeUnreadable("flotilla.policies", "fleet");
        bare.cluster("a", 0, 1);
        bare.campaign(CampaignBuilder.named("up").build());
        assertThat(bare.closed("a-w-0")).containsExactly(GateLabel.NO_POLICY);
    }

    @Test
    void anUnreadableSitePolicyClosesASiteThatNeverHadOne() {
        fleetScenario.makeUnreadable("flotilla.policies", "north");
        oneWorker();
        assertThat(fleetScenario.closed("a-w-0")).containsExactly(GateLabel.REJECTED_INPUT);
        fleetScenario.receive(FleetScenario.policy(FleetScenario.SITE, new CountOrPercent.Count(5)));
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void anUnreadableSitePolicyLeavesAnAcceptedOneInForce() {
        fleetScenario.receive(FleetScenario.policy(FleetScenario.SITE, new CountOrPercent.Count(5)));
        fleetScenario.makeUnreadable("flotilla.policies", "north");
        oneWorker();
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void anUnreadableFreezeClosesTheFleetAndRevokesLeases() {
        oneWorker();
        fleetScenario.makeUnreadable("flotilla.freezes", "fleet/freeze");
        assertThat(fleetScenario.attempt("a-w-0").cancelled()).isTrue();
        fleetScenario.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.UNFREEZE);
        assertThat(rejected("flotilla.freezes", "fleet/freeze")).isFalse();
    }

    @Test
    void anUnreadableFreezeOnTheFormerTopicClosesTheFleet() {
        oneWorker();
        fleetScenario.makeUnreadable("flotilla.orders", "fleet/freeze");
        assertThat(fleetScenario.attempt("a-w-0").cancelled()).isTrue();
        OperatorOrder unfreeze = new OperatorOrder(
                        new OperatorOrderKey.FreezeFleet(), "1", "ada", "test", null, OperatorOrder.OrderVerb.UNFREEZE)
                .withTable(Table.ORDERS);
        fleetScenario.receive(new Tombstone(unfreeze.rowKey()));
        fleetScenario.cluster("b", 0, 1);
        assertThat(fleetScenario.closed("b-w-0")).containsExactly(GateLabel.REJECTED_INPUT);
        fleetScenario.receive(unfreeze);
        assertThat(fleetScenario.closed("b-w-0")).doesNotContain(GateLabel.REJECTED_INPUT);
    }

    @Test
    void anUnreadableFreezeOrderOfASiteClosesThatSite() {
        fleetScenario.makeUnreadable("flotilla.freezes", "site/north/freeze");
        oneWorker();
        assertThat(fleetScenario.closed("a-w-0")).containsExactly(GateLabel.REJECTED_INPUT);
    }

    @Test
    void anUnreadableStateOrderClosesItsCampaign() {
        fleetScenario.makeUnreadable("flotilla.orders", "up/state");
        oneWorker();
        assertThat(fleetScenario.closed("a-w-0")).containsExactly(GateLabel.REJECTED_INPUT);
        fleetScenario.order(new OperatorOrderKey.SetCampaignState(new CampaignName("up")), OperatorOrder.OrderVerb.RUN);
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void aTombstoneRemovesAnUnreadableOrderThatClosesNothing() {
        OperatorOrderKey key = new OperatorOrderKey.ApproveWave(new CampaignName("up"), "all");
        String topic = Topic.of(key.table()).toString();
        fleetScenario.makeUnreadable(topic, key.toString());
        assertThat(rejected(topic, key.toString())).isTrue();
        fleetScenario.receive(new Tombstone(new RowKey(key.table(), key)));
        assertThat(rejected(topic, key.toString())).isFalse();
    }

    @Test
    void aTombstoneDoesNotOpenWhatAnUnreadableOrderClosed() {
        for (OperatorOrderKey key : List.of(
                new OperatorOrderKey.FreezeFleet(),
                new OperatorOrderKey.FreezeSite(FleetScenario.SITE),
                new OperatorOrderKey.SetCampaignState(new CampaignName("up")))) {
            FleetScenario fresh = FleetScenario.open();
            fresh.cluster("a", 0, 1);
            String topic = Topic.of(key.table()).toString();
            fresh.makeUnreadable(topic, key.toString());
            fresh.campaign(CampaignBuilder.named("up").build());
            fresh.receive(new Tombstone(new RowKey(key.table(), key)));
            fresh.receive(new Tombstone(new RowKey(key.table(), key)));
            assertThat(fresh.closed("a-w-0")).as("%s", key).containsExactly(GateLabel.REJECTED_INPUT);
            RejectedRecord row = fresh.state.rejected(new RejectedRecordKey(topic, 0, key.toString()));
            assertThat(row.problem()).contains("write an order under " + key + ", with author and reason");
            fresh.order(
                    key,
                    key instanceof OperatorOrderKey.SetCampaignState
                            ? OperatorOrder.OrderVerb.RUN
                            : OperatorOrder.OrderVerb.UNFREEZE);
            assertThat(fresh.inFlight()).as("%s", key).containsExactly("a-w-0");
        }
    }

    @Test
    void aTombstoneDoesNotOpenWhatAnUnreadablePolicyClosed() {
        fleetScenario.makeUnreadable("flotilla.policies", "north");
        oneWorker();
        fleetScenario.receive(new Tombstone(new RowKey(Table.POLICIES, FleetScenario.SITE)));
        assertThat(fleetScenario.closed("a-w-0")).containsExactly(GateLabel.REJECTED_INPUT);
        fleetScenario.receive(FleetScenario.policy(FleetScenario.SITE, new CountOrPercent.Count(5)));
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
    }

    /** Otherwise a site would lose its cap and windows, and the fleet its campaign rules as well. */
    @Test
    void aTombstoneOfAPolicyLeavesTheAcceptedOneInForce() {
        fleetScenario.cluster("a", 0, 6);
        fleetScenario.receive(FleetScenario.policy(FleetScenario.SITE, new CountOrPercent.Count(1)));
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        fleetScenario.receive(new Tombstone(new RowKey(Table.POLICIES, FleetScenario.SITE)));
        fleetScenario.receive(new Tombstone(new RowKey(Table.POLICIES, FleetScope.FLEET)));
        assertThat(fleetScenario.inFlight()).hasSize(1);
        assertThat(fleetScenario.state.policy(FleetScope.FLEET)).isNotNull();
        assertThat(fleetScenario
                        .state
                        .rejected(new RejectedRecordKey("flotilla.policies", 0, "north"))
                        .problem())
                .isEqualTo("a tombstone does not remove a policy: the accepted policy of north stays in force. Write a"
                        + " new policy instead");
        fleetScenario.receive(FleetScenario.policy(FleetScenario.SITE, new CountOrPercent.Count(3)));
        assertThat(fleetScenario.inFlight()).hasSize(3);
        assertThat(rejected("flotilla.policies", "north")).isFalse();
    }

    /** Otherwise unreadable records of one site would trigger a review of all command leases of the fleet. */
    @Test
    void aRecordOfASiteReviewsOnlyTheLeasesOfItsCluster() {
        oneWorker();
        fleetScenario.state.put(unreadable("flotilla.inventory.south", "machine/default/z-w-0"));
        assertThat(fleetScenario.state.dueWork().pollLeaseReview()).isNull();
        fleetScenario.state.put(unreadable("flotilla.inventory.north", "cluster/default/a"));
        assertThat(fleetScenario.state.dueWork().pollLeaseReview()).isNotNull();
        fleetScenario.state.put(unreadable("flotilla.orders", "fleet/freeze"));
        assertThat(fleetScenario.state.dueWork().pollLeaseReview()).isNotNull();
    }

    private RejectedRecord unreadable(String topic, String key) {
        RejectedRecordKey at = new RejectedRecordKey(topic, 0, key);
        return new RejectedRecord(at, 1, RejectionReason.NOT_JSON, "", "?", "not JSON", fleetScenario.now);
    }

    @Test
    void anUnreadableMachineIsNotStartedAndCountsAsUnavailable() {
        fleetScenario.cluster("a", 0, 2);
        MachineRow readable = fleetScenario.row("a-w-0");
        fleetScenario.makeUnreadable("flotilla.inventory.north", "machine/default/a-w-0");
        fleetScenario.campaign(CampaignBuilder.named("up").maxUnavailable(1).build());
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.closed("a-w-0")).contains(GateLabel.MACHINE_NOT_ELIGIBLE);
        assertThat(fleetScenario.closed("a-w-1")).containsExactly(GateLabel.CLUSTER_HEALTH);
        fleetScenario.receive(readable);
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void aTombstoneReplacesAnUnreadableMachine() {
        fleetScenario.cluster("a", 0, 2);
        fleetScenario.makeUnreadable("flotilla.inventory.north", "machine/default/a-w-0");
        fleetScenario.campaign(CampaignBuilder.named("up").maxUnavailable(1).build());
        fleetScenario.receive(new Tombstone(new RowKey(Table.INVENTORY, FleetScenario.machine("a-w-0"))));
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-1");
        assertThat(fleetScenario.state.machines()).isEqualTo(1);
    }

    @Test
    void aCampaignDoesNotCompleteWhileAPossibleMemberIsUnreadable() {
        fleetScenario.cluster("a", 0, 2);
        fleetScenario.campaign(CampaignBuilder.named("up")
                .select(new MachineSelection(
                        List.of(),
                        LabelSelector.ALL,
                        CampaignBuilder.where("gpu", "yes"),
                        List.of(),
                        List.of(),
                        List.of()))
                .build());
        MachineRow plain = fleetScenario.row("a-w-1");
        fleetScenario.receive(MachineRowBuilder.like(fleetScenario.row("a-w-0"))
                .labels(CampaignBuilder.labels("gpu", "yes"))
                .build());
        fleetScenario.makeUnreadable("flotilla.inventory.north", "machine/default/a-w-1");
        fleetScenario.succeed("a-w-0");
        assertThat(fleetScenario.campaignStatus("up").state()).isEqualTo(CampaignState.RUNNING);
        fleetScenario.receive(plain);
        assertThat(fleetScenario.campaignStatus("up").state()).isEqualTo(CampaignState.COMPLETED);
    }

    @Test
    void nothingStartsInAnUnreadableCluster() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.makeUnreadable("flotilla.inventory.north", "cluster/default/a");
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        assertThat(fleetScenario.closed("a-w-0")).containsExactly(GateLabel.CLUSTER_HEALTH);
        fleetScenario.receive(new ClusterRow(
                new ClusterKey(FleetScenario.SITE, "default", "a"), "uid-a", Labels.NONE, false, false, null, 0, 1));
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void anUnreadableCampaignLeavesTheAcceptedOneRunning() {
        oneWorker();
        fleetScenario.makeUnreadable("flotilla.campaigns", "up");
        fleetScenario.succeed("a-w-0");
        assertThat(fleetScenario.events()).contains(DecisionEvent.CAMPAIGN_COMPLETED);
    }

    @Test
    void anUnreadableRecordUnderAnUnknownKeyClosesNothing() {
        fleetScenario.makeUnreadable("flotilla.inventory.north", "machine/Not A Name/?");
        fleetScenario.makeUnreadable("flotilla.orders", "what/ever/this/is");
        fleetScenario.makeUnreadable("other.topic", "machine/default/a-w-0");
        oneWorker();
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void theAcceptedRowStaysInForceAfterARestore() {
        fleetScenario.cluster("a", 1, 2);
        fleetScenario.order(new OperatorOrderKey.FreezeSite(FleetScenario.SITE), OperatorOrder.OrderVerb.FREEZE);
        fleetScenario.campaign(CampaignBuilder.named("up").maxUnavailable(1).build());
        fleetScenario.makeUnreadable("flotilla.inventory.north", "machine/default/a-w-0");
        fleetScenario.makeUnreadable("flotilla.inventory.north", "cluster/default/a");
        fleetScenario.makeUnreadable("flotilla.freezes", "site/north/freeze");
        fleetScenario.makeUnreadable("flotilla.orders", "up/state");
        fleetScenario.makeUnreadable("flotilla.campaigns", "up");
        fleetScenario.makeUnreadable("flotilla.inventory.north", "site");

        FleetState restored = new FleetState();
        fleetScenario.rows.values().forEach(restored::put);
        assertThat(restored.hash()).isEqualTo(fleetScenario.state.hash());
        restored.refreshDerivedState(fleetScenario.gates, fleetScenario.now);
        assertThat(restored.cluster(new ClusterKey(FleetScenario.SITE, "default", "a"))
                        .workersUnavailable())
                .isEqualTo(1);
    }

    @Test
    void aRejectedOrderClosesNothing() {
        oneWorker();
        fleetScenario.receive(new OperatorOrder(
                new OperatorOrderKey.SetCampaignState(new CampaignName("up")),
                "id",
                "ada",
                "why",
                999_999L,
                OperatorOrder.OrderVerb.ABORT));
        assertThat(rejected("flotilla.orders", "up/state")).isTrue();
        assertThat(fleetScenario.attempt("a-w-0").cancelled()).isFalse();
    }

    @Test
    void aRejectedOrderUnderAFreezesKeyLiftsNoFreeze() {
        fleetScenario.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.FREEZE);
        fleetScenario.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.RUN);
        oneWorker();
        assertThat(fleetScenario.closed("a-w-0")).containsExactly(GateLabel.FREEZE);
    }

    @Test
    void theSameUnreadableRecordAgainChangesNothing() {
        RejectedRecord row = new RejectedRecord(
                new RejectedRecordKey("flotilla.policies", 0, "fleet"),
                7,
                RejectionReason.NOT_JSON,
                "",
                "?",
                "not JSON",
                fleetScenario.now);
        fleetScenario.decide(new DecisionInput.RecordUnreadable(row, fleetScenario.now));
        int before = fleetScenario.decisions.size();
        fleetScenario.decide(new DecisionInput.RecordUnreadable(row, fleetScenario.now));
        assertThat(fleetScenario.decisions).hasSize(before);
    }

    @Test
    void anOwnersAcceptedIntentStaysInForceWhileItsRecordIsUnreadable() {
        fleetScenario.cluster("a", 0, 2);
        OwnerKey owner = FleetScenario.deployment("a");
        fleetScenario.requestUpgrade(owner, "revision=1");
        fleetScenario.makeUnreadable("flotilla.intents.north", "owner/MachineDeployment/default/a");
        fleetScenario.succeed("a-w-0");
        FleetState restored = new FleetState();
        fleetScenario.rows.values().forEach(restored::put);
        assertThat(restored.intent(owner))
                .isEqualTo(fleetScenario.state.intent(owner))
                .isNotNull();
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-1");
    }

    private void oneWorker() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
    }

    private boolean rejected(String topic, String key) {
        return fleetScenario.rows.get(new RowKey(Table.REJECTED, new RejectedRecordKey(topic, 0, key)))
                instanceof RejectedRecord;
    }
}
