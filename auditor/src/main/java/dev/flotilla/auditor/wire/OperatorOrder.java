package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.JsonFieldReader;
import java.util.List;

/**
 * What somebody ordered.
 *
 * @param liftedFreezes the freezes on other topics that an order to unfreeze lifts too, by their ids
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

    /** The table of orders on which an order of this key counts. */
    public static String homeOf(String key) {
        return key.endsWith(FREEZE)
                ? "freezes"
                : key.contains("/approve/") || key.endsWith("/overlap") ? "approvals" : "orders";
    }

    /** Whether it is under the key of a freeze, where anything freezes but its lifting. */
    public boolean isFreeze() {
        return order.endsWith(FREEZE) && !verb.equals("unfreeze");
    }
}
