package dev.flotilla.auditor.model;

import dev.flotilla.auditor.wire.OrderRow;
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
    static boolean hold(BiFunction<String, String, @Nullable OrderRow> orders, String key) {
        OrderRow own = orders.apply(OrderRow.homeOf(key), key);
        if (own != null && own.freezes()) {
            return true;
        }
        List<String> lifted = own == null ? List.of() : own.lifts();
        for (String table : ELSEWHERE) {
            OrderRow other = orders.apply(table, key);
            if (other != null && other.freezes() && !lifted.contains(other.id())) {
                return true;
            }
        }
        return false;
    }
}
