package dev.flotilla.core.fleet.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.OperatorOrder.OrderVerb;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which orders count if they are on several tables or were rejected. */
class OperatorOrderTableTest {
    private static final OperatorOrderKey FLEET = new OperatorOrderKey.FreezeFleet();
    private static final OperatorOrderKey SITE = new OperatorOrderKey.FreezeSite(new SiteId("north"));

    private final OperatorOrderTable orders = new OperatorOrderTable();

    private static OperatorOrder order(OperatorOrderKey key, String id, String who, OrderVerb verb, String... lifts) {
        return new OperatorOrder(key, id, who, "test", null, verb).withLiftedFreezes(List.of(lifts));
    }

    private void people(OrderVerb verb, String... lifts) {
        orders.put(order(FLEET, "people's", "ada", verb, lifts));
    }

    private void auditor(OperatorOrderKey key) {
        orders.put(
                order(key, "auditor's", OperatorOrder.AUDITOR, OrderVerb.FREEZE).withTable(Table.AUDITOR_ORDERS));
    }

    private String freeze(OperatorOrderKey key) {
        OperatorOrder freeze = orders.freeze(key);
        return freeze == null ? "none" : freeze.id();
    }

    private String misplaced(OperatorOrderKey key) {
        OperatorOrder freeze = orders.misplacedFreeze(key);
        return freeze == null ? "none" : freeze.id();
    }

    @Test
    void withoutAnOrderNothingIsFrozen() {
        assertThat(freeze(FLEET)).isEqualTo("none");
        assertThat(misplaced(FLEET)).isEqualTo("none");
    }

    @Test
    void anOrderFreezesAndAnotherLiftsIt() {
        people(OrderVerb.FREEZE);
        assertThat(freeze(FLEET)).isEqualTo("people's");
        people(OrderVerb.UNFREEZE);
        assertThat(freeze(FLEET)).isEqualTo("none");
        people(OrderVerb.FREEZE);
        orders.remove(new RowKey(Table.FREEZES, FLEET));
        assertThat(freeze(FLEET)).isEqualTo("none");
    }

    @Test
    void theAuditorsFreezeCountsUntilItIsLiftedByItsId() {
        auditor(FLEET);
        assertThat(freeze(FLEET)).isEqualTo("auditor's");
        people(OrderVerb.FREEZE, "auditor's");
        assertThat(freeze(FLEET)).isEqualTo("people's");
        people(OrderVerb.UNFREEZE);
        assertThat(freeze(FLEET)).isEqualTo("auditor's");
        people(OrderVerb.UNFREEZE, "another");
        assertThat(freeze(FLEET)).isEqualTo("auditor's");
        people(OrderVerb.UNFREEZE, "another", "auditor's");
        assertThat(freeze(FLEET)).isEqualTo("none");
    }

    @Test
    void listsAllFreezesThatMustBeLifted() {
        assertThat(orders.allFreezes(FLEET)).isEmpty();
        auditor(FLEET);
        people(OrderVerb.FREEZE);
        orders.put(order(FLEET, "old", "ada", OrderVerb.FREEZE).withTable(Table.ORDERS));
        assertThat(orders.allFreezes(FLEET))
                .extracting(OperatorOrder::id)
                .containsExactly("people's", "auditor's", "old");
        people(OrderVerb.UNFREEZE, "auditor's");
        assertThat(orders.allFreezes(FLEET)).extracting(OperatorOrder::id).containsExactly("old");
        auditor(SITE);
        assertThat(orders.allFreezes(SITE)).isEmpty();
    }

    @Test
    void otherOrdersOnTheAuditorsTableFreezeNothing() {
        orders.put(order(FLEET, "lifts", "ada", OrderVerb.UNFREEZE).withTable(Table.AUDITOR_ORDERS));
        assertThat(freeze(FLEET)).isEqualTo("none");
        auditor(SITE);
        assertThat(freeze(SITE)).as("the auditor freezes no site").isEqualTo("none");
    }

    @Test
    void aFreezeOnTheTableOfOtherOrdersCountsUntilItIsLifted() {
        orders.put(order(SITE, "misplaced", "ada", OrderVerb.UNFREEZE).withTable(Table.ORDERS));
        assertThat(misplaced(SITE)).isEqualTo("none");
        orders.put(order(SITE, "misplaced", "ada", OrderVerb.FREEZE).withTable(Table.ORDERS));
        assertThat(misplaced(SITE)).isEqualTo("misplaced");
        assertThat(freeze(SITE)).isEqualTo("none");
        orders.put(order(SITE, "lift", "ada", OrderVerb.UNFREEZE));
        assertThat(misplaced(SITE)).isEqualTo("misplaced");
        orders.put(order(SITE, "freeze", "ada", OrderVerb.FREEZE, "misplaced"));
        assertThat(misplaced(SITE)).isEqualTo("misplaced");
        orders.put(order(SITE, "lift", "ada", OrderVerb.UNFREEZE, "misplaced"));
        assertThat(misplaced(SITE)).isEqualTo("none");
    }

    @Test
    void theLastAcceptedOrderCountsInsteadOfARejectedOne() {
        OperatorOrder kept = order(SITE, "kept", "ada", OrderVerb.FREEZE);
        OperatorOrder newest = order(SITE, "newest", "ada", OrderVerb.UNFREEZE);
        OperatorOrder other =
                order(new OperatorOrderKey.RetryQuarantined(new CampaignName("up")), "other", "ada", OrderVerb.RETRY);
        orders.put(newest);
        orders.put(other);
        orders.keep(kept.rowKey(), kept);
        assertThat(orders.get(SITE)).isEqualTo(kept);
        assertThat(orders.all()).containsExactlyInAnyOrder(kept, other);
        orders.keep(kept.rowKey(), null);
        assertThat(orders.get(SITE)).isEqualTo(newest);
        assertThat(orders.all()).containsExactlyInAnyOrder(newest, other);
    }
}
