package dev.flotilla.simulator.operator;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignDependency;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.CampaignSpecBuilder;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.FailureBudget;
import dev.flotilla.schemas.row.FailureCohortRule;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineSelection;
import dev.flotilla.schemas.row.PreparationRule;
import dev.flotilla.schemas.row.RetryRule;
import dev.flotilla.schemas.row.TopologyDomainCap;
import dev.flotilla.schemas.row.UpgradeProvider;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.simulator.fleet.SimFleet;
import dev.flotilla.simulator.fleet.SimMachine;
import dev.flotilla.simulator.fleet.SimSite;
import dev.flotilla.simulator.node.SnapReleases;
import dev.flotilla.simulator.world.SeededRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Random campaigns, as operators write them. */
public final class RandomCampaigns {
    /** The cluster label that waves select by. */
    public static final String TIER = "tier";

    public static final List<String> TIERS = List.of("canary", "early", "late");

    private static final int WHOLE = 100;

    private RandomCampaigns() {}

    /** A random campaign. */
    public static Campaign random(SeededRandom chance, CampaignName name, SimFleet fleet, long now) {
        int drawn = chance.between(1, 3);
        boolean near = chance.split("how far " + name + " goes at " + now).percent(90);
        int minor = near ? 1 : drawn;
        boolean revised = chance.percent(55);
        // Most campaigns go one minor version ahead, to various patches.
        int revision = SnapReleases.OLDEST + 100 * minor + (near && revised ? drawn - 1 : 0);
        UpgradeTarget target = chance.split("track of " + name + " at " + now).percent(6)
                ? new UpgradeTarget.Channel(SnapReleases.LATEST)
                : chance.split("file of " + name + " at " + now).percent(3)
                        ? RandomUpgradeTargets.localPath(chance.split("path of " + name + " at " + now))
                        : revised
                                ? new UpgradeTarget.Revision(Integer.toString(revision))
                                : new UpgradeTarget.Channel(SnapReleases.channel(minor));
        String drawnVersion = chance.percent(30) ? SnapReleases.version(revision) : null;
        boolean hasKnownVersion =
                !target.text().endsWith(SnapReleases.LATEST) && !(target instanceof UpgradeTarget.LocalPath);
        String version = hasKnownVersion ? drawnVersion : null;
        Instant start = chance.percent(25) ? Instant.ofEpochMilli(now + chance.between(0, 20 * 60_000)) : null;
        Instant deadline =
                chance.percent(15) ? Instant.ofEpochMilli(now + chance.between(30 * 60_000, 5 * 3_600_000)) : null;
        CampaignSpecBuilder spec = new CampaignSpecBuilder(target, selection(chance, fleet))
                .expectedVersion(version)
                .waves(withSiteWave(
                        chance.split("site wave of " + name + " at " + now),
                        fleet,
                        RandomPercentWaves.addPercentWaves(
                                chance.split("waves of " + name + " at " + now), waves(chance))))
                .maxInFlight(chance.percent(40) ? RandomPolicies.cap(chance, 20) : null)
                .maxInFlightPerCluster(chance.percent(30) ? new CountOrPercent.Count(chance.between(1, 2)) : null)
                .failureBudget(budget(chance, chance.split("budget of " + name + " at " + now)))
                .startAt(start)
                .deadline(deadline)
                .priority(chance.between(0, 2))
                .maxUnavailable(
                        chance.percent(70)
                                ? new CountOrPercent.Count(chance.between(1, 3))
                                : new CountOrPercent.Percent(chance.between(10, 50)))
                .controlPlaneFirst(chance.percent(85))
                .retries(new RetryRule(
                        chance.between(1, 4),
                        Duration.ofSeconds(chance.between(5, 90)),
                        Duration.ofMinutes(chance.between(2, 10))));
        addConstraints(spec, chance.split("terms of " + name + " at " + now), name);
        if (chance.split("only strict of " + name + " at " + now).percent(6)) {
            makeOnlyStrict(spec);
        }
        if (ProviderRules.isNeeded(fleet)) {
            chooseProvider(spec, chance.split("provider of " + name + " at " + now), revision);
        }
        preparation(spec, chance.split("preparation of " + name + " at " + now), now);
        return new Campaign(name, Labels.NONE, spec.build());
    }

    /** Mostly has the machines prepared, if their provider can, and then often begins later, so that there is time for it. */
    private static void preparation(CampaignSpecBuilder spec, SeededRandom chance, long now) {
        CampaignSpec drawn = spec.build();
        if (UpgradeProvider.preparationProblem(drawn.target().option()) == null && chance.percent(85)) {
            spec.preparation(new PreparationRule(Duration.ofMinutes(chance.between(10, 300))));
            if (drawn.deadline() == null && chance.percent(60)) {
                spec.startAt(Instant.ofEpochMilli(now + chance.between(10 * 60_000, 70 * 60_000)));
            }
        }
    }

    /** A machine is quarantined at its first failure, and nothing else than strictness stops its cluster. */
    private static void makeOnlyStrict(CampaignSpecBuilder spec) {
        spec.strict(true)
                .retries(new RetryRule(1, Duration.ofSeconds(30), Duration.ofMinutes(5)))
                .failureBudget(null)
                .cohortCircuitBreaker(null);
    }

    /** Mostly a target and a selection for one provider; sometimes all machines, some of which cannot have the target. */
    private static void chooseProvider(CampaignSpecBuilder spec, SeededRandom chance, int revision) {
        boolean toRelease = chance.percent(60);
        if (toRelease) {
            String version = SnapReleases.version(revision);
            spec.target(new UpgradeTarget.KubernetesRelease(version))
                    .expectedVersion(chance.percent(20) ? version.substring(1) : null);
        }
        MachineSelection all = spec.build().select();
        spec.select(
                chance.percent(75)
                        ? all.withProviders(List.of(toRelease ? UpgradeProvider.NODE_UPGRADE : UpgradeProvider.K8SD))
                        : all);
    }

    /** Adds caps, windows and such, and a dependency on the campaign with the next lower number. */
    private static void addConstraints(CampaignSpecBuilder spec, SeededRandom chance, CampaignName name) {
        int number = name.name().charAt(name.name().length() - 1) - '0';
        boolean waits = number > 1 && chance.percent(25);
        spec.clusterSoak(chance.percent(20) ? Duration.ofSeconds(chance.between(10, 400)) : Duration.ZERO)
                .weight(chance.percent(40) ? chance.between(1, 500) : CampaignSpec.DEFAULT_WEIGHT)
                .dependsOn(
                        waits
                                ? List.of(new CampaignDependency(
                                        new CampaignName("c" + (number - 1)), chance.between(1, 10) * 10))
                                : List.of())
                .windows(chance.percent(20) ? RandomMaintenanceWindows.windows(chance) : List.of())
                .cohortCircuitBreaker(cohorts(chance.split("cohorts")))
                .domainCaps(domains(chance.split("domains")))
                .allowDowngrade(chance.split("downgrade").percent(30))
                .strict(chance.split("strict").percent(40));
    }

    private static List<TopologyDomainCap> domains(SeededRandom chance) {
        return chance.percent(25)
                ? List.of(new TopologyDomainCap(
                        "pool",
                        chance.percent(50)
                                ? new CountOrPercent.Count(chance.between(1, 3))
                                : new CountOrPercent.Percent(chance.between(1, 6) * 10)))
                : List.of();
    }

    private static @Nullable FailureCohortRule cohorts(SeededRandom chance) {
        return chance.percent(30)
                ? new FailureCohortRule(
                        chance.percent(50) ? List.of("pool") : List.of(),
                        chance.between(1, 4),
                        chance.percent(30) ? WHOLE : chance.between(1, 8) * 10)
                : null;
    }

    private static @Nullable FailureBudget budget(SeededRandom chance, SeededRandom more) {
        Integer machines = chance.percent(50) ? (Integer) Math.max(1, chance.between(0, 6)) : null;
        if (machines == null) {
            return null;
        }
        CountOrPercent most =
                more.percent(25) ? new CountOrPercent.Percent(more.between(3, 40)) : new CountOrPercent.Count(machines);
        return more.percent(65)
                ? new FailureBudget(most, more.between(90, 99), more.between(1, 4))
                : FailureBudget.strict(most);
    }

    /** A campaign that selects everything, in waves by tier. */
    public static Campaign plain(String name, UpgradeTarget target, List<Wave> waves, int maxUnavailable) {
        return new Campaign(
                new CampaignName(name),
                Labels.NONE,
                new CampaignSpecBuilder(target, MachineSelection.EVERYTHING)
                        .waves(waves)
                        .priority(0)
                        .maxUnavailable(new CountOrPercent.Count(maxUnavailable))
                        .build());
    }

    /** A campaign that selects everything and gets its share of the slots by weight. */
    static Campaign competingCampaign(CampaignName name, int weight) {
        Campaign plain = plain(
                name.name(),
                new UpgradeTarget.Channel(SnapReleases.channel(1)),
                List.of(wave("rest", null, false, 100)),
                1);
        return new Campaign(
                name,
                plain.labels(),
                CampaignSpecBuilder.from(plain.spec()).weight(weight).build());
    }

    public static Wave wave(String name, @Nullable String tier, boolean approval, int successPercent) {
        LabelSelector clusters = tier == null ? LabelSelector.ALL : label(TIER, tier);
        return new Wave(name, List.of(), clusters, approval, successPercent);
    }

    static LabelSelector label(String key, String value) {
        return new LabelSelector(
                List.of(new LabelSelector.LabelRequirement(key, LabelSelector.LabelOperator.IN, List.of(value))));
    }

    private static MachineSelection selection(SeededRandom chance, SimFleet fleet) {
        List<SiteId> sites = new ArrayList<>();
        if (chance.percent(25)) {
            fleet.sites().forEach(site -> sites.add(site.id()));
            sites.removeIf(site -> sites.size() > 1 && chance.percent(40));
        }
        List<MachineKey> exclude = new ArrayList<>();
        List<SimMachine> machines = fleet.machines();
        if (chance.percent(25) && !machines.isEmpty()) {
            exclude.add(chance.pick(machines).key());
        }
        return new MachineSelection(
                sites,
                chance.percent(20) ? label("region", chance.pick(List.of("north", "south"))) : LabelSelector.ALL,
                chance.percent(15) ? label("pool", chance.pick(List.of("a", "b"))) : LabelSelector.ALL,
                chance.percent(12)
                        ? List.of(chance.pick(List.of(MachineRole.CONTROL_PLANE, MachineRole.WORKER)))
                        : List.of(),
                chance.percent(12) ? List.of("channel=" + SnapReleases.channel(0)) : List.of(),
                exclude);
    }

    /** Sometimes puts a wave in front that selects one site, which may never have connected. */
    private static List<Wave> withSiteWave(SeededRandom chance, SimFleet fleet, List<Wave> waves) {
        if (!chance.percent(12)) {
            return waves;
        }
        List<SiteId> sites = fleet.sites().stream().map(SimSite::id).toList();
        List<Wave> all = new ArrayList<>(waves);
        all.add(0, new Wave("site", List.of(chance.pick(sites)), LabelSelector.ALL, chance.percent(20), 80));
        return all;
    }

    private static List<Wave> waves(SeededRandom chance) {
        List<Wave> waves = new ArrayList<>();
        for (String tier : TIERS.subList(0, chance.between(0, 2))) {
            waves.add(wave(tier, tier, chance.percent(20), chance.between(5, 10) * 10));
        }
        waves.add(wave("rest", null, chance.percent(15), chance.between(5, 10) * 10));
        return waves;
    }
}
