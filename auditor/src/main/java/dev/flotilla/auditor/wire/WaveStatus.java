package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.Fields;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** How far a wave is. */
public record WaveStatus(
        String campaign,
        String wave,
        long campaignUid,
        @Nullable Long bound,
        boolean opened,
        boolean approved,
        @Nullable Long lastSuccess,
        boolean closed,
        Map<String, SortedMap<Integer, Long>> durations)
        implements Row {
    static WaveStatus read(Fields row) {
        return new WaveStatus(
                row.text("campaign"),
                row.text("wave"),
                row.number("campaignUid"),
                row.has("bound") ? (Long) row.number("bound") : null,
                row.has("opened"),
                row.has("approvedBy"),
                row.instantOrNull("lastSuccess"),
                row.has("closed"),
                durations(row.in("durations")));
    }

    /** How many attempts there were, by role and bucket. */
    private static Map<String, SortedMap<Integer, Long>> durations(Fields durations) {
        Map<String, SortedMap<Integer, Long>> all = new TreeMap<>();
        for (String role : durations.names()) {
            Fields buckets = durations.in(role);
            SortedMap<Integer, Long> counts = new TreeMap<>();
            buckets.names().forEach(bucket -> counts.put(Integer.valueOf(bucket), buckets.number(bucket)));
            all.put(role, counts);
        }
        return all;
    }
}
