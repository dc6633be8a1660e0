package dev.flotilla.auditor.model;

import dev.flotilla.auditor.wire.OperatorOrder;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Freezes by orders. Under the key of a freeze anything but its lifting is one; one on another table than that of freezes, the
 * auditor's or where earlier versions wrote it, holds until an order to unfreeze names its id.
 */
final class FreezeOrders {
    private static final List<String> ELSEWHERE = List.of("auditor-orders", "orders");

    private FreezeOrders() {}

    /**
     * Whether a freeze of a key holds.
     *
     * @param orders the order on a table, by table and key
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
