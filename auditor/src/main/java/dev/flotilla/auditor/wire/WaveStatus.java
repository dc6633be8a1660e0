package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.JsonFieldReader;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The status row of a wave. */
public record WaveStatus(
        String campaign,
        String wave,
        long campaignUid,
        @Nullable Long sharePartsPerMillion,
        boolean opened,
        boolean approved,
        @Nullable Long lastSuccess,
        boolean closed,
        Map<String, SortedMap<Integer, Long>> durations)
        implements TableRow {
    static WaveStatus read(JsonFieldReader row) {
        return new WaveStatus(
                row.text("campaign"),
                row.text("wave"),
                row.number("campaignUid"),
                row.has("sharePartsPerMillion") ? (Long) row.number("sharePartsPerMillion") : null,
                row.has("openedAt"),
                row.has("approvedBy"),
                row.instantOrNull("lastSuccessAt"),
                row.has("closedAt"),
                durations(row.child("durations")));
    }

    /** The number of attempts, by role and duration bucket. */
    private static Map<String, SortedMap<Integer, Long>> durations(JsonFieldReader durations) {
        Map<String, SortedMap<Integer, Long>> all = new TreeMap<>();
        for (String role : durations.names()) {
            JsonFieldReader buckets = durations.child(role);
            SortedMap<Integer, Long> counts = new TreeMap<>();
            buckets.names().forEach(bucket -> counts.put(Integer.valueOf(bucket), buckets.number(bucket)));
            all.put(role, counts);
        }
        return all;
    }
}
