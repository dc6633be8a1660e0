package dev.flotilla.core.attempt;

import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.WaveCount;
import dev.flotilla.schemas.row.Durations;
import dev.flotilla.schemas.row.Durations.Counts;
import dev.flotilla.schemas.row.Role;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Counts how long attempts took, in buckets whose bounds grow by a quarter from one second on. */
public final class DurationBuckets {
    private static final int BUCKETS = 64;
    private static final long FIRST_MILLIS = 1000;
    private static final int ENOUGH = 20;
    private static final long[] BOUNDS = bounds();

    private DurationBuckets() {}

    static int bucket(Duration duration) {
        int bucket = 0;
        while (bucket < BUCKETS - 1 && duration.toMillis() > BOUNDS[bucket]) {
            bucket++;
        }
        return bucket;
    }

    /** A bound that so many of a hundred did not exceed; null while too few are known. */
    public static @Nullable Duration percentile(Counts counts, int percent) {
        long total = counts.total();
        if (total < ENOUGH) {
            return null;
        }
        long wanted = (total * percent + 99) / 100;
        long seen = 0;
        for (int bucket = 0; bucket < counts.buckets(); bucket++) {
            seen += counts.get(bucket);
            if (seen >= wanted) {
                return Duration.ofMillis(BOUNDS[bucket]);
            }
        }
        return Duration.ofMillis(BOUNDS[BUCKETS - 1]);
    }

    /** Of one role in all waves of a campaign. */
    static Counts of(CampaignRollout campaign, Role role) {
        Counts all = Counts.of();
        for (WaveCount wave : campaign.waves()) {
            List<Durations> known =
                    wave.status() == null ? List.of() : wave.status().durations();
            int place = place(known, role);
            all = place < 0 ? all : all.plus(known.get(place).counts());
        }
        return all;
    }

    static List<Durations> plus(List<Durations> known, Role role, Duration duration) {
        int place = place(known, role);
        Counts before = place < 0 ? Counts.of() : known.get(place).counts();
        Durations now = new Durations(role.label(), before.plus(bucket(duration)));
        if (known.size() == 2 && place >= 0) {
            return place == 0 ? List.of(now, known.get(1)) : List.of(known.get(0), now);
        }
        List<Durations> next = new ArrayList<>(known);
        if (place < 0) {
            next.add(now);
        } else {
            next.set(place, now);
        }
        return next;
    }

    private static int place(List<Durations> known, Role role) {
        for (int i = 0; i < known.size(); i++) {
            if (known.get(i).machineClass().equals(role.label())) {
                return i;
            }
        }
        return -1;
    }

    private static long[] bounds() {
        long[] bounds = new long[BUCKETS];
        bounds[0] = FIRST_MILLIS;
        for (int i = 1; i < BUCKETS; i++) {
            bounds[i] = bounds[i - 1] + bounds[i - 1] / 4;
        }
        return bounds;
    }
}
