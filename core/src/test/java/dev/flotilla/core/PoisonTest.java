package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.Fleet;
import dev.flotilla.schemas.id.OrderKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.RejectedKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.Gone;
import dev.flotilla.schemas.row.Heartbeat;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.Limit;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.Order;
import dev.flotilla.schemas.row.Rejected;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.RunState;
import dev.flotilla.schemas.row.Selection;
import dev.flotilla.schemas.row.Selector;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.schemas.topic.Topic;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Poison closes, never opens; and what is readable again opens what it had closed. */
class PoisonTest {
    private final Scene scene = Scene.open();

    @Test
    void whatIsKeptOfAnUnreadableHeartbeatNamesAWatcherAsARowHasTo() {
        RejectedKey key = new RejectedKey("flotilla.inventory.north", 0, "site");
        scene.poison(key.topic(), key.key());
        Rejected told = scene.state.rejected(key);
        assertThat(told.accepted())
                .isInstanceOfSatisfying(
                        Heartbeat.class, row -> assertThat(row.watcher()).isNotEmpty());
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
        scene.arrive(Scene.policy(Scene.SITE, new Limit.Count(5)));
        assertThat(scene.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void anUnreadableSitePolicyLeavesAnAcceptedOneInForce() {
        scene.arrive(Scene.policy(Scene.SITE, new Limit.Count(5)));
        scene.poison("flotilla.policies", "north");
        oneWorker();
        assertThat(scene.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void anUnreadableFreezeOrderClosesTheFleetAndTakesCommandsBack() {
        oneWorker();
        scene.poison("flotilla.freezes", "fleet/freeze");
        assertThat(scene.attempt("a-w-0").cancelled()).isTrue();
        scene.order(new OrderKey.FleetFreeze(), Order.Verb.UNFREEZE);
        assertThat(rejected("flotilla.freezes", "fleet/freeze")).isFalse();
    }

    @Test
    void anUnreadableFreezeWhereEarlierVersionsWroteItClosesTheFleet() {
        oneWorker();
        scene.poison("flotilla.orders", "fleet/freeze");
        assertThat(scene.attempt("a-w-0").cancelled()).isTrue();
        Order unfreeze =
                new Order(new OrderKey.FleetFreeze(), "1", "ada", "test", null, Order.Verb.UNFREEZE).on(Table.ORDERS);
        scene.arrive(new Gone(unfreeze.at()));
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
        scene.order(new OrderKey.State(new CampaignName("up")), Order.Verb.RUN);
        assertThat(scene.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void aTombstoneRemovesAnUnreadableOrderThatHasClosedNothing() {
        OrderKey key = new OrderKey.Approve(new CampaignName("up"), "all");
        String topic = Topic.of(key.table()).toString();
        scene.poison(topic, key.toString());
        assertThat(rejected(topic, key.toString())).isTrue();
        scene.arrive(new Gone(new RowKey(key.table(), key)));
        assertThat(rejected(topic, key.toString())).isFalse();
    }

    @Test
    void aTombstoneOpensNothingThatAnUnreadableOrderHasClosed() {
        for (OrderKey key : List.of(
                new OrderKey.FleetFreeze(),
                new OrderKey.SiteFreeze(Scene.SITE),
                new OrderKey.State(new CampaignName("up")))) {
            Scene fresh = Scene.open();
            fresh.cluster("a", 0, 1);
            String topic = Topic.of(key.table()).toString();
            fresh.poison(topic, key.toString());
            fresh.campaign(CampaignBuilder.named("up").build());
            fresh.arrive(new Gone(new RowKey(key.table(), key)));
            fresh.arrive(new Gone(new RowKey(key.table(), key)));
            assertThat(fresh.closed("a-w-0")).as("%s", key).containsExactly(GateLabel.REJECTED_INPUT);
            Rejected row = fresh.state.rejected(new RejectedKey(topic, 0, key.toString()));
            assertThat(row.problem()).contains("write an order under " + key + ", with who and why");
            fresh.order(key, key instanceof OrderKey.State ? Order.Verb.RUN : Order.Verb.UNFREEZE);
            assertThat(fresh.inFlight()).as("%s", key).containsExactly("a-w-0");
        }
    }

    @Test
    void aTombstoneOpensNothingThatAnUnreadablePolicyHasClosed() {
        scene.poison("flotilla.policies", "north");
        oneWorker();
        scene.arrive(new Gone(new RowKey(Table.POLICIES, Scene.SITE)));
        assertThat(scene.closed("a-w-0")).containsExactly(GateLabel.REJECTED_INPUT);
        scene.arrive(Scene.policy(Scene.SITE, new Limit.Count(5)));
        assertThat(scene.inFlight()).containsExactly("a-w-0");
    }

    /** Of a site its cap and its windows would go, of the fleet also what it asks of campaigns. */
    @Test
    void aTombstoneOfAPolicyLeavesTheAcceptedOneInForce() {
        scene.cluster("a", 0, 6);
        scene.arrive(Scene.policy(Scene.SITE, new Limit.Count(1)));
        scene.campaign(CampaignBuilder.named("up").build());
        scene.arrive(new Gone(new RowKey(Table.POLICIES, Scene.SITE)));
        scene.arrive(new Gone(new RowKey(Table.POLICIES, Fleet.FLEET)));
        assertThat(scene.inFlight()).hasSize(1);
        assertThat(scene.state.policy(Fleet.FLEET)).isNotNull();
        assertThat(scene.state
                        .rejected(new RejectedKey("flotilla.policies", 0, "north"))
                        .problem())
                .isEqualTo("a tombstone lifts no limit, window or freeze: the accepted policy of north stays. Write one"
                        + " with what is to hold instead");
        scene.arrive(Scene.policy(Scene.SITE, new Limit.Count(3)));
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

    private Rejected unreadable(String topic, String key) {
        RejectedKey at = new RejectedKey(topic, 0, key);
        return new Rejected(at, 1, RejectionReason.NOT_JSON, "", "?", "not JSON", scene.now);
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
        scene.arrive(new Gone(new RowKey(Table.INVENTORY, Scene.machine("a-w-0"))));
        assertThat(scene.inFlight()).containsExactly("a-w-1");
        assertThat(scene.state.machines()).isEqualTo(1);
    }

    @Test
    void aCampaignDoesNotEndWhileAMachineThatItMaySelectCannotBeRead() {
        scene.cluster("a", 0, 2);
        scene.campaign(CampaignBuilder.named("up")
                .select(new Selection(
                        List.of(), Selector.ALL, CampaignBuilder.where("gpu", "yes"), List.of(), List.of(), List.of()))
                .build());
        MachineRow plain = scene.row("a-w-1");
        scene.arrive(MachineBuilder.like(scene.row("a-w-0"))
                .labels(CampaignBuilder.labels("gpu", "yes"))
                .build());
        scene.poison("flotilla.inventory.north", "machine/default/a-w-1");
        scene.succeed("a-w-0");
        assertThat(scene.campaignStatus("up").state()).isEqualTo(RunState.RUNNING);
        scene.arrive(plain);
        assertThat(scene.campaignStatus("up").state()).isEqualTo(RunState.COMPLETED);
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
        scene.order(new OrderKey.SiteFreeze(Scene.SITE), Order.Verb.FREEZE);
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
                new Order(new OrderKey.State(new CampaignName("up")), "id", "ada", "why", 999_999L, Order.Verb.ABORT));
        assertThat(rejected("flotilla.orders", "up/state")).isTrue();
        assertThat(scene.attempt("a-w-0").cancelled()).isFalse();
    }

    @Test
    void aRefusedOrderUnderAFreezesKeyLiftsNoFreeze() {
        scene.order(new OrderKey.FleetFreeze(), Order.Verb.FREEZE);
        scene.order(new OrderKey.FleetFreeze(), Order.Verb.RUN);
        oneWorker();
        assertThat(scene.closed("a-w-0")).containsExactly(GateLabel.FREEZE);
    }

    @Test
    void theSamePoisonAgainLeavesNoTrace() {
        Rejected row = new Rejected(
                new RejectedKey("flotilla.policies", 0, "fleet"),
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
        return scene.rows.get(new RowKey(Table.REJECTED, new RejectedKey(topic, 0, key))) instanceof Rejected;
    }
}
