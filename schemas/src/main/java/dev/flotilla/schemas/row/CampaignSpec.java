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
 * @param inFlight machines of this campaign that may be in flight at once; null for no limit of its own
 * @param clusterInFlight machines of one cluster that may be in flight at once; null for no limit of its own
 * @param failureBudget how many machines may fail before nothing more is started; null for no budget
 * @param deadline nothing is started or called after it
 * @param maxUnavailable workers of a cluster that may be unavailable or in flight at once
 * @param checks what must hold around each call
 * @param terms what it is bound by besides
 */
public record CampaignSpec(
        UpgradeOption target,
        @Nullable String expectedVersion,
        Selection select,
        List<Wave> waves,
        @Nullable Limit inFlight,
        @Nullable Limit clusterInFlight,
        @Nullable FailureBudget failureBudget,
        @Nullable Instant startAt,
        @Nullable Instant deadline,
        int priority,
        Limit maxUnavailable,
        boolean controlPlaneFirst,
        RetryRule retries,
        Checks checks,
        Terms terms) {
    public CampaignSpec {
        waves = List.copyOf(waves);
    }

    /** One without checks and further terms. */
    public CampaignSpec(
            UpgradeOption target,
            @Nullable String expectedVersion,
            Selection select,
            List<Wave> waves,
            @Nullable Limit inFlight,
            @Nullable Limit clusterInFlight,
            @Nullable FailureBudget failureBudget,
            @Nullable Instant startAt,
            @Nullable Instant deadline,
            int priority,
            Limit maxUnavailable,
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
                Checks.NONE,
                Terms.NONE);
    }

    /** The same with these checks. */
    public CampaignSpec with(Checks around) {
        return with(around, terms);
    }

    /** The same under these terms. */
    public CampaignSpec with(Terms further) {
        return with(checks, further);
    }

    private CampaignSpec with(Checks around, Terms further) {
        return new CampaignSpec(
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
                around,
                further);
    }
}
