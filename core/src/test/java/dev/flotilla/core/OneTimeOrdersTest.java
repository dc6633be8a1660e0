package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.OperatorOrder.OrderVerb;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.RejectedRecord;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An order that is not a standing one is applied once, by its id, however often it is written. */
class OneTimeOrdersTest {
    private static final CampaignName UP = new CampaignName("up");

    private final Scene scene = Scene.open();

    @BeforeEach
    void aCampaignWithManyMachines() {
        scene.cap(1);
        scene.cluster("a", 0, 9);
        scene.campaign(CampaignBuilder.named("up").build());
    }

    static Stream<OperatorOrder> orders() {
        return Stream.of(
                order(new OperatorOrderKey.SkipMachine(UP, Scene.machine("a-w-1")), OrderVerb.SKIP, "ada"),
                order(new OperatorOrderKey.RetryQuarantined(UP), OrderVerb.RETRY, "ada"),
                order(new OperatorOrderKey.AcceptMassRemoval(Scene.SITE), OrderVerb.ACCEPT_REMOVAL, "ada"),
                order(new OperatorOrderKey.WriteOffSite(Scene.SITE), OrderVerb.WRITE_OFF, "ada"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("orders")
    void writtenAgainTheyChangeNothing(OperatorOrder order) {
        scene.arrive(of(order, "once", "ada"));
        int before = scene.decisions.size();
        scene.arrive(of(order, "once", "ada"));
        assertThat(scene.decisions).hasSize(before);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("orders")
    void anotherOrderWithAKnownIdIsRefusedAndNotApplied(OperatorOrder order) {
        scene.arrive(of(order, "once", "ada"));
        int before = scene.decisions.size();
        OperatorOrder other = of(order, "once", "grace");
        scene.arrive(other);
        scene.arrive(other);
        assertThat(scene.state.orders().get(order.key()))
                .as("what the table says")
                .isEqualTo(other);
        assertThat(scene.decisions.subList(before, scene.decisions.size())).allSatisfy(said -> {
            assertThat(said.event()).isEqualTo(Event.REJECTED);
            assertThat(said.reason()).contains("once").contains("new id");
            assertThat(said.facts()).hasAtLeastOneElementOfType(RejectedRecord.class);
        });
        scene.arrive(of(order, "another", "grace"));
        assertThat(scene.rows.values()).noneMatch(RejectedRecord.class::isInstance);
    }

    /** The row is gone, so nobody can tell any more whether it is the same order. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("orders")
    void anOrderWithAKnownIdAfterATombstoneIsNotApplied(OperatorOrder order) {
        scene.arrive(of(order, "once", "ada"));
        scene.arrive(new Tombstone(order.rowKey()));
        int before = scene.decisions.size();
        scene.arrive(of(order, "once", "ada"));
        assertThat(scene.decisions.subList(before, scene.decisions.size()))
                .noneMatch(said -> said.event() == Event.ORDER_APPLIED);
    }

    @Test
    void skipsLeaveTheCampaignsRowAsItWas() {
        CampaignStatus before = scene.campaignStatus("up");
        for (int i = 1; i < 9; i++) {
            scene.order(new OperatorOrderKey.SkipMachine(UP, Scene.machine("a-w-" + i)), OrderVerb.SKIP);
            assertThat(scene.outcome("a-w-" + i)).isEqualTo(MachineOutcome.SKIPPED);
        }
        assertThat(scene.campaignStatus("up")).isEqualTo(before);
    }

    private static OperatorOrder order(OperatorOrderKey key, OrderVerb verb, String who) {
        return new OperatorOrder(key, "once", who, "test", null, verb);
    }

    private OperatorOrder of(OperatorOrder order, String id, String who) {
        @Nullable Long uid = order.key() instanceof OperatorOrderKey.CampaignOrder ? scene.uid(UP) : null;
        return new OperatorOrder(order.key(), id, who, order.reason(), uid, order.verb());
    }
}
