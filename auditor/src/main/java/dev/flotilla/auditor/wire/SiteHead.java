package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.JsonFieldReader;
import java.util.List;
import java.util.Map;

/**
 * The head row of a site.
 *
 * @param offsets map {@code table/partition} to the next offset to read
 * @param topics the ids of the topics that the offsets refer to, by table
 * @param adoptOrderId the id of the order after which the site's topics were read from their beginnings; empty for none
 * @param writtenOff whether the site was written off while it is suspended
 * @param writtenOffBefore attempts with lower ids were written off
 * @param lostTables the tables that lost records, until an operator adopts the site's topics
 */
public record SiteHead(
        String site,
        boolean silent,
        boolean unreachable,
        Map<String, Long> offsets,
        Map<String, String> topics,
        String adoptOrderId,
        boolean writtenOff,
        long writtenOffBefore,
        List<String> lostTables)
        implements TableRow {
    static SiteHead read(JsonFieldReader row) {
        return new SiteHead(
                row.text("site"),
                row.has("silentSince"),
                row.has("unreachableSince"),
                FleetHead.offsets(row),
                FleetHead.topics(row),
                row.text("adoptOrderId", ""),
                row.child("writeOff").has("since"),
                row.child("writeOff").numberOr("beforeAttempt", 0),
                row.texts("lostTables"));
    }
}
