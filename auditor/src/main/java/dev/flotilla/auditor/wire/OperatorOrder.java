package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.JsonFieldReader;
import java.util.List;

/**
 * An operator's order.
 *
 * @param liftedFreezes ids of freezes in other topics that an order to unfreeze ends, too
 */
public record OperatorOrder(
        String order, String id, String requestedBy, String verb, long campaignUid, List<String> liftedFreezes)
        implements TableRow {
    private static final String FREEZE = "/freeze";

    static OperatorOrder read(JsonFieldReader row) {
        return new OperatorOrder(
                row.text("order"),
                row.text("id"),
                row.text("requestedBy"),
                row.text("verb"),
                row.numberOr("campaignUid", 0),
                row.texts("liftedFreezes"));
    }

    /** The table in which an order with this key has an effect. */
    public static String homeOf(String key) {
        return key.endsWith(FREEZE)
                ? "freezes"
                : key.contains("/approve/") || key.endsWith("/overlap") ? "approvals" : "orders";
    }

    /** Whether its key is that of a freeze, where every order freezes except one to unfreeze. */
    public boolean isFreeze() {
        return order.endsWith(FREEZE) && !verb.equals("unfreeze");
    }
}
