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
public final class Orders {
    private final Map<RowKey, Order> rows = new LinkedHashMap<>();
    private final Map<RowKey, Order> kept = new LinkedHashMap<>();

    /** The order of a kind that counts, where it belongs; null for none. */
    public @Nullable Order get(OrderKey key) {
        return get(new RowKey(key.table(), key));
    }

    /** The order that counts at a place; null for none. */
    public @Nullable Order get(RowKey at) {
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

    /** The freeze of the fleet or a site that counts; null for none, and where all are lifted. */
    public @Nullable Order freeze(OrderKey key) {
        Order own = get(key);
        if (own != null && own.freezes()) {
            return own;
        }
        Order auditors = key instanceof OrderKey.FleetFreeze ? get(new RowKey(Table.AUDITOR_ORDERS, key)) : null;
        return auditors != null && auditors.freezes() && !isLifted(auditors, own) ? auditors : null;
    }

    /** A freeze on the table {@code orders}, where none belongs, that nobody has lifted: it closes its scope. Null for none. */
    public @Nullable Order misplacedFreeze(OrderKey key) {
        Order misplaced = get(new RowKey(Table.ORDERS, key));
        return misplaced != null && misplaced.freezes() && !isLifted(misplaced, get(key)) ? misplaced : null;
    }

    /** The order that stops the fleet or a site: its freeze, or one where none belongs. Null for none. */
    public @Nullable Order closing(OrderKey key) {
        Order freeze = freeze(key);
        return freeze == null ? misplacedFreeze(key) : freeze;
    }

    private static boolean isLifted(Order freeze, @Nullable Order own) {
        return own != null && !own.freezes() && own.lifts().contains(freeze.id());
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
