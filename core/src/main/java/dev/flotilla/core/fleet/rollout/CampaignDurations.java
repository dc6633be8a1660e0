package dev.flotilla.core.fleet.rollout;

import dev.flotilla.core.fleet.time.DurationPercentiles;
import dev.flotilla.schemas.row.DurationHistogram;
import dev.flotilla.schemas.row.DurationHistogram.BucketCounts;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.WaveStatus;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The durations of a campaign's attempts, from the histograms of its waves. */
public final class CampaignDurations {
    private static final int ALL = -1;
    private static final int USUAL_PERCENT = 95;

    private CampaignDurations() {}

    /**
     * The duration that this percentage of a campaign's attempts did not exceed: of the machine's class, or of all of
     * its role while too few of the class are known. Null while too few of the role are known.
     */
    public static @Nullable Duration percentile(
            List<WaveProgress> waves, MachineRole role, @Nullable String machineClass, int percent) {
        long own = millis(waves, null, DurationPercentiles.name(role, machineClass), percent);
        long known = own > 0 ? own : millis(waves, role, "", percent);
        return known > 0 ? Duration.ofMillis(known) : null;
    }

    /**
     * The duration in milliseconds that 95 % of a campaign's attempts of exactly this class did not exceed; zero while
     * too few are known. The durations of other classes say nothing about it.
     */
    static long usualMillis(List<WaveProgress> waves, String name) {
        return millis(waves, null, name, USUAL_PERCENT);
    }

    /**
     * The same for a role, or for a class if no role is given. It does not add up the histograms, because it runs for
     * every report.
     */
    private static long millis(List<WaveProgress> waves, @Nullable MachineRole role, String name, int percent) {
        long total = countAttempts(waves, role, name, ALL);
        return DurationPercentiles.boundMillis(total, percent, bucket -> countAttempts(waves, role, name, bucket));
    }

    /** How many attempts are counted in a bucket, or in all buckets. */
    private static long countAttempts(List<WaveProgress> waves, @Nullable MachineRole role, String name, int bucket) {
        long counted = 0;
        for (int wave = 0; wave < waves.size(); wave++) {
            WaveStatus status = waves.get(wave).status();
            List<DurationHistogram> known = status == null ? List.of() : status.durations();
            for (int i = 0; i < known.size(); i++) {
                BucketCounts counts = known.get(i).counts();
                boolean has = bucket < counts.buckets() && isCounted(known.get(i), role, name);
                counted += !has ? 0 : bucket == ALL ? counts.total() : counts.get(bucket);
            }
        }
        return counted;
    }

    private static boolean isCounted(DurationHistogram durationHistogram, @Nullable MachineRole role, String name) {
        String its = durationHistogram.machineClass();
        if (role == null) {
            return its.equals(name);
        }
        // No role's label is a prefix of another's.
        return its.startsWith(role.label());
    }
}
