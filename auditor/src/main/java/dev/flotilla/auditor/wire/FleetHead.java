package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.Fields;
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
        Fields tables = row.in("offsets");
        for (String table : tables.object().members().keySet()) {
            Fields partitions = tables.in(table);
            for (String partition : partitions.object().members().keySet()) {
                offsets.put(table + "/" + partition, partitions.number(partition));
            }
        }
        return offsets;
    }
}
