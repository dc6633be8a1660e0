package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.Fields;
import java.util.Map;

/** How the orchestrator stands to a site. */
public record SiteHead(String site, boolean silent, boolean unreachable, Map<String, Long> offsets) implements Row {
    static SiteHead read(Fields row) {
        return new SiteHead(
                row.text("site"), row.has("silentSince"), row.has("unreachableSince"), FleetHead.offsets(row));
    }
}
