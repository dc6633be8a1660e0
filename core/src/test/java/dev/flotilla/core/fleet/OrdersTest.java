package dev.flotilla.core.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.Order;
import dev.flotilla.schemas.row.Order.Verb;
import dev.flotilla.schemas.topic.Table;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which orders count, of those that stand on several tables and of those that were refused. */
class OrdersTest {
    private static final OrderKey FLEET = new OrderKey.FleetFreeze();
    private static final OrderKey SITE = new OrderKey.SiteFreeze(new SiteId("north"));

    private final Orders orders = new Orders();

    private static Order order(OrderKey key, String id, String who, Verb verb, String... lifts) {
        return new Order(key, id, who, "test", null, verb).lifting(List.of(lifts));
    }

    private void people(Verb verb, String... lifts) {
        orders.put(order(FLEET, "people's", "ada", verb, lifts));
    }

    private void auditor(OrderKey key) {
        orders.put(order(key, "auditor's", Order.AUDITOR, Verb.FREEZE).on(Table.AUDITOR_ORDERS));
    }

    private String freeze(OrderKey key) {
        Order freeze = orders.freeze(key);
        return freeze == null ? "none" : freeze.id();
    }

    private String misplaced(OrderKey key) {
        Order freeze = orders.misplacedFreeze(key);
        return freeze == null ? "none" : freeze.id();
    }

    @Test
    void withoutAnOrderNothingIsFrozen() {
        assertThat(freeze(FLEET)).isEqualTo("none");
        assertThat(misplaced(FLEET)).isEqualTo("none");
    }

    @Test
    void peopleFreezeAndUnfreeze() {
        people(Verb.FREEZE);
        assertThat(freeze(FLEET)).isEqualTo("people's");
        people(Verb.UNFREEZE);
        assertThat(freeze(FLEET)).isEqualTo("none");
        people(Verb.FREEZE);
        orders.remove(new RowKey(Table.FREEZES, FLEET));
        assertThat(freeze(FLEET)).isEqualTo("none");
    }

    @Test
    void theAuditorsFreezeCountsUntilPeopleLiftItByItsId() {
        auditor(FLEET);
        assertThat(freeze(FLEET)).isEqualTo("auditor's");
        people(Verb.FREEZE, "auditor's");
        assertThat(freeze(FLEET)).isEqualTo("people's");
        people(Verb.UNFREEZE);
        assertThat(freeze(FLEET)).isEqualTo("auditor's");
        people(Verb.UNFREEZE, "another");
        assertThat(freeze(FLEET)).isEqualTo("auditor's");
        people(Verb.UNFREEZE, "another", "auditor's");
        assertThat(freeze(FLEET)).isEqualTo("none");
    }

    @Test
    void whatElseStandsOnTheAuditorsTableFreezesNothing() {
        orders.put(order(FLEET, "lifts", "ada", Verb.UNFREEZE).on(Table.AUDITOR_ORDERS));
        assertThat(freeze(FLEET)).isEqualTo("none");
        auditor(SITE);
        assertThat(freeze(SITE)).as("the auditor freezes no site").isEqualTo("none");
    }

    @Test
    void aFreezeOnTheTableOfOtherOrdersCountsUntilItIsLifted() {
        orders.put(order(SITE, "misplaced", "ada", Verb.UNFREEZE).on(Table.ORDERS));
        assertThat(misplaced(SITE)).isEqualTo("none");
        orders.put(order(SITE, "misplaced", "ada", Verb.FREEZE).on(Table.ORDERS));
        assertThat(misplaced(SITE)).isEqualTo("misplaced");
        assertThat(freeze(SITE)).isEqualTo("none");
        orders.put(order(SITE, "lift", "ada", Verb.UNFREEZE));
        assertThat(misplaced(SITE)).isEqualTo("misplaced");
        orders.put(order(SITE, "freeze", "ada", Verb.FREEZE, "misplaced"));
        assertThat(misplaced(SITE)).isEqualTo("misplaced");
        orders.put(order(SITE, "lift", "ada", Verb.UNFREEZE, "misplaced"));
        assertThat(misplaced(SITE)).isEqualTo("none");
    }

    @Test
    void whatIsKeptCountsInPlaceOfTheNewestRecordUntilItIsKeptNoMore() {
        Order kept = order(SITE, "kept", "ada", Verb.FREEZE);
        Order newest = order(SITE, "newest", "ada", Verb.UNFREEZE);
        Order other = order(new OrderKey.Retry(new CampaignName("up")), "other", "ada", Verb.RETRY);
        orders.put(newest);
        orders.put(other);
        orders.keep(kept.at(), kept);
        assertThat(orders.get(SITE)).isEqualTo(kept);
        assertThat(orders.all()).containsExactlyInAnyOrder(kept, other);
        orders.keep(kept.at(), null);
        assertThat(orders.get(SITE)).isEqualTo(newest);
        assertThat(orders.all()).containsExactlyInAnyOrder(newest, other);
    }
}
