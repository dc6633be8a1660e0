package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.Fleet;
import dev.flotilla.schemas.id.Key;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.OrderKey;
import dev.flotilla.schemas.id.RejectedKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.Fact;
import dev.flotilla.schemas.row.Gone;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.Limit;
import dev.flotilla.schemas.row.Order;
import dev.flotilla.schemas.row.Policy;
import dev.flotilla.schemas.row.Policy.CampaignRule;
import dev.flotilla.schemas.row.Policy.IntentRule;
import dev.flotilla.schemas.row.Policy.RequiredApproval;
import dev.flotilla.schemas.row.Rejected;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.RunState;
import dev.flotilla.schemas.row.SiteStatus;
import dev.flotilla.schemas.topic.Table;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a row leads to that says nothing new, speaks of what is not known, or does not belong. */
class IntakeTest {
    private static final SiteId WEST = new SiteId("west");
    private static final CampaignName UP = new CampaignName("up");

    private final Scene scene = Scene.open();

    @BeforeEach
    void aMachine() {
        scene.cluster("a", 0, 1);
    }

    private void leavesNoTrace(Fact fact) {
        int before = scene.decisions.size();
        long hash = scene.state.hash();
        scene.arrive(fact);
        assertThat(scene.decisions).hasSize(before);
        assertThat(scene.state.hash()).isEqualTo(hash);
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
                new RowKey(Table.ORDERS, new OrderKey.Retry(UP)),
                new RowKey(Table.FREEZES, new OrderKey.FleetFreeze()));
    }

    @ParameterizedTest
    @MethodSource("placesOfNothing")
    void aTombstoneOfWhatIsNotKnownLeavesNoTrace(RowKey place) {
        leavesNoTrace(new Gone(place));
    }

    @Test
    void aTombstoneOfAWorkersWordLeavesNoTrace() {
        scene.campaign(CampaignBuilder.named("up").build());
        leavesNoTrace(new Gone(new RowKey(Table.PROGRESS, Scene.machine("a-w-0"))));
    }

    @Test
    void whatIsKnownAlreadyLeavesNoTrace() {
        Policy policy = Scene.policy(Fleet.FLEET, new Limit.Count(3));
        scene.arrive(policy);
        leavesNoTrace(policy);
        leavesNoTrace(new ClusterRow(
                new ClusterKey(Scene.SITE, "default", "a"), "uid-a", Labels.NONE, false, false, null, 0, 1));
    }

    @Test
    void anAnnotationThatIsKnownAlreadyLeavesNoTraceWhileItIsAllowed() {
        scene.ask(Scene.machine("a-w-0"), "channel=1.34-classic/stable");
        Fact asked = scene.rows.get(new RowKey(Table.INTENTS, Scene.machine("a-w-0")));
        leavesNoTrace(asked);
        scene.arrive(Scene.policy(Fleet.FLEET, null)
                .at(Policy.Calendar.NONE, IntentRule.DEFAULT.onlyTo(List.of("channel=1.33-*"))));
        scene.arrive(asked);
        assertThat(scene.refusal().problem())
                .isEqualTo("the policy allows annotations to ask for channel=1.33-* (intents.targets)");
    }

    @Test
    void aSiteWhoseHeartbeatIsGoneIsSilent() {
        scene.arrive(new Gone(new RowKey(Table.INVENTORY, Scene.SITE)));
        assertThat(scene.decisions.getLast().event()).isEqualTo(Event.INVENTORY_CHANGED);
        assertThat(scene.decisions.getLast().reason()).isEqualTo("gone");
        scene.campaign(CampaignBuilder.named("up").build());
        assertThat(scene.closed("a-w-0")).containsExactly(GateLabel.SITE_SILENT);
    }

    @Test
    void whatTheOrchestratorWritesItselfIsNoInput() {
        assertThatThrownBy(() -> scene.arrive(SiteStatus.of(Scene.SITE)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("not an input: ");
        assertThatThrownBy(() -> scene.arrive(new Gone(new RowKey(Table.STATUS, Scene.SITE))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("not an input: ");
    }

    @Test
    void aCampaignThatIsOverIsNotEdited() {
        scene.campaign(CampaignBuilder.named("up").build());
        scene.succeed("a-w-0");
        scene.campaign(CampaignBuilder.named("up").priority(3).build());
        assertThat(scene.refusal().problem())
                .isEqualTo("the campaign is completed: give the new one another name, or remove this one first");
        assertThat(scene.refusal().value()).isEqualTo("up");
        assertThat(scene.campaignStatus("up").accepted().spec().priority()).isZero();
    }

    @Test
    void aCampaignThatWasNeverAcceptedIsRemovedWithItsRow() {
        Campaign refused = CampaignBuilder.named("up").basedOn("none").build();
        scene.campaign(refused);
        assertThat(scene.refusal().path()).isEqualTo("spec.basedOn");
        scene.arrive(new Gone(refused.at()));
        assertThat(scene.events()).last().isEqualTo(Event.CAMPAIGN_REMOVED);
        assertThat(scene.state.campaign(UP)).isNull();
        leavesNoTrace(new Gone(refused.at()));
    }

    @Test
    void aCampaignWithoutTheApprovalAfterItsFirstWaveIsTold() {
        scene.arrive(Scene.policy(Fleet.FLEET, null)
                .with(new CampaignRule(RequiredApproval.AFTER_FIRST_WAVE, null, List.of())));
        scene.campaign(CampaignBuilder.named("up").build());
        assertThat(scene.refusal().problem())
                .isEqualTo("the fleet's policy requires an approval after the first wave: set its approval to after, or"
                        + " the second's to before (campaigns.requireApproval)");
        assertThat(scene.refusal().path()).isEqualTo("spec.waves");
        assertThat(scene.refusal().value()).isEqualTo("all");
    }

    static Stream<OrderKey> allOrders() {
        return Stream.of(
                new OrderKey.State(UP),
                new OrderKey.Approve(UP, "all"),
                new OrderKey.Overlap(UP),
                new OrderKey.Skip(UP, Scene.machine("a-w-0")),
                new OrderKey.Retry(UP),
                new OrderKey.FleetFreeze(),
                new OrderKey.SiteFreeze(Scene.SITE),
                new OrderKey.AcceptRemoval(Scene.SITE),
                new OrderKey.WriteOff(Scene.SITE),
                new OrderKey.AdoptSite(Scene.SITE),
                new OrderKey.AdoptFleet());
    }

    private static List<Order.Verb> verbs(Key key) {
        return switch ((OrderKey) key) {
            case OrderKey.State state -> List.of(Order.Verb.RUN, Order.Verb.PAUSE, Order.Verb.ABORT);
            case OrderKey.Approve approve -> List.of(Order.Verb.APPROVE);
            case OrderKey.Overlap overlap -> List.of(Order.Verb.APPROVE);
            case OrderKey.Skip skip -> List.of(Order.Verb.SKIP);
            case OrderKey.Retry retry -> List.of(Order.Verb.RETRY);
            case OrderKey.FleetFreeze fleet -> List.of(Order.Verb.FREEZE, Order.Verb.UNFREEZE);
            case OrderKey.SiteFreeze site -> List.of(Order.Verb.FREEZE, Order.Verb.UNFREEZE);
            case OrderKey.AcceptRemoval removal -> List.of(Order.Verb.ACCEPT_REMOVAL);
            case OrderKey.WriteOff off -> List.of(Order.Verb.WRITE_OFF);
            case OrderKey.AdoptSite site -> List.of(Order.Verb.ADOPT);
            case OrderKey.AdoptFleet fleet -> List.of(Order.Verb.ADOPT);
        };
    }

    @ParameterizedTest
    @MethodSource("allOrders")
    void underEachKeyAnOrderMaySayWhatBelongsThereAndNothingElse(OrderKey key) {
        for (Order.Verb verb : Order.Verb.values()) {
            Scene fresh = Scene.open();
            fresh.cluster("a", 0, 1);
            fresh.campaign(CampaignBuilder.named("up").build());
            fresh.order(key, verb);
            boolean says = fresh.rejected().stream()
                    .anyMatch(row -> row.path().equals("verb")
                            && row.problem().equals("an order under " + key + " cannot be to " + verb.label()));
            assertThat(says)
                    .as("%s under %s", verb, key)
                    .isNotEqualTo(verbs(key).contains(verb));
        }
    }

    @Test
    void thatTheFleetsTopicsWereAdoptedIsNoted() {
        scene.order(new OrderKey.AdoptFleet(), Order.Verb.ADOPT);
        assertThat(scene.events()).last().isEqualTo(Event.ORDER_APPLIED);
        assertThat(scene.decisions.getLast().reason()).isEqualTo("adopt by ada: test");
    }

    @Test
    void anOrderOfACampaignThatIsNotThereOrOfAnotherOneOfTheNameIsRefused() {
        scene.arrive(new Order(new OrderKey.Retry(UP), "1", "ada", "test", 7L, Order.Verb.RETRY));
        assertThat(scene.refusal().reason()).isEqualTo(RejectionReason.WRONG_CAMPAIGN);
        assertThat(scene.refusal().problem()).isEqualTo("there is no campaign up");
        scene.campaign(CampaignBuilder.named("up").build());
        long uid = scene.uid(UP);
        for (Long other : new Long[] {null, uid - 1, uid + 1}) {
            scene.arrive(new Order(new OrderKey.Retry(UP), "1", "ada", "test", other, Order.Verb.RETRY));
            assertThat(scene.refusal().problem()).isEqualTo("campaign up has the uid " + uid);
        }
        assertThat(scene.campaignStatus("up").retriedBelow()).isZero();
    }

    @Test
    void anOrderOfACampaignThatIsOverIsRefused() {
        scene.campaign(CampaignBuilder.named("up").build());
        scene.order(new OrderKey.State(UP), Order.Verb.ABORT);
        scene.order(new OrderKey.State(UP), Order.Verb.RUN);
        assertThat(scene.refusal().problem()).isEqualTo("campaign up is aborted");
        assertThat(scene.campaignStatus("up").state()).isEqualTo(RunState.ABORTED);
    }

    @Test
    void aRecordThatWasNotDecidedOnIsToldHoweverMuchGarbageThereIs() {
        for (int i = 0; i < 300; i++) {
            scene.poison("flotilla.inventory.north", "machine/default/m" + i);
        }
        int told = scene.rejected().size();
        Rejected first = scene.rejected().get(0);
        scene.take(new Input.Unreadable(
                new Rejected(
                        new RejectedKey("flotilla.inventory.north", 0, "machine/default/x"),
                        9,
                        RejectionReason.CANNOT_BE_DECIDED,
                        "",
                        "?",
                        "a bug",
                        scene.now),
                scene.now));
        assertThat(scene.rejected()).hasSize(told + 1);
        Rejected again =
                new Rejected(first.key(), first.offset() + 1, first.reason(), "", "?", "still not JSON", scene.now);
        scene.take(new Input.Unreadable(again, scene.now));
        assertThat(scene.rejected()).hasSize(told + 1).contains(again);
    }

    @Test
    void nothingButMachinesObjectsSitesAndCampaignsIsParked() {
        assertThatThrownBy(() -> scene.take(new Input.Parked(new OrderKey.FleetFreeze(), "a bug", scene.now)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("nothing falls due about ");
    }
}
