package dev.flotilla.core.fleet.inventory;

import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.RowChange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Orders by key and table. If the newest record was rejected and the earlier order still counts, the rejected record
 * keeps that order, because its own record may be compacted away.
 */
public final class OperatorOrderTable {
    private final Map<RowKey, OperatorOrder> rows = new LinkedHashMap<>();
    private final Map<RowKey, OperatorOrder> kept = new LinkedHashMap<>();

    /** The order of this key in force, on its own table; null for none. */
    public @Nullable OperatorOrder get(OperatorOrderKey key) {
        return isEmpty() ? null : get(new RowKey(key.table(), key));
    }

    private boolean isEmpty() {
        return rows.isEmpty() && kept.isEmpty();
    }

    /** The order in force under a row key; null for none. */
    public @Nullable OperatorOrder get(RowKey at) {
        OperatorOrder still = kept.get(at);
        return still != null ? still : rows.get(at);
    }

    public void put(OperatorOrder row) {
        rows.put(row.rowKey(), row);
    }

    public void remove(RowKey at) {
        rows.remove(at);
    }

    /** Keeps an accepted order instead of the newest record; without one, the newest record counts again. */
    public void keep(RowKey at, @Nullable RowChange accepted) {
        if (accepted instanceof OperatorOrder order) {
            kept.put(at, order);
        } else {
            kept.remove(at);
        }
    }

    /** The freeze of the fleet or a site in force; null for none, or if all are lifted. */
    public @Nullable OperatorOrder freeze(OperatorOrderKey key) {
        OperatorOrder own = get(key);
        return own != null && own.isFreeze() ? own : auditorsFreeze(key);
    }

    private @Nullable OperatorOrder auditorsFreeze(OperatorOrderKey key) {
        return key instanceof OperatorOrderKey.FreezeFleet ? freezeOn(Table.AUDITOR_ORDERS, key) : null;
    }

    /** The freeze on another table than the key's own, unless it is lifted. */
    private @Nullable OperatorOrder freezeOn(Table table, OperatorOrderKey key) {
        OperatorOrder freeze = isEmpty() ? null : get(new RowKey(table, key));
        return freeze != null && freeze.isFreeze() && !isLifted(freeze, get(key)) ? freeze : null;
    }

    /**
     * A freeze on table {@code orders}, which does not accept freezes, that is not lifted: it closes its scope. Null
     * for none.
     */
    public @Nullable OperatorOrder misplacedFreeze(OperatorOrderKey key) {
        return freezeOn(Table.ORDERS, key);
    }

    /** The order that freezes the fleet or a site, including a misplaced one. Null for none. */
    public @Nullable OperatorOrder anyFreeze(OperatorOrderKey key) {
        OperatorOrder freeze = freeze(key);
        return freeze == null ? misplacedFreeze(key) : freeze;
    }

    /** All orders that freeze the fleet or a site, including a misplaced one. Each of them must be lifted. */
    public List<OperatorOrder> allFreezes(OperatorOrderKey key) {
        List<OperatorOrder> freezes = new ArrayList<>();
        for (@Nullable OperatorOrder freeze : Arrays.asList(freeze(key), auditorsFreeze(key), misplacedFreeze(key))) {
            if (freeze != null && !freezes.contains(freeze)) {
                freezes.add(freeze);
            }
        }
        return freezes;
    }

    private static boolean isLifted(OperatorOrder freeze, @Nullable OperatorOrder own) {
        return own != null && !own.isFreeze() && own.liftedFreezes().contains(freeze.id());
    }

    /** All orders in force. */
    public List<OperatorOrder> all() {
        List<OperatorOrder> all = new ArrayList<>(kept.values());
        for (OperatorOrder row : rows.values()) {
            if (!kept.containsKey(row.rowKey())) {
                all.add(row);
            }
        }
        return all;
    }
}
