package dev.flotilla.schemas.row;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a campaign upgrades, to which target and how.
 *
 * @param target the target of every selected machine
 * @param expectedVersion the Kubernetes version that the node must show after the upgrade
 * @param waves in order; the last one takes the clusters that no other selects
 * @param maxInFlight machines of this campaign that may be in flight at once; null for no cap
 * @param maxInFlightPerCluster machines of one cluster that may be in flight at once; null for no cap
 * @param failureBudget how many machines may fail before no more machines start; null for no budget
 * @param deadline no machine starts and no call is made after it
 * @param maxUnavailable workers of a cluster that may be unavailable or in flight at once
 * @param checks what must hold before and after each call
 * @param constraints all other constraints
 */
public record CampaignSpec(
        UpgradeTarget target,
        @Nullable String expectedVersion,
        MachineSelection selection,
        List<Wave> waves,
        @Nullable CountOrPercent maxInFlight,
        @Nullable CountOrPercent maxInFlightPerCluster,
        @Nullable FailureBudget failureBudget,
        @Nullable Instant startAt,
        @Nullable Instant deadline,
        int priority,
        CountOrPercent maxUnavailable,
        boolean controlPlaneFirst,
        RetryRule retryRule,
        CampaignChecks checks,
        CampaignConstraints constraints) {
    public static final int DEFAULT_PRIORITY = 50;

    public static final CountOrPercent DEFAULT_MAX_UNAVAILABLE = new CountOrPercent.Count(1);

    /** The waves of a campaign that specifies none. */
    public static final List<Wave> SINGLE_WAVE = List.of(new Wave("all", List.of(), LabelSelector.ALL, false, 100));

    public CampaignSpec {
        waves = List.copyOf(waves);
    }


    private CampaignSpec with(CampaignChecks around, CampaignConstraints further) {
        return new CampaignSpec(
                target,
                expectedVersion,
                selection,
                waves,
                maxInFlight,
                maxInFlightPerCluster,
                failureBudget,
                startAt,
                deadline,
                priority,
                maxUnavailable,
                controlPlaneFirst,
                retryRule,
                around,
                further);
    }
}
