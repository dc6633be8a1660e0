package dev.flotilla.schemas.row;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds a campaign's specification. What is not set has the default of a campaign's document. */
public final class CampaignSpecBuilder {
    private UpgradeTarget target;
    private @Nullable String expectedVersion;
    private boolean allowDowngrade;
    private MachineSelection select;
    private List<Wave> waves = CampaignSpec.SINGLE_WAVE;
    private @Nullable CountOrPercent maxInFlight;
    private List<TopologyDomainCap> domainCaps = List.of();
    private @Nullable FailureBudget failureBudget;
    private int weight = CampaignSpec.DEFAULT_WEIGHT;
    private List<CampaignDependency> dependsOn = List.of();
    private List<MaintenanceWindow> windows = List.of();
    private @Nullable FailureCohortRule cohortCircuitBreaker;
    private @Nullable String expectedContentHash;
    private @Nullable DrainMode drain;
    private @Nullable Instant startAt;
    private @Nullable Instant deadline;
    private int priority = CampaignSpec.DEFAULT_PRIORITY;
    private @Nullable CountOrPercent maxInFlightPerCluster;
    private CountOrPercent maxUnavailable = ClusterRules.DEFAULT.maxUnavailable();
    private Duration clusterSoak = Duration.ZERO;
    private boolean controlPlaneFirst = true;
    private boolean strict;
    private RetryRule retries = RetryRule.DEFAULT;
    private CampaignChecks checks = CampaignChecks.NONE;
    private @Nullable PreparationRule preparation;
    private ClusterApiRule clusterApi = ClusterApiRule.DEFAULT;

    public CampaignSpecBuilder(UpgradeTarget target, MachineSelection select) {
        this.target = target;
        this.select = select;
    }

    /** Starts with the fields of a specification. */
    public static CampaignSpecBuilder from(CampaignSpec spec) {
        return new CampaignSpecBuilder(spec.target().option(), spec.select())
                .expectedVersion(spec.target().expectedVersion())
                .allowDowngrade(spec.target().allowDowngrade())
                .waves(spec.waves())
                .maxInFlight(spec.caps().maxInFlight())
                .domainCaps(spec.caps().domains())
                .failureBudget(spec.failureBudget())
                .weight(spec.weight())
                .dependsOn(spec.dependsOn())
                .windows(spec.windows())
                .cohortCircuitBreaker(spec.cohortCircuitBreaker())
                .expectedContentHash(spec.expectedContentHash())
                .drain(spec.drain())
                .startAt(spec.startAt())
                .deadline(spec.deadline())
                .priority(spec.priority())
                .maxInFlightPerCluster(spec.cluster().maxInFlight())
                .maxUnavailable(spec.cluster().maxUnavailable())
                .clusterSoak(spec.cluster().soak())
                .controlPlaneFirst(spec.cluster().controlPlaneFirst())
                .strict(spec.cluster().strict())
                .retries(spec.retries())
                .checks(spec.checks())
                .preparation(spec.preparation())
                .clusterApi(spec.clusterApi());
    }

    public CampaignSpecBuilder target(UpgradeTarget value) {
        target = value;
        return this;
    }

    public CampaignSpecBuilder expectedVersion(@Nullable String value) {
        expectedVersion = value;
        return this;
    }

    public CampaignSpecBuilder allowDowngrade(boolean value) {
        allowDowngrade = value;
        return this;
    }

    public CampaignSpecBuilder select(MachineSelection value) {
        select = value;
        return this;
    }

    public CampaignSpecBuilder waves(List<Wave> value) {
        waves = value;
        return this;
    }

    public CampaignSpecBuilder maxInFlight(@Nullable CountOrPercent value) {
        maxInFlight = value;
        return this;
    }

    public CampaignSpecBuilder domainCaps(List<TopologyDomainCap> value) {
        domainCaps = value;
        return this;
    }

    public CampaignSpecBuilder failureBudget(@Nullable FailureBudget value) {
        failureBudget = value;
        return this;
    }

    public CampaignSpecBuilder weight(int value) {
        weight = value;
        return this;
    }

    public CampaignSpecBuilder dependsOn(List<CampaignDependency> value) {
        dependsOn = value;
        return this;
    }

    public CampaignSpecBuilder windows(List<MaintenanceWindow> value) {
        windows = value;
        return this;
    }

    public CampaignSpecBuilder cohortCircuitBreaker(@Nullable FailureCohortRule value) {
        cohortCircuitBreaker = value;
        return this;
    }

    public CampaignSpecBuilder expectedContentHash(@Nullable String value) {
        expectedContentHash = value;
        return this;
    }

    public CampaignSpecBuilder drain(@Nullable DrainMode value) {
        drain = value;
        return this;
    }

    public CampaignSpecBuilder startAt(@Nullable Instant value) {
        startAt = value;
        return this;
    }

    public CampaignSpecBuilder deadline(@Nullable Instant value) {
        deadline = value;
        return this;
    }

    public CampaignSpecBuilder priority(int value) {
        priority = value;
        return this;
    }

    public CampaignSpecBuilder maxInFlightPerCluster(@Nullable CountOrPercent value) {
        maxInFlightPerCluster = value;
        return this;
    }

    public CampaignSpecBuilder maxUnavailable(CountOrPercent value) {
        maxUnavailable = value;
        return this;
    }

    public CampaignSpecBuilder clusterSoak(Duration value) {
        clusterSoak = value;
        return this;
    }

    public CampaignSpecBuilder controlPlaneFirst(boolean value) {
        controlPlaneFirst = value;
        return this;
    }

    public CampaignSpecBuilder strict(boolean value) {
        strict = value;
        return this;
    }

    public CampaignSpecBuilder retries(RetryRule value) {
        retries = value;
        return this;
    }

    public CampaignSpecBuilder checks(CampaignChecks value) {
        checks = value;
        return this;
    }

    public CampaignSpecBuilder clusterApi(ClusterApiRule value) {
        clusterApi = value;
        return this;
    }

    public CampaignSpecBuilder preparation(@Nullable PreparationRule value) {
        preparation = value;
        return this;
    }

    public CampaignSpec build() {
        return new CampaignSpec(
                new CampaignTarget(target, expectedVersion, allowDowngrade),
                select,
                waves,
                new CampaignCaps(maxInFlight, domainCaps),
                failureBudget,
                weight,
                dependsOn,
                windows,
                cohortCircuitBreaker,
                expectedContentHash,
                drain,
                startAt,
                deadline,
                priority,
                new ClusterRules(maxInFlightPerCluster, maxUnavailable, clusterSoak, controlPlaneFirst, strict),
                retries,
                checks,
                preparation,
                clusterApi);
    }
}
