package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OrderKey;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.Gone;
import dev.flotilla.schemas.row.Order;
import dev.flotilla.schemas.row.Order.Verb;
import dev.flotilla.schemas.row.Outcome;
import dev.flotilla.schemas.row.Rejected;
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

    static Stream<Order> orders() {
        return Stream.of(
                order(new OrderKey.Skip(UP, Scene.machine("a-w-1")), Verb.SKIP, "ada"),
                order(new OrderKey.Retry(UP), Verb.RETRY, "ada"),
                order(new OrderKey.AcceptRemoval(Scene.SITE), Verb.ACCEPT_REMOVAL, "ada"),
                order(new OrderKey.WriteOff(Scene.SITE), Verb.WRITE_OFF, "ada"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("orders")
    void writtenAgainTheyChangeNothing(Order order) {
        scene.arrive(of(order, "once", "ada"));
        int before = scene.decisions.size();
        scene.arrive(of(order, "once", "ada"));
        assertThat(scene.decisions).hasSize(before);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("orders")
    void anotherOrderWithAKnownIdIsRefusedAndNotApplied(Order order) {
        scene.arrive(of(order, "once", "ada"));
        int before = scene.decisions.size();
        Order other = of(order, "once", "grace");
        scene.arrive(other);
        scene.arrive(other);
        assertThat(scene.state.orders().get(order.key()))
                .as("what the table says")
                .isEqualTo(other);
        assertThat(scene.decisions.subList(before, scene.decisions.size())).allSatisfy(said -> {
            assertThat(said.event()).isEqualTo(Event.REJECTED);
            assertThat(said.reason()).contains("once").contains("new id");
            assertThat(said.facts()).hasAtLeastOneElementOfType(Rejected.class);
        });
        scene.arrive(of(order, "another", "grace"));
        assertThat(scene.rows.values()).noneMatch(Rejected.class::isInstance);
    }

    /** The row is gone, so nobody can tell any more whether it is the same order. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("orders")
    void anOrderWithAKnownIdAfterATombstoneIsNotApplied(Order order) {
        scene.arrive(of(order, "once", "ada"));
        scene.arrive(new Gone(order.at()));
        int before = scene.decisions.size();
        scene.arrive(of(order, "once", "ada"));
        assertThat(scene.decisions.subList(before, scene.decisions.size()))
                .noneMatch(said -> said.event() == Event.ORDER_APPLIED);
    }

    @Test
    void skipsLeaveTheCampaignsRowAsItWas() {
        CampaignStatus before = scene.campaignStatus("up");
        for (int i = 1; i < 9; i++) {
            scene.order(new OrderKey.Skip(UP, Scene.machine("a-w-" + i)), Verb.SKIP);
            assertThat(scene.outcome("a-w-" + i)).isEqualTo(Outcome.SKIPPED);
        }
        assertThat(scene.campaignStatus("up")).isEqualTo(before);
    }

    private static Order order(OrderKey key, Verb verb, String who) {
        return new Order(key, "once", who, "test", null, verb);
    }

    private Order of(Order order, String id, String who) {
        @Nullable Long uid = order.key() instanceof OrderKey.OfCampaign ? scene.uid(UP) : null;
        return new Order(order.key(), id, who, order.why(), uid, order.verb());
    }
}
