package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.row.Gone;
import dev.flotilla.schemas.row.Order;
import dev.flotilla.schemas.row.Order.Verb;
import dev.flotilla.schemas.row.Rejected;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.RunState;
import dev.flotilla.schemas.topic.Table;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The auditor's one power is to freeze the fleet, on a table of its own; in its name nobody orders anything elsewhere. */
class AuditorsOrdersTest {
    private static final CampaignName UP = new CampaignName("up");

    private final Scene scene = Scene.open();

    @BeforeEach
    void oneMachineAtWorkAndOneThatWaits() {
        scene.cap(1);
        scene.cluster("a", 0, 2);
        scene.campaign(CampaignBuilder.named("up").build());
        assertThat(scene.inFlight()).hasSize(1);
    }

    static Stream<Arguments> everythingElse() {
        return Stream.of(
                Arguments.of(new OrderKey.State(UP), Verb.RUN),
                Arguments.of(new OrderKey.State(UP), Verb.PAUSE),
                Arguments.of(new OrderKey.State(UP), Verb.ABORT),
                Arguments.of(new OrderKey.Approve(UP, "all"), Verb.APPROVE),
                Arguments.of(new OrderKey.Overlap(UP), Verb.APPROVE),
                Arguments.of(new OrderKey.Skip(UP, Scene.machine("a-w-1")), Verb.SKIP),
                Arguments.of(new OrderKey.Retry(UP), Verb.RETRY),
                Arguments.of(new OrderKey.FleetFreeze(), Verb.UNFREEZE),
                Arguments.of(new OrderKey.SiteFreeze(Scene.SITE), Verb.FREEZE),
                Arguments.of(new OrderKey.SiteFreeze(Scene.SITE), Verb.UNFREEZE),
                Arguments.of(new OrderKey.AcceptRemoval(Scene.SITE), Verb.ACCEPT_REMOVAL),
                Arguments.of(new OrderKey.WriteOff(Scene.SITE), Verb.WRITE_OFF));
    }

    @ParameterizedTest(name = "{1} under {0}")
    @MethodSource("everythingElse")
    void isRefusedWithItsReason(OrderKey key, Verb verb) {
        order(key, verb, Order.AUDITOR);
        Rejected row = rejected();
        assertThat(row).isNotNull();
        assertThat(row.key().key()).isEqualTo(key.toString());
        assertThat(row.reason()).isEqualTo(RejectionReason.CONTRADICTION);
        assertThat(row.path()).isEqualTo("who");
        assertThat(row.value()).isEqualTo("auditor");
        assertThat(row.problem())
                .contains("only flotilla.auditor-orders holds the auditor's orders")
                .contains(verb.label());
        assertThat(scene.campaignStatus("up").state()).isEqualTo(RunState.RUNNING);
        assertThat(scene.campaignStatus("up").appliedOrders()).isEmpty();
        assertThat(scene.status("a-w-1")).as("who waited waits").isNull();
    }

    @ParameterizedTest(name = "{1} under {0}")
    @MethodSource("everythingElse")
    void isAnotherMattersOfAPersons(OrderKey key, Verb verb) {
        order(key, verb, "ada");
        Rejected row = rejected();
        assertThat(row == null || !row.path().equals("who"))
                .as("refused for who ordered it")
                .isTrue();
    }

    @Test
    void freezesTheFleetAndTakesBackWhatIsOut() {
        auditorFreezes("auditor-7");
        assertThat(rejected()).isNull();
        assertThat(scene.attempt("a-w-0").cancelled()).isTrue();
        assertThat(scene.closed("a-w-1")).contains(GateLabel.FREEZE);
        assertThat(scene.explain("a-w-1").toString()).contains("by the order auditor-7 of auditor: caps");
    }

    @Test
    void isLiftedByAPersonWhoNamesIt() {
        auditorFreezes("auditor-7");
        unfreeze("not-the-auditors");
        assertThat(scene.closed("a-w-1")).contains(GateLabel.FREEZE);
        unfreeze("auditor-7");
        assertThat(scene.closed("a-w-1")).doesNotContain(GateLabel.FREEZE);
        assertThat(rejected()).isNull();
        auditorFreezes("auditor-9");
        assertThat(scene.closed("a-w-1")).as("another one").contains(GateLabel.FREEZE);
    }

    @Test
    void isNotLiftedByALaterUnfreezeThatNamesNothing() {
        auditorFreezes("auditor-7");
        unfreeze("auditor-7");
        order(new OrderKey.FleetFreeze(), Verb.FREEZE, "ada");
        order(new OrderKey.FleetFreeze(), Verb.UNFREEZE, "ada");
        assertThat(scene.closed("a-w-1")).contains(GateLabel.FREEZE);
    }

    @Test
    void isNotLiftedByATombstone() {
        auditorFreezes("auditor-7");
        scene.arrive(new Gone(new RowKey(Table.AUDITOR_ORDERS, new OrderKey.FleetFreeze())));
        assertThat(scene.closed("a-w-1")).contains(GateLabel.FREEZE);
        assertThat(rejected()).isNotNull();
        unfreeze("auditor-7");
        assertThat(scene.closed("a-w-1")).doesNotContain(GateLabel.FREEZE);
    }

    @Test
    void closesTheFleetAlsoWhereItCannotBeRead() {
        scene.poison("flotilla.auditor-orders", "fleet/freeze");
        assertThat(scene.closed("a-w-1")).contains(GateLabel.REJECTED_INPUT);
        assertThat(scene.explain("a-w-1").toString()).contains("flotilla.auditor-orders");
    }

    @Test
    void liftsNoFreezeThatAPersonOrdered() {
        order(new OrderKey.FleetFreeze(), Verb.FREEZE, "ada");
        order(new OrderKey.FleetFreeze(), Verb.UNFREEZE, Order.AUDITOR);
        assertThat(scene.closed("a-w-1")).contains(GateLabel.FREEZE);
        order(new OrderKey.FleetFreeze(), Verb.UNFREEZE, "ada");
        assertThat(scene.closed("a-w-1")).doesNotContain(GateLabel.FREEZE);
        assertThat(rejected()).as("a readable order took its place").isNull();
    }

    private void auditorFreezes(String id) {
        scene.arrive(new Order(new OrderKey.FleetFreeze(), id, Order.AUDITOR, "caps", null, Verb.FREEZE)
                .on(Table.AUDITOR_ORDERS));
    }

    private void unfreeze(String lifts) {
        scene.arrive(new Order(new OrderKey.FleetFreeze(), "u-" + lifts, "ada", "read it", null, Verb.UNFREEZE)
                .lifting(List.of(lifts)));
    }

    private void order(OrderKey key, Verb verb, String who) {
        Long uid = key instanceof OrderKey.OfCampaign of ? scene.uid(of.campaign()) : null;
        scene.arrive(new Order(key, "by-" + who + "-" + verb.label(), who, "a test", uid, verb));
    }

    private @Nullable Rejected rejected() {
        return scene.rows.values().stream()
                .filter(Rejected.class::isInstance)
                .map(Rejected.class::cast)
                .findFirst()
                .orElse(null);
    }
}
