package dev.flotilla.core.fleet.rollout;

import dev.flotilla.core.fleet.time.DurationPercentiles;
import dev.flotilla.schemas.row.DurationHistogram;
import dev.flotilla.schemas.row.DurationHistogram.BucketCounts;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.WaveStatus;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How long a campaign's attempts took, from what its waves have counted. */
public final class CampaignDurations {
    private static final int ALL = -1;
    private static final int USUAL_PERCENT = 95;

    private CampaignDurations() {}

    /**
     * A bound that so many of a hundred of a campaign's attempts did not exceed: of those of the same class, or of all of the
     * role while too few of the class are known. Null while too few are known of the role.
     */
    public static @Nullable Duration percentile(
            List<WaveProgress> waves, MachineRole role, @Nullable String machineClass, int percent) {
        long own = millis(waves, null, DurationPercentiles.name(role, machineClass), percent);
        long known = own > 0 ? own : millis(waves, role, "", percent);
        return known > 0 ? Duration.ofMillis(known) : null;
    }

    /**
     * What 95 of 100 of a campaign's attempts of exactly this class did not exceed, in milliseconds; zero while too few of it
     * are known. What others take says nothing about them.
     */
    static long usualMillis(List<WaveProgress> waves, String name) {
        return millis(waves, null, name, USUAL_PERCENT);
    }

    /** The same of a role, or of a class where no role is given, without adding the counts up: asked with every report. */
    private static long millis(List<WaveProgress> waves, @Nullable MachineRole role, String name, int percent) {
        long total = counted(waves, role, name, ALL);
        return DurationPercentiles.boundMillis(total, percent, bucket -> counted(waves, role, name, bucket));
    }

    /** How many of a campaign's attempts are counted in a bucket, or in all of them. */
    private static long counted(List<WaveProgress> waves, @Nullable MachineRole role, String name, int bucket) {
        long counted = 0;
        for (int wave = 0; wave < waves.size(); wave++) {
            WaveStatus status = waves.get(wave).status();
            List<DurationHistogram> known = status == null ? List.of() : status.durations();
            for (int i = 0; i < known.size(); i++) {
                BucketCounts counts = known.get(i).counts();
                boolean has = bucket < counts.buckets() && counts(known.get(i), role, name);
                counted += !has ? 0 : bucket == ALL ? counts.total() : counts.get(bucket);
            }
        }
        return counted;
    }

    private static boolean counts(DurationHistogram durationHistogram, @Nullable MachineRole role, String name) {
        String its = durationHistogram.machineClass();
        if (role == null) {
            return its.equals(name);
        }
        // No role's label begins with another's.
        return its.startsWith(role.label());
    }
}
