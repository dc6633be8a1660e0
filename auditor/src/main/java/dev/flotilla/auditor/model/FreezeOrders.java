package dev.flotilla.auditor.model;

import dev.flotilla.auditor.wire.OperatorOrder;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Freezes by orders. Any order under the key of a freeze freezes, except one to unfreeze. A freeze in another topic
 * than that for freezes, from the auditor or an earlier version, stays in force until an order to unfreeze has its id.
 */
final class FreezeOrders {
    private static final List<String> ELSEWHERE = List.of("auditor-orders", "orders");

    private FreezeOrders() {}

    /**
     * Whether a freeze of a key is in force.
     *
     * @param orders the order in a table, by table and key
     */
    static boolean isFreezeActive(BiFunction<String, String, @Nullable OperatorOrder> orders, String key) {
        OperatorOrder own = orders.apply(OperatorOrder.homeOf(key), key);
        if (own != null && own.isFreeze()) {
            return true;
        }
        List<String> lifted = own == null ? List.of() : own.liftedFreezes();
        for (String table : ELSEWHERE) {
            OperatorOrder other = orders.apply(table, key);
            if (other != null && other.isFreeze() && !lifted.contains(other.id())) {
                return true;
            }
        }
        return false;
    }
}
