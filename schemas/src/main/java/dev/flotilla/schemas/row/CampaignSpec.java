package dev.flotilla.schemas.row;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a campaign is to do.
 *
 * @param target where every selected machine is to go
 * @param expectedVersion the Kubernetes version that the node must show as well
 * @param waves in their order; the last one takes what no other selected
 * @param maxInFlight machines of this campaign that may be in flight at once; null for no limit of its own
 * @param maxInFlightPerCluster machines of one cluster that may be in flight at once; null for no limit of its own
 * @param failureBudget how many machines may fail before nothing more is started; null for no budget
 * @param deadline nothing is started or called after it
 * @param maxUnavailable workers of a cluster that may be unavailable or in flight at once
 * @param checks what must hold around each call
 * @param constraints what it is bound by besides
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
    public CampaignSpec {
        waves = List.copyOf(waves);
    }

    /** One without checks and further terms. */
    public CampaignSpec(
            UpgradeTarget target,
            @Nullable String expectedVersion,
            MachineSelection select,
            List<Wave> waves,
            @Nullable CountOrPercent inFlight,
            @Nullable CountOrPercent clusterInFlight,
            @Nullable FailureBudget failureBudget,
            @Nullable Instant startAt,
            @Nullable Instant deadline,
            int priority,
            CountOrPercent maxUnavailable,
            boolean controlPlaneFirst,
            RetryRule retries) {
        this(
                target,
                expectedVersion,
                select,
                waves,
                inFlight,
                clusterInFlight,
                failureBudget,
                startAt,
                deadline,
                priority,
                maxUnavailable,
                controlPlaneFirst,
                retries,
                CampaignChecks.NONE,
                CampaignConstraints.NONE);
    }

    /** The same with these checks. */
    public CampaignSpec with(CampaignChecks around) {
        return with(around, constraints);
    }

    /** The same under these terms. */
    public CampaignSpec with(CampaignConstraints further) {
        return with(checks, further);
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
