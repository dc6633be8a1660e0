package dev.flotilla.cli.campaign;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.rollout.WaveProgress;
import dev.flotilla.core.fleet.time.DurationPercentiles;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.DurationHistogram;
import dev.flotilla.schemas.row.DurationHistogram.BucketCounts;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.simulator.rollout.CampaignForecaster;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Model of upgrade durations: drawn from measured upgrades of machines of the same class, or else around the policies'
 * estimate, which 95 % of the draws do not exceed.
 */
final class MeasuredUpgradeDurations implements CampaignForecaster.UpgradeDurationModel {
    private static final double SIGMA = 0.25;

    /** 95th percentile of the standard normal distribution. */
    private static final double USUAL = 1.645;

    private static final int HUNDRED = 100;

    private final Map<String, BucketCounts> countsByClass = new LinkedHashMap<>();
    private final Random random;

    /** Learns from the durations of these campaigns; equal seeds draw equal durations. */
    MeasuredUpgradeDurations(FleetState state, long seed) {
        this.random = new Random(seed);
        for (CampaignRollout campaign : state.campaigns().values()) {
            for (WaveProgress wave : campaign.waves()) {
                List<DurationHistogram> durations =
                        wave.status() == null ? List.of() : wave.status().durations();
                durations.forEach(each -> countsByClass.merge(each.machineClass(), each.counts(), BucketCounts::plus));
            }
        }
    }

    /** Number of measured upgrades. */
    long countUpgrades() {
        return countsByClass.values().stream().mapToLong(BucketCounts::total).sum();
    }

    @Override
    public long millis(FleetState state, Campaign campaign, MachineView machine) {
        Duration took = DurationPercentiles.percentile(counts(state, machine), 1 + random.nextInt(HUNDRED));
        double spread = SIGMA * random.nextGaussian();
        CampaignRollout rollout = state.rollout(campaign.name());
        if (took != null || rollout == null) {
            return took == null ? 1 : took.toMillis();
        }
        return Math.max(
                1, (long) (state.expectedDurationMillis(rollout, machine) * StrictMath.exp(spread - SIGMA * USUAL)));
    }

    private BucketCounts counts(FleetState state, MachineView machine) {
        String machineClass = state.timeoutsOf(machine.key().site()).machineClass(machine);
        return countsByClass.getOrDefault(name(machine.role(), machineClass), BucketCounts.of());
    }

    private static String name(MachineRole role, @Nullable String machineClass) {
        return machineClass == null ? role.label() : role.label() + "/" + machineClass;
    }
}
