package dev.flotilla.core.attempt;

import dev.flotilla.schemas.row.CampaignStatus;
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

    static @Nullable Counts of(CampaignStatus status, Role role) {
        for (Durations durations : status.durations()) {
            if (durations.machineClass().equals(role.label())) {
                return durations.counts();
            }
        }
        return null;
    }

    static List<Durations> plus(List<Durations> known, Role role, Duration duration) {
        List<Durations> next = new ArrayList<>(known.size() + 1);
        boolean counted = false;
        for (Durations durations : known) {
            if (durations.machineClass().equals(role.label())) {
                next.add(new Durations(role.label(), durations.counts().plus(bucket(duration))));
                counted = true;
            } else {
                next.add(durations);
            }
        }
        if (!counted) {
            next.add(new Durations(role.label(), Counts.of().plus(bucket(duration))));
        }
        return next;
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
