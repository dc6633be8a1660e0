package dev.flotilla.core.fleet.time;

import dev.flotilla.schemas.row.DurationHistogram;
import dev.flotilla.schemas.row.DurationHistogram.BucketCounts;
import dev.flotilla.schemas.row.MachineRole;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/** Counts durations of attempts in buckets whose bounds grow by a quarter, from one second. */
public final class DurationPercentiles {
    private static final int BUCKETS = 64;
    private static final long FIRST_MILLIS = 1000;
    private static final int MIN_SAMPLE = 20;

    /**
     * Maximum number of classes in a wave's row, which is written with every success. Further classes count only for
     * their role.
     */
    public static final int MOST_CLASSES = 16;

    /** Separates role and machine class. */
    private static final String WITHIN = "/";

    private static final long[] BOUNDS = computeBounds();

    private DurationPercentiles() {}

    static int bucket(Duration duration) {
        int bucket = 0;
        while (bucket < BUCKETS - 1 && duration.toMillis() > BOUNDS[bucket]) {
            bucket++;
        }
        return bucket;
    }

    /** The duration that this percentage did not exceed; null while too few are known. */
    public static @Nullable Duration percentile(BucketCounts counts, int percent) {
        long bound = boundMillis(counts.total(), percent, counts::get);
        return bound > 0 ? Duration.ofMillis(bound) : null;
    }

    /** The duration that this percentage did not exceed, in milliseconds; zero while too few are known. */
    public static long boundMillis(long total, int percent, IntToLongFunction counted) {
        if (total < MIN_SAMPLE) {
            return 0;
        }
        long wanted = (total * percent + 99) / 100;
        long seen = 0;
        for (int bucket = 0; bucket < BUCKETS - 1; bucket++) {
            seen += counted.applyAsLong(bucket);
            if (seen >= wanted) {
                return BOUNDS[bucket];
            }
        }
        return BOUNDS[BUCKETS - 1];
    }

    /** The name under which durations of a role and class are counted. */
    public static String name(MachineRole role, @Nullable String machineClass) {
        return machineClass == null ? role.label() : role.label() + WITHIN + machineClass;
    }

    public static List<DurationHistogram> plus(
            List<DurationHistogram> known, MachineRole role, @Nullable String machineClass, Duration duration) {
        String own = name(role, machineClass);
        String wanted = known.size() < MOST_CLASSES || indexOf(known, own) >= 0 ? own : role.label();
        int place = indexOf(known, wanted);
        BucketCounts before = place < 0 ? BucketCounts.of() : known.get(place).counts();
        DurationHistogram now = new DurationHistogram(wanted, before.plus(bucket(duration)));
        List<DurationHistogram> next = new ArrayList<>(known);
        if (place < 0) {
            next.add(now);
        } else {
            next.set(place, now);
        }
        return next;
    }

    private static int indexOf(List<DurationHistogram> known, String machineClass) {
        for (int i = 0; i < known.size(); i++) {
            if (known.get(i).machineClass().equals(machineClass)) {
                return i;
            }
        }
        return -1;
    }

    private static long[] computeBounds() {
        long[] bounds = new long[BUCKETS];
        bounds[0] = FIRST_MILLIS;
        for (int i = 1; i < BUCKETS; i++) {
            bounds[i] = bounds[i - 1] + bounds[i - 1] / 4;
        }
        return bounds;
    }
}
