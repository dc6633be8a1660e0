package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.RejectedRecordKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.MachineSelection;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.schemas.topic.Topic;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Poison closes, never opens; and what is readable again opens what it had closed. */
class PoisonTest {
    private final Scene scene = Scene.open();

    @Test
    void whatIsKeptOfAnUnreadableHeartbeatNamesAWatcherAsARowHasTo() {
        RejectedRecordKey key = new RejectedRecordKey("flotilla.inventory.north", 0, "site");
        scene.poison(key.topic(), key.key());
        RejectedRecord told = scene.state.rejected(key);
        assertThat(told.lastAccepted())
                .isInstanceOfSatisfying(
                        WatcherHeartbeat.class, row -> assertThat(row.watcher()).isNotEmpty());
    }

    @Test
    void anUnreadableFleetPolicyLeavesTheAcceptedOneInForce() {
        scene.cap(1);
        scene.poison("flotilla.policies", "fleet");
        scene.cluster("a", 0, 3);
        scene.campaign(CampaignBuilder.named("up").build());
        assertThat(scene.inFlight()).hasSize(1);
        assertThat(scene.closed("a-w-1")).containsExactly(GateLabel.FLEET_CAP);
    }

    @Test
    void anUnreadableFleetPolicyWithoutAnAcceptedOneStartsNothing() {
        Scene bare = new Scene();
        bare.site(Scene.SITE);
        bare.poison("flotilla.policies", "fleet");
        bare.cluster("a", 0, 1);
        bare.campaign(CampaignBuilder.named("up").build());
        assertThat(bare.closed("a-w-0")).containsExactly(GateLabel.NO_POLICY);
    }

    @Test
    void anUnreadableSitePolicyClosesASiteThatNeverHadOne() {
        scene.poison("flotilla.policies", "north");
        oneWorker();
        assertThat(scene.closed("a-w-0")).containsExactly(GateLabel.REJECTED_INPUT);
        scene.arrive(Scene.policy(Scene.SITE, new CountOrPercent.Count(5)));
        assertThat(scene.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void anUnreadableSitePolicyLeavesAnAcceptedOneInForce() {
        scene.arrive(Scene.policy(Scene.SITE, new CountOrPercent.Count(5)));
        scene.poison("flotilla.policies", "north");
        oneWorker();
        assertThat(scene.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void anUnreadableFreezeOrderClosesTheFleetAndTakesCommandsBack() {
        oneWorker();
        scene.poison("flotilla.freezes", "fleet/freeze");
        assertThat(scene.attempt("a-w-0").cancelled()).isTrue();
        scene.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.UNFREEZE);
        assertThat(rejected("flotilla.freezes", "fleet/freeze")).isFalse();
    }

    @Test
    void anUnreadableFreezeWhereEarlierVersionsWroteItClosesTheFleet() {
        oneWorker();
        scene.poison("flotilla.orders", "fleet/freeze");
        assertThat(scene.attempt("a-w-0").cancelled()).isTrue();
        OperatorOrder unfreeze =
                new OperatorOrder(new OperatorOrderKey.FreezeFleet(), "1", "ada", "test", null, OperatorOrder.OrderVerb.UNFREEZE).withTable(Table.ORDERS);
        scene.arrive(new Tombstone(unfreeze.rowKey()));
        scene.cluster("b", 0, 1);
        assertThat(scene.closed("b-w-0")).containsExactly(GateLabel.REJECTED_INPUT);
        scene.arrive(unfreeze);
        assertThat(scene.closed("b-w-0")).doesNotContain(GateLabel.REJECTED_INPUT);
    }

    @Test
    void anUnreadableFreezeOrderOfASiteClosesThatSite() {
        scene.poison("flotilla.freezes", "site/north/freeze");
        oneWorker();
        assertThat(scene.closed("a-w-0")).containsExactly(GateLabel.REJECTED_INPUT);
    }

    @Test
    void anUnreadableStateOrderClosesItsCampaign() {
        scene.poison("flotilla.orders", "up/state");
        oneWorker();
        assertThat(scene.closed("a-w-0")).containsExactly(GateLabel.REJECTED_INPUT);
        scene.order(new OperatorOrderKey.SetCampaignState(new CampaignName("up")), OperatorOrder.OrderVerb.RUN);
        assertThat(scene.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void aTombstoneRemovesAnUnreadableOrderThatHasClosedNothing() {
        OperatorOrderKey key = new OperatorOrderKey.ApproveWave(new CampaignName("up"), "all");
        String topic = Topic.of(key.table()).toString();
        scene.poison(topic, key.toString());
        assertThat(rejected(topic, key.toString())).isTrue();
        scene.arrive(new Tombstone(new RowKey(key.table(), key)));
        assertThat(rejected(topic, key.toString())).isFalse();
    }

    @Test
    void aTombstoneOpensNothingThatAnUnreadableOrderHasClosed() {
        for (OperatorOrderKey key : List.of(
                new OperatorOrderKey.FreezeFleet(),
                new OperatorOrderKey.FreezeSite(Scene.SITE),
                new OperatorOrderKey.SetCampaignState(new CampaignName("up")))) {
            Scene fresh = Scene.open();
            fresh.cluster("a", 0, 1);
            String topic = Topic.of(key.table()).toString();
            fresh.poison(topic, key.toString());
            fresh.campaign(CampaignBuilder.named("up").build());
            fresh.arrive(new Tombstone(new RowKey(key.table(), key)));
            fresh.arrive(new Tombstone(new RowKey(key.table(), key)));
            assertThat(fresh.closed("a-w-0")).as("%s", key).containsExactly(GateLabel.REJECTED_INPUT);
            RejectedRecord row = fresh.state.rejected(new RejectedRecordKey(topic, 0, key.toString()));
            assertThat(row.problem()).contains("write an order under " + key + ", with who and why");
            fresh.order(key, key instanceof OperatorOrderKey.SetCampaignState ? OperatorOrder.OrderVerb.RUN : OperatorOrder.OrderVerb.UNFREEZE);
            assertThat(fresh.inFlight()).as("%s", key).containsExactly("a-w-0");
        }
    }

    @Test
    void aTombstoneOpensNothingThatAnUnreadablePolicyHasClosed() {
        scene.poison("flotilla.policies", "north");
        oneWorker();
        scene.arrive(new Tombstone(new RowKey(Table.POLICIES, Scene.SITE)));
        assertThat(scene.closed("a-w-0")).containsExactly(GateLabel.REJECTED_INPUT);
        scene.arrive(Scene.policy(Scene.SITE, new CountOrPercent.Count(5)));
        assertThat(scene.inFlight()).containsExactly("a-w-0");
    }

    /** Of a site its cap and its windows would go, of the fleet also what it asks of campaigns. */
    @Test
    void aTombstoneOfAPolicyLeavesTheAcceptedOneInForce() {
        scene.cluster("a", 0, 6);
        scene.arrive(Scene.policy(Scene.SITE, new CountOrPercent.Count(1)));
        scene.campaign(CampaignBuilder.named("up").build());
        scene.arrive(new Tombstone(new RowKey(Table.POLICIES, Scene.SITE)));
        scene.arrive(new Tombstone(new RowKey(Table.POLICIES, FleetScope.FLEET)));
        assertThat(scene.inFlight()).hasSize(1);
        assertThat(scene.state.policy(FleetScope.FLEET)).isNotNull();
        assertThat(scene.state
                        .rejected(new RejectedRecordKey("flotilla.policies", 0, "north"))
                        .problem())
                .isEqualTo("a tombstone lifts no limit, window or freeze: the accepted policy of north stays. Write one"
                        + " with what is to hold instead");
        scene.arrive(Scene.policy(Scene.SITE, new CountOrPercent.Count(3)));
        assertThat(scene.inFlight()).hasSize(3);
        assertThat(rejected("flotilla.policies", "north")).isFalse();
    }

    /** Or one site's garbage would cost a review of every licence of the fleet a record. */
    @Test
    void aRecordOfASiteHasLicencesOfItsOwnClusterReviewedAlone() {
        oneWorker();
        scene.state.put(unreadable("flotilla.inventory.south", "machine/default/z-w-0"));
        assertThat(scene.state.pollLicence()).isNull();
        scene.state.put(unreadable("flotilla.inventory.north", "cluster/default/a"));
        assertThat(scene.state.pollLicence()).isNotNull();
        scene.state.put(unreadable("flotilla.orders", "fleet/freeze"));
        assertThat(scene.state.pollLicence()).isNotNull();
    }

    private RejectedRecord unreadable(String topic, String key) {
        RejectedRecordKey at = new RejectedRecordKey(topic, 0, key);
        return new RejectedRecord(at, 1, RejectionReason.NOT_JSON, "", "?", "not JSON", scene.now);
    }

    @Test
    void anUnreadableMachineIsNotStartedAndCountsAsUnavailable() {
        scene.cluster("a", 0, 2);
        MachineRow readable = scene.row("a-w-0");
        scene.poison("flotilla.inventory.north", "machine/default/a-w-0");
        scene.campaign(CampaignBuilder.named("up").maxUnavailable(1).build());
        assertThat(scene.inFlight()).isEmpty();
        assertThat(scene.closed("a-w-0")).contains(GateLabel.MACHINE);
        assertThat(scene.closed("a-w-1")).containsExactly(GateLabel.CLUSTER_HEALTH);
        scene.arrive(readable);
        assertThat(scene.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void aTombstoneTakesThePlaceOfAnUnreadableMachine() {
        scene.cluster("a", 0, 2);
        scene.poison("flotilla.inventory.north", "machine/default/a-w-0");
        scene.campaign(CampaignBuilder.named("up").maxUnavailable(1).build());
        scene.arrive(new Tombstone(new RowKey(Table.INVENTORY, Scene.machine("a-w-0"))));
        assertThat(scene.inFlight()).containsExactly("a-w-1");
        assertThat(scene.state.machines()).isEqualTo(1);
    }

    @Test
    void aCampaignDoesNotEndWhileAMachineThatItMaySelectCannotBeRead() {
        scene.cluster("a", 0, 2);
        scene.campaign(CampaignBuilder.named("up")
                .select(new MachineSelection(
                        List.of(), LabelSelector.ALL, CampaignBuilder.where("gpu", "yes"), List.of(), List.of(), List.of()))
                .build());
        MachineRow plain = scene.row("a-w-1");
        scene.arrive(MachineBuilder.like(scene.row("a-w-0"))
                .labels(CampaignBuilder.labels("gpu", "yes"))
                .build());
        scene.poison("flotilla.inventory.north", "machine/default/a-w-1");
        scene.succeed("a-w-0");
        assertThat(scene.campaignStatus("up").state()).isEqualTo(CampaignState.RUNNING);
        scene.arrive(plain);
        assertThat(scene.campaignStatus("up").state()).isEqualTo(CampaignState.COMPLETED);
    }

    @Test
    void anUnreadableClusterStartsNothingInIt() {
        scene.cluster("a", 0, 1);
        scene.poison("flotilla.inventory.north", "cluster/default/a");
        scene.campaign(CampaignBuilder.named("up").build());
        assertThat(scene.closed("a-w-0")).containsExactly(GateLabel.CLUSTER_HEALTH);
        scene.arrive(new ClusterRow(
                new ClusterKey(Scene.SITE, "default", "a"), "uid-a", Labels.NONE, false, false, null, 0, 1));
        assertThat(scene.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void anUnreadableCampaignLeavesTheAcceptedOneRunning() {
        oneWorker();
        scene.poison("flotilla.campaigns", "up");
        scene.succeed("a-w-0");
        assertThat(scene.events()).contains(Event.CAMPAIGN_COMPLETED);
    }

    @Test
    void poisonUnderAKeyThatMeansNothingClosesNothing() {
        scene.poison("flotilla.inventory.north", "machine/Not A Name/?");
        scene.poison("flotilla.orders", "what/ever/this/is");
        scene.poison("other.topic", "machine/default/a-w-0");
        oneWorker();
        assertThat(scene.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void whatCountedBeforeCountsStillAfterARestoreThatNeverSawIt() {
        scene.cluster("a", 1, 2);
        scene.order(new OperatorOrderKey.FreezeSite(Scene.SITE), OperatorOrder.OrderVerb.FREEZE);
        scene.campaign(CampaignBuilder.named("up").maxUnavailable(1).build());
        scene.poison("flotilla.inventory.north", "machine/default/a-w-0");
        scene.poison("flotilla.inventory.north", "cluster/default/a");
        scene.poison("flotilla.freezes", "site/north/freeze");
        scene.poison("flotilla.orders", "up/state");
        scene.poison("flotilla.campaigns", "up");
        scene.poison("flotilla.inventory.north", "site");

        FleetState restored = new FleetState();
        scene.rows.values().forEach(restored::put);
        assertThat(restored.hash()).isEqualTo(scene.state.hash());
        restored.settle(scene.gates, scene.now);
        assertThat(restored.cluster(new ClusterKey(Scene.SITE, "default", "a")).workersUnavailable())
                .isEqualTo(1);
    }

    @Test
    void aRefusedOrderClosesNothing() {
        oneWorker();
        scene.arrive(
                new OperatorOrder(new OperatorOrderKey.SetCampaignState(new CampaignName("up")), "id", "ada", "why", 999_999L, OperatorOrder.OrderVerb.ABORT));
        assertThat(rejected("flotilla.orders", "up/state")).isTrue();
        assertThat(scene.attempt("a-w-0").cancelled()).isFalse();
    }

    @Test
    void aRefusedOrderUnderAFreezesKeyLiftsNoFreeze() {
        scene.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.FREEZE);
        scene.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.RUN);
        oneWorker();
        assertThat(scene.closed("a-w-0")).containsExactly(GateLabel.FREEZE);
    }

    @Test
    void theSamePoisonAgainLeavesNoTrace() {
        RejectedRecord row = new RejectedRecord(
                new RejectedRecordKey("flotilla.policies", 0, "fleet"),
                7,
                RejectionReason.NOT_JSON,
                "",
                "?",
                "not JSON",
                scene.now);
        scene.take(new Input.Unreadable(row, scene.now));
        int before = scene.decisions.size();
        scene.take(new Input.Unreadable(row, scene.now));
        assertThat(scene.decisions).hasSize(before);
    }

    @Test
    void anOwnersIntentIsFollowedWhileItsNewestRecordCannotBeRead() {
        scene.cluster("a", 0, 2);
        OwnerKey owner = Scene.deployment("a");
        scene.ask(owner, "revision=1");
        scene.poison("flotilla.intents.north", "owner/MachineDeployment/default/a");
        scene.succeed("a-w-0");
        FleetState restored = new FleetState();
        scene.rows.values().forEach(restored::put);
        assertThat(restored.intent(owner)).isEqualTo(scene.state.intent(owner)).isNotNull();
        assertThat(scene.inFlight()).containsExactly("a-w-1");
    }

    private void oneWorker() {
        scene.cluster("a", 0, 1);
        scene.campaign(CampaignBuilder.named("up").build());
    }

    private boolean rejected(String topic, String key) {
        return scene.rows.get(new RowKey(Table.REJECTED, new RejectedRecordKey(topic, 0, key))) instanceof RejectedRecord;
    }
}
