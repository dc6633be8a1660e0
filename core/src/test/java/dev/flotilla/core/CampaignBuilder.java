package dev.flotilla.core;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignDependency;
import dev.flotilla.schemas.row.CampaignSpecBuilder;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.ClusterApiRule;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.DrainMode;
import dev.flotilla.schemas.row.FailureBudget;
import dev.flotilla.schemas.row.FailureCohortRule;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineSelection;
import dev.flotilla.schemas.row.MaintenanceWindow;
import dev.flotilla.schemas.row.PreparationRule;
import dev.flotilla.schemas.row.RetryRule;
import dev.flotilla.schemas.row.TopologyDomainCap;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.Wave;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * Builds a campaign for tests: by default all machines to one channel in one wave, ten workers of a cluster at a time.
 */
public final class CampaignBuilder {
    private final String name;
    private final List<Wave> waves = new ArrayList<>();
    private final CampaignSpecBuilder spec = new CampaignSpecBuilder(
                    new UpgradeTarget.Channel("1.33-classic/stable"), MachineSelection.EVERYTHING)
            .priority(0)
            .maxUnavailable(new CountOrPercent.Count(10));

    private CampaignBuilder(String name) {
        this.name = name;
    }

    public static CampaignBuilder named(String name) {
        return new CampaignBuilder(name);
    }

    static Labels labels(String key, String value) {
        TreeMap<String, String> values = new TreeMap<>();
        values.put(key, value);
        return new Labels(values);
    }

    static LabelSelector where(String key, String value) {
        return new LabelSelector(
                List.of(new LabelSelector.LabelRequirement(key, LabelSelector.LabelOperator.IN, List.of(value))));
    }

    /** Selects all machines of a role. */
    static MachineSelection only(MachineRole role) {
        return new MachineSelection(
                List.of(), LabelSelector.ALL, LabelSelector.ALL, List.of(role), List.of(), List.of());
    }

    public CampaignBuilder target(String option) {
        spec.target(UpgradeTarget.parse(option));
        return this;
    }

    CampaignBuilder select(MachineSelection value) {
        spec.select(value);
        return this;
    }

    CampaignBuilder wave(String wave, LabelSelector clusters, boolean approval, int successPercent) {
        return wave(new Wave(wave, List.of(), clusters, approval, successPercent));
    }

    /** A wave with a number or percentage of all clusters. */
    CampaignBuilder share(String wave, CountOrPercent takes) {
        return wave(new Wave(wave, List.of(), LabelSelector.ALL, takes, Wave.WaveApproval.NONE, 100, Duration.ZERO));
    }

    public CampaignBuilder wave(Wave wave) {
        waves.add(wave);
        spec.waves(waves);
        return this;
    }

    CampaignBuilder inFlight(CountOrPercent value) {
        spec.maxInFlight(value);
        return this;
    }

    CampaignBuilder clusterInFlight(int value) {
        spec.maxInFlightPerCluster(new CountOrPercent.Count(value));
        return this;
    }

    public CampaignBuilder budget(int value) {
        return budget(FailureBudget.of(value));
    }

    CampaignBuilder budget(FailureBudget value) {
        spec.failureBudget(value);
        return this;
    }

    public CampaignBuilder startAt(Instant value) {
        spec.startAt(value);
        return this;
    }

    CampaignBuilder deadline(Instant value) {
        spec.deadline(value);
        return this;
    }

    public CampaignBuilder priority(int value) {
        spec.priority(value);
        return this;
    }

    CampaignBuilder maxUnavailable(int value) {
        spec.maxUnavailable(new CountOrPercent.Count(value));
        return this;
    }

    CampaignBuilder workersAnyTime() {
        spec.controlPlaneFirst(false);
        return this;
    }

    CampaignBuilder attempts(int value) {
        spec.retries(new RetryRule(value, RetryRule.DEFAULT.initialBackoff(), RetryRule.DEFAULT.maxBackoff()));
        return this;
    }

    public CampaignBuilder expecting(String version) {
        spec.expectedVersion(version);
        return this;
    }

    CampaignBuilder allowingDowngrade() {
        spec.allowDowngrade(true);
        return this;
    }

    CampaignBuilder draining(DrainMode mode) {
        spec.drain(mode);
        return this;
    }

    CampaignBuilder strict() {
        spec.strict(true);
        return this;
    }

    CampaignBuilder clusterSoak(Duration value) {
        spec.clusterSoak(value);
        return this;
    }

    CampaignBuilder weight(int value) {
        spec.weight(value);
        return this;
    }

    public CampaignBuilder after(String campaign, int successPercent) {
        spec.dependsOn(List.of(new CampaignDependency(new CampaignName(campaign), successPercent)));
        return this;
    }

    public CampaignBuilder window(MaintenanceWindow... windows) {
        spec.windows(List.of(windows));
        return this;
    }

    CampaignBuilder basedOn(String contentHash) {
        spec.expectedContentHash(contentHash);
        return this;
    }

    public CampaignBuilder domain(String label, CountOrPercent inFlight) {
        spec.domainCaps(List.of(new TopologyDomainCap(label, inFlight)));
        return this;
    }

    public CampaignBuilder cohorts(FailureCohortRule rule) {
        spec.cohortCircuitBreaker(rule);
        return this;
    }

    /** Has the machines prepared this long before they may start. */
    CampaignBuilder prepare(Duration before) {
        spec.preparation(new PreparationRule(before));
        return this;
    }

    /** Lets Cluster API replace machines that it cannot update in place. */
    CampaignBuilder replacing() {
        spec.clusterApi(new ClusterApiRule(ClusterApiRule.UncoveredChange.REPLACE));
        return this;
    }

    public Campaign build() {
        return new Campaign(new CampaignName(name), Labels.NONE, spec.build());
    }

    /** The status row of this campaign while it runs. */
    public CampaignStatus running(long uid) {
        return new CampaignStatus(
                new CampaignName(name),
                uid,
                build(),
                CampaignState.RUNNING,
                null,
                Instant.EPOCH,
                List.of(),
                0,
                List.of());
    }
}
