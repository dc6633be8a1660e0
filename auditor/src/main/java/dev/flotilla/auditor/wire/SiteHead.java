package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.JsonFieldReader;
import java.util.Map;

/**
 * How the orchestrator stands to a site.
 *
 * @param offsets go from {@code table/partition} to the next one to read
 * @param topics which topics those are of, by table
 * @param adoptOrderId the id of the order that had the site's topics read from their beginnings; empty for none
 * @param writtenOff whether it was given up while its topics cannot be used
 */
public record SiteHead(
        String site,
        boolean silent,
        boolean unreachable,
        Map<String, Long> offsets,
        Map<String, String> topics,
        String adoptOrderId,
        boolean writtenOff)
        implements TableRow {
    static SiteHead read(JsonFieldReader row) {
        return new SiteHead(
                row.text("site"),
                row.has("silentSince"),
                row.has("unreachableSince"),
                FleetHead.offsets(row),
                FleetHead.topics(row),
                row.text("adoptOrderId", ""),
                row.child("writeOff").has("since"));
    }
}
