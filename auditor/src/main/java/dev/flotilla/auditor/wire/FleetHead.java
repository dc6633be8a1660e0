package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.Fields;
import dev.flotilla.auditor.json.Json;
import java.util.HashMap;
import java.util.Map;

/** How far is decided. {@code offsets} go from {@code table/partition} to the next one to read. */
public record FleetHead(long term, long seq, long decided, String chain, boolean clockAgrees, Map<String, Long> offsets)
        implements Row {
    static FleetHead read(Fields row) {
        return new FleetHead(
                row.number("term"),
                row.number("seq"),
                row.instant("decided"),
                row.text("chain"),
                row.flag("clockAgrees"),
                offsets(row));
    }

    static Map<String, Long> offsets(Fields row) {
        Map<String, Long> offsets = new HashMap<>();
        for (Json item : row.items("offsets")) {
            Fields offset = Fields.of(item);
            offsets.put(offset.text("table") + "/" + offset.number("partition"), offset.number("next"));
        }
        return offsets;
    }
}
