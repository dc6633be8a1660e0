package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.Fields;

/** What somebody ordered. */
public record OrderRow(String order, String id, String who, String verb, long campaignUid) implements Row {
    static OrderRow read(Fields row) {
        return new OrderRow(
                row.text("order"), row.text("id"), row.text("who"), row.text("verb"), row.numberOr("campaignUid", 0));
    }

    /** Whether it is under the key of a freeze, where anything freezes but its lifting. */
    public boolean freezes() {
        return order.endsWith("/freeze") && !verb.equals("unfreeze");
    }
}
