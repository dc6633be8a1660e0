package dev.flotilla.core;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.CohortRule;
import dev.flotilla.schemas.row.DomainCap;
import dev.flotilla.schemas.row.DrainMode;
import dev.flotilla.schemas.row.FailureBudget;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.Limit;
import dev.flotilla.schemas.row.RetryRule;
import dev.flotilla.schemas.row.Role;
import dev.flotilla.schemas.row.RunState;
import dev.flotilla.schemas.row.Selection;
import dev.flotilla.schemas.row.Selector;
import dev.flotilla.schemas.row.Terms;
import dev.flotilla.schemas.row.UpgradeOption;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.schemas.row.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A campaign for tests: everything to one channel in one wave, ten workers of a cluster at once. */
public final class CampaignBuilder {
    private final String name;
    private UpgradeOption target = new UpgradeOption.Channel("1.33-classic/stable");
    private @Nullable String expectedVersion;
    private Selection select = Selection.EVERYTHING;
    private final List<Wave> waves = new ArrayList<>();
    private @Nullable Limit inFlight;
    private @Nullable Limit clusterInFlight;
    private @Nullable FailureBudget failureBudget;
    private @Nullable Instant startAt;
    private @Nullable Instant deadline;
    private int priority;
    private Limit maxUnavailable = new Limit.Count(10);
    private boolean controlPlaneFirst = true;
    private Terms terms = Terms.NONE;
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

    static Selector where(String key, String value) {
        return new Selector(List.of(new Selector.Requirement(key, Selector.Operator.IN, List.of(value))));
    }

    /** Everything of a role. */
    static Selection only(Role role) {
        return new Selection(List.of(), Selector.ALL, Selector.ALL, List.of(role), List.of(), List.of());
    }

    public CampaignBuilder target(String option) {
        target = UpgradeOption.parse(option);
        return this;
    }

    CampaignBuilder select(Selection value) {
        select = value;
        return this;
    }

    CampaignBuilder wave(String wave, Selector clusters, boolean approval, int successPercent) {
        waves.add(new Wave(wave, List.of(), clusters, approval, successPercent));
        return this;
    }

    /** A wave that takes so much of all clusters. */
    CampaignBuilder share(String wave, Limit takes) {
        return wave(new Wave(wave, List.of(), Selector.ALL, takes, Wave.Approval.NONE, 100, Duration.ZERO));
    }

    public CampaignBuilder wave(Wave wave) {
        waves.add(wave);
        return this;
    }

    CampaignBuilder inFlight(Limit value) {
        inFlight = value;
        return this;
    }

    CampaignBuilder clusterInFlight(int value) {
        clusterInFlight = new Limit.Count(value);
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
        maxUnavailable = new Limit.Count(value);
        return this;
    }

    CampaignBuilder workersAnyTime() {
        controlPlaneFirst = false;
        return this;
    }

    CampaignBuilder attempts(int value) {
        retries = new RetryRule(value, retries.first(), retries.longest());
        return this;
    }

    public CampaignBuilder expecting(String version) {
        expectedVersion = version;
        return this;
    }

    CampaignBuilder allowingDowngrade() {
        terms = terms.allowingDowngrade(true);
        return this;
    }

    CampaignBuilder draining(DrainMode mode) {
        terms = terms.draining(mode);
        return this;
    }

    CampaignBuilder strict() {
        terms = terms.strict(true);
        return this;
    }

    CampaignBuilder settle(Duration value) {
        terms = new Terms(value, terms.weight(), terms.dependsOn(), terms.windows(), terms.cohorts());
        return this;
    }

    CampaignBuilder weight(int value) {
        terms = new Terms(terms.settle(), value, terms.dependsOn(), terms.windows(), terms.cohorts());
        return this;
    }

    public CampaignBuilder after(String campaign, int successPercent) {
        terms = new Terms(
                terms.settle(),
                terms.weight(),
                List.of(new Terms.Dependency(new CampaignName(campaign), successPercent)),
                terms.windows(),
                terms.cohorts());
        return this;
    }

    public CampaignBuilder window(Window... windows) {
        terms = new Terms(terms.settle(), terms.weight(), terms.dependsOn(), List.of(windows), terms.cohorts());
        return this;
    }

    CampaignBuilder basedOn(String edition) {
        terms = terms.basedOn(edition);
        return this;
    }

    public CampaignBuilder domain(String label, Limit inFlight) {
        terms = terms.capping(List.of(new DomainCap(label, inFlight)));
        return this;
    }

    public CampaignBuilder cohorts(CohortRule rule) {
        terms = new Terms(terms.settle(), terms.weight(), terms.dependsOn(), terms.windows(), rule);
        return this;
    }

    public Campaign build() {
        List<Wave> all = waves.isEmpty() ? List.of(new Wave("all", List.of(), Selector.ALL, false, 100)) : waves;
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
                        .with(terms));
    }

    /** The row of such a campaign that runs. */
    public CampaignStatus running(long uid) {
        return new CampaignStatus(
                new CampaignName(name), uid, build(), RunState.RUNNING, null, Instant.EPOCH, List.of(), 0, List.of());
    }
}
