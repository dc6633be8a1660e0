package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.Fields;
import java.util.List;

/**
 * What somebody ordered.
 *
 * @param lifts the freezes on other topics that an order to unfreeze lifts too, by their ids
 */
public record OrderRow(String order, String id, String who, String verb, long campaignUid, List<String> lifts)
        implements Row {
    private static final String FREEZE = "/freeze";

    static OrderRow read(Fields row) {
        return new OrderRow(
                row.text("order"),
                row.text("id"),
                row.text("who"),
                row.text("verb"),
                row.numberOr("campaignUid", 0),
                row.texts("lifts"));
    }

    /** The table of orders on which an order of this key counts. */
    public static String homeOf(String key) {
        return key.endsWith(FREEZE)
                ? "freezes"
                : key.contains("/approve/") || key.endsWith("/overlap") ? "approvals" : "orders";
    }

    /** Whether it is under the key of a freeze, where anything freezes but its lifting. */
    public boolean freezes() {
        return order.endsWith(FREEZE) && !verb.equals("unfreeze");
    }
}
