package dev.flotilla.cli.simulate;

import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineSelection;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.simulator.rollout.MachineUpgradeDurations;
import dev.flotilla.simulator.rollout.MakespanBound;
import dev.flotilla.simulator.rollout.VirtualCluster;
import dev.flotilla.simulator.rollout.VirtualFleet;
import dev.flotilla.simulator.rollout.VirtualRolloutResult;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Builds the work of campaigns on a described fleet, as input for the makespan bound. */
final class CampaignWorkBuilder {
    private final VirtualFleet fleet;
    private final MachineUpgradeDurations times;
    private final Set<String> opened = new HashSet<>();

    /** A builder for what a rollout did, without waves that never opened. */
    CampaignWorkBuilder(VirtualFleet fleet, MachineUpgradeDurations times, VirtualRolloutResult result) {
        this.fleet = fleet;
        this.times = times;
        for (VirtualRolloutResult.WaveSpan wave : result.waves()) {
            if (wave.startMillis() >= 0) {
                opened.add(wave.campaign() + "/" + wave.wave());
            }
        }
    }

    /** Builds the work of a campaign. */
    MakespanBound.CampaignUpgradeWork build(Campaign campaign, int fleetCap) {
        List<MakespanBound.WaveUpgradeWork> waves = waves(campaign);
        int members = 0;
        for (MakespanBound.WaveUpgradeWork wave : waves) {
            for (MakespanBound.ClusterUpgradeWork cluster : wave.clusters()) {
                members += cluster.controlPlane().size() + cluster.workers().size();
            }
        }
        int cap = campaign.spec().caps().maxInFlight() == null
                ? fleetCap
                : Math.min(fleetCap, campaign.spec().caps().maxInFlight().of(members));
        return new MakespanBound.CampaignUpgradeWork(waves, cap);
    }

    private List<MakespanBound.WaveUpgradeWork> waves(Campaign campaign) {
        CampaignSpec spec = campaign.spec();
        List<List<MakespanBound.ClusterUpgradeWork>> clusters = new ArrayList<>();
        spec.waves().forEach(wave -> clusters.add(new ArrayList<>()));
        for (VirtualCluster cluster : fleet.clusters()) {
            clusters.get(wave(spec.waves(), cluster)).add(work(spec, cluster));
        }
        List<MakespanBound.WaveUpgradeWork> waves = new ArrayList<>();
        for (int i = 0; i < clusters.size(); i++) {
            Wave wave = spec.waves().get(i);
            if (opened.contains(campaign.name() + "/" + wave.name())) {
                waves.add(new MakespanBound.WaveUpgradeWork(clusters.get(i), wave.successPercent()));
            }
        }
        return waves;
    }

    private static int wave(List<Wave> waves, VirtualCluster cluster) {
        for (int i = 0; i < waves.size() - 1; i++) {
            Wave wave = waves.get(i);
            boolean site = wave.sites().isEmpty()
                    || wave.sites().contains(cluster.key().site());
            if (site && wave.clusters().matches(cluster.labels())) {
                return i;
            }
        }
        return waves.size() - 1;
    }

    private MakespanBound.ClusterUpgradeWork work(CampaignSpec spec, VirtualCluster cluster) {
        List<Long> controlPlane = new ArrayList<>();
        List<Long> workers = new ArrayList<>();
        for (int place = 0; place < cluster.size(); place++) {
            if (selects(spec.select(), cluster, place)) {
                (place < cluster.controlPlanes() ? controlPlane : workers).add(times.millis(cluster.first() + place));
            }
        }
        return new MakespanBound.ClusterUpgradeWork(
                controlPlane, workers, spec.cluster().maxUnavailable().of(cluster.workers()), List.of());
    }

    private static boolean selects(MachineSelection select, VirtualCluster cluster, int place) {
        return (select.sites().isEmpty()
                        || select.sites().contains(cluster.key().site()))
                && select.clusters().matches(cluster.labels())
                && select.machines().matches(Labels.NONE)
                && (select.roles().isEmpty() || select.roles().contains(cluster.role(place)))
                && select.currentReleases().isEmpty()
                && !select.excludedMachines().contains(cluster.machine(place));
    }
}
