package dev.flotilla.simulator.check;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.schemas.row.WaveStatus;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which wave of a campaign each cluster is in, computed from the rows alone. */
final class ClusterWaveAssignment {
    private static final int PERCENT = Wave.WHOLE / 100;

    private final ReferenceFleetState rows;
    private final RolloutMembers rolloutMembers;

    ClusterWaveAssignment(ReferenceFleetState rows, RolloutMembers rolloutMembers) {
        this.rows = rows;
        this.rolloutMembers = rolloutMembers;
    }

    /** The wave of each cluster that has machines. */
    Map<ClusterKey, Wave> all(CampaignStatus campaign) {
        Map<ClusterKey, Wave> waves = new LinkedHashMap<>();
        for (Map.Entry<ClusterKey, List<MachineRow>> cluster : byCluster().entrySet()) {
            waves.put(cluster.getKey(), of(campaign, cluster.getKey(), cluster.getValue()));
        }
        return waves;
    }

    Wave of(CampaignStatus campaign, ClusterKey cluster) {
        List<MachineRow> machines = rows.machines(cluster);
        machines.sort(Comparator.comparing(MachineRow::key));
        return of(campaign, cluster, machines);
    }

    private Map<ClusterKey, List<MachineRow>> byCluster() {
        List<MachineRow> machines = new ArrayList<>(rows.machines());
        machines.sort(Comparator.comparing(MachineRow::key));
        Map<ClusterKey, List<MachineRow>> clusters = new LinkedHashMap<>();
        for (MachineRow machine : machines) {
            clusters.computeIfAbsent(machine.clusterKey(), key -> new ArrayList<>())
                    .add(machine);
        }
        return clusters;
    }

    /** The wave that its machines' entries name; otherwise the first open wave that selects the cluster. */
    private Wave of(CampaignStatus campaign, ClusterKey cluster, List<MachineRow> machines) {
        Wave pinned = pinned(campaign, machines);
        if (pinned != null) {
            return pinned;
        }
        List<Wave> waves = campaign.acceptedCampaign().spec().waves();
        int last = waves.size() - 1;
        boolean found = false;
        long begin = 0;
        for (int i = 0; i <= last; i++) {
            Wave wave = waves.get(i);
            if (!found && (i == last || selects(wave, cluster))) {
                long end = begin + width(campaign, wave);
                found = wave.size() == null || positionOf(campaign, cluster) < end;
                begin = end;
            }
            WaveStatus row = rows.wave(campaign, wave.name());
            if (found && (row == null || row.closedAt() == null)) {
                return wave;
            }
        }
        return waves.get(last);
    }

    private @Nullable Wave pinned(CampaignStatus campaign, List<MachineRow> machines) {
        RolloutRef rolloutRef = new RolloutRef.CampaignRef(campaign.name(), campaign.uid());
        for (MachineRow machine : machines) {
            RolloutEntry entry = ReferenceFleetState.entry(rows.status(machine.key()), rolloutRef);
            for (Wave wave : campaign.acceptedCampaign().spec().waves()) {
                if (entry != null && wave.name().equals(entry.wave())) {
                    return wave;
                }
            }
        }
        return null;
    }

    private boolean selects(Wave wave, ClusterKey key) {
        ClusterRow cluster = rows.cluster(key);
        return cluster != null
                && (wave.sites().isEmpty() || wave.sites().contains(key.site()))
                && wave.clusters().matches(cluster.labels());
    }

    /** The width of a wave's range, in millionths; 0 while it is not decided yet, or if the wave takes everything. */
    private long width(CampaignStatus campaign, Wave wave) {
        WaveStatus row = rows.wave(campaign, wave.name());
        Integer bound = wave.size() == null || row == null ? null : row.sharePartsPerMillion();
        return bound == null ? 0 : bound;
    }

    /** The position of a cluster in a campaign, in millionths: FNV-1a over its name, mixed with the campaign's uid. */
    static long positionOf(CampaignStatus campaign, ClusterKey cluster) {
        String name = cluster.toString();
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < name.length(); i++) {
            hash = (hash ^ name.charAt(i)) * 0x100000001b3L;
        }
        long named = mix(mix(hash ^ name.length()));
        return Long.remainderUnsigned(mix(named ^ campaign.uid()), Wave.WHOLE);
    }

    private static long mix(long bits) {
        long z = bits + 0x9e3779b97f4a7c15L;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    /** The share that a wave would get if it were decided now. */
    long expectedShare(CampaignStatus campaign, Wave wanted) {
        List<long[]> free = new ArrayList<>();
        RolloutRef rolloutRef = new RolloutRef.CampaignRef(campaign.name(), campaign.uid());
        for (Map.Entry<ClusterKey, List<MachineRow>> cluster : byCluster().entrySet()) {
            long selected = cluster.getValue().stream()
                    .filter(machine -> rolloutMembers.isMember(machine, rolloutRef))
                    .count();
            Long begin = pinned(campaign, cluster.getValue()) == null
                    ? beginOfRange(campaign, wanted, cluster.getKey())
                    : null;
            if (selected > 0 && begin != null) {
                free.add(new long[] {positionOf(campaign, cluster.getKey()) - begin, selected});
            }
        }
        free.sort(Comparator.comparingLong(each -> each[0]));
        if (wanted.size() instanceof CountOrPercent.Percent share) {
            long stated = (long) share.percent() * PERCENT;
            return free.isEmpty() ? stated : Math.max(stated, free.get(0)[0] + 1);
        }
        long most = wanted.size() instanceof CountOrPercent.Count count ? count.count() : 0;
        long bound = 0;
        for (long[] each : free) {
            most -= each[1];
            if (bound == 0 || most >= 0) {
                bound = each[0] + 1;
            } else {
                break;
            }
        }
        return bound;
    }

    /** Where a wave's range begins for a cluster that it selects and no earlier wave takes; null for other clusters. */
    private @Nullable Long beginOfRange(CampaignStatus campaign, Wave wanted, ClusterKey cluster) {
        long begin = 0;
        for (Wave wave : campaign.acceptedCampaign().spec().waves()) {
            if (wave.name().equals(wanted.name())) {
                return selects(wave, cluster) ? begin : null;
            }
            if (selects(wave, cluster)) {
                begin += width(campaign, wave);
                if (wave.size() == null || positionOf(campaign, cluster) < begin) {
                    return null;
                }
            }
        }
        return null;
    }
}
