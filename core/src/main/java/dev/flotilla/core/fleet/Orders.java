package dev.flotilla.core.fleet;

import dev.flotilla.schemas.id.OrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.row.Fact;
import dev.flotilla.schemas.row.Order;
import dev.flotilla.schemas.topic.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Orders by the places where they stand. Where the newest record was refused and what it replaced still counts, the row of the
 * refusal keeps the order that counts: the order's own record may be compacted away.
 */
final class Orders {
    private final Map<RowKey, Order> rows = new LinkedHashMap<>();
    private final Map<RowKey, Order> kept = new LinkedHashMap<>();

    /** The order of a kind that counts; null for none. */
    @Nullable
    Order get(OrderKey key) {
        return get(new RowKey(Table.ORDERS, key));
    }

    /** The order that counts at a place; null for none. */
    @Nullable
    Order get(RowKey at) {
        Order still = kept.get(at);
        return still != null ? still : rows.get(at);
    }

    void put(Order row) {
        rows.put(row.at(), row);
    }

    void remove(RowKey at) {
        rows.remove(at);
    }

    /** Keeps an order whatever the newest record of its place says; without one that record counts again. */
    void keep(RowKey at, @Nullable Fact accepted) {
        if (accepted instanceof Order order) {
            kept.put(at, order);
        } else {
            kept.remove(at);
        }
    }

    /** All orders that count. */
    List<Order> all() {
        List<Order> all = new ArrayList<>(kept.values());
        for (Order row : rows.values()) {
            if (!kept.containsKey(row.at())) {
                all.add(row);
            }
        }
        return all;
    }
}
