package dev.flotilla.core;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignConstraints;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.DrainMode;
import dev.flotilla.schemas.row.FailureBudget;
import dev.flotilla.schemas.row.FailureCohortRule;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineSelection;
import dev.flotilla.schemas.row.MaintenanceWindow;
import dev.flotilla.schemas.row.RetryRule;
import dev.flotilla.schemas.row.TopologyDomainCap;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.Wave;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Builds a campaign for tests: by default all machines to one channel in one wave, ten workers of a cluster at a time.
 */
public final class CampaignBuilder {
    private final String name;
    private UpgradeTarget target = new UpgradeTarget.Channel("1.33-classic/stable");
    private @Nullable String expectedVersion;
    private MachineSelection select = MachineSelection.EVERYTHING;
    private final List<Wave> waves = new ArrayList<>();
    private @Nullable CountOrPercent inFlight;
    private @Nullable CountOrPercent clusterInFlight;
    private @Nullable FailureBudget failureBudget;
    private @Nullable Instant startAt;
    private @Nullable Instant deadline;
    private int priority;
    private CountOrPercent maxUnavailable = new CountOrPercent.Count(10);
    private boolean controlPlaneFirst = true;
    private CampaignConstraints campaignConstraints = CampaignConstraints.NONE;
    private RetryRule retries = new RetryRule(3, Duration.ofMinutes(1), Duration.ofMinutes(30));

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
        target = UpgradeTarget.parse(option);
        return this;
    }

    CampaignBuilder select(MachineSelection value) {
        select = value;
        return this;
    }

    CampaignBuilder wave(String wave, LabelSelector clusters, boolean approval, int successPercent) {
        waves.add(new Wave(wave, List.of(), clusters, approval, successPercent));
        return this;
    }

    /** A wave with a number or percentage of all clusters. */
    CampaignBuilder share(String wave, CountOrPercent takes) {
        return wave(new Wave(wave, List.of(), LabelSelector.ALL, takes, Wave.WaveApproval.NONE, 100, Duration.ZERO));
    }

    public CampaignBuilder wave(Wave wave) {
        waves.add(wave);
        return this;
    }

    CampaignBuilder inFlight(CountOrPercent value) {
        inFlight = value;
        return this;
    }

    CampaignBuilder clusterInFlight(int value) {
        clusterInFlight = new CountOrPercent.Count(value);
        return this;
    }

    CampaignBuilder budget(int value) {
        return budget(FailureBudget.of(value));
    }

    CampaignBuilder budget(FailureBudget value) {
        failureBudget = value;
        return this;
    }

    public CampaignBuilder startAt(Instant value) {
        startAt = value;
        return this;
    }

    CampaignBuilder deadline(Instant value) {
        deadline = value;
        return this;
    }

    public CampaignBuilder priority(int value) {
        priority = value;
        return this;
    }

    CampaignBuilder maxUnavailable(int value) {
        maxUnavailable = new CountOrPercent.Count(value);
        return this;
    }

    CampaignBuilder workersAnyTime() {
        controlPlaneFirst = false;
        return this;
    }

    CampaignBuilder attempts(int value) {
        retries = new RetryRule(value, retries.initialBackoff(), retries.maxBackoff());
        return this;
    }

    public CampaignBuilder expecting(String version) {
        expectedVersion = version;
        return this;
    }

    CampaignBuilder allowingDowngrade() {
        campaignConstraints = campaignConstraints.withDowngrade(true);
        return this;
    }

    CampaignBuilder draining(DrainMode mode) {
        campaignConstraints = campaignConstraints.withDrainMode(mode);
        return this;
    }

    CampaignBuilder strict() {
        campaignConstraints = campaignConstraints.strict(true);
        return this;
    }

    CampaignBuilder settle(Duration value) {
        campaignConstraints = new CampaignConstraints(
                value,
                campaignConstraints.weight(),
                campaignConstraints.dependsOn(),
                campaignConstraints.windows(),
                campaignConstraints.cohortRule());
        return this;
    }

    CampaignBuilder weight(int value) {
        campaignConstraints = new CampaignConstraints(
                campaignConstraints.clusterSoak(),
                value,
                campaignConstraints.dependsOn(),
                campaignConstraints.windows(),
                campaignConstraints.cohortRule());
        return this;
    }

    public CampaignBuilder after(String campaign, int successPercent) {
        campaignConstraints = new CampaignConstraints(
                campaignConstraints.clusterSoak(),
                campaignConstraints.weight(),
                List.of(new CampaignConstraints.CampaignDependency(new CampaignName(campaign), successPercent)),
                campaignConstraints.windows(),
                campaignConstraints.cohortRule());
        return this;
    }

    public CampaignBuilder window(MaintenanceWindow... windows) {
        campaignConstraints = new CampaignConstraints(
                campaignConstraints.clusterSoak(),
                campaignConstraints.weight(),
                campaignConstraints.dependsOn(),
                List.of(windows),
                campaignConstraints.cohortRule());
        return this;
    }

    CampaignBuilder basedOn(String edition) {
        campaignConstraints = campaignConstraints.expectedContentHash(edition);
        return this;
    }

    public CampaignBuilder domain(String label, CountOrPercent inFlight) {
        campaignConstraints = campaignConstraints.withDomainCaps(List.of(new TopologyDomainCap(label, inFlight)));
        return this;
    }

    public CampaignBuilder cohorts(FailureCohortRule rule) {
        campaignConstraints = new CampaignConstraints(
                campaignConstraints.clusterSoak(),
                campaignConstraints.weight(),
                campaignConstraints.dependsOn(),
                campaignConstraints.windows(),
                rule);
        return this;
    }

    public Campaign build() {
        List<Wave> all = waves.isEmpty() ? List.of(new Wave("all", List.of(), LabelSelector.ALL, false, 100)) : waves;
        return new Campaign(
                new CampaignName(name),
                Labels.NONE,
                new CampaignSpec(
                                target,
                                expectedVersion,
                                select,
                                all,
                                inFlight,
                                clusterInFlight,
                                failureBudget,
                                startAt,
                                deadline,
                                priority,
                                maxUnavailable,
                                controlPlaneFirst,
                                retries)
                        .with(campaignConstraints));
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
