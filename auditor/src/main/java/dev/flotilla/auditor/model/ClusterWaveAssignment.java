package dev.flotilla.auditor.model;

import dev.flotilla.auditor.wire.CampaignSpec.Wave;
import dev.flotilla.auditor.wire.CampaignStatus;
import dev.flotilla.auditor.wire.ClusterRow;
import dev.flotilla.auditor.wire.MachineRow;
import dev.flotilla.auditor.wire.MachineStatus;
import dev.flotilla.auditor.wire.RolloutEntry;
import dev.flotilla.auditor.wire.RolloutRef;
import dev.flotilla.auditor.wire.WaveStatus;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The wave of a campaign to which each cluster belongs: that of its machines' entries, otherwise by selectors and
 * shares.
 */
public final class ClusterWaveAssignment {
    private static final long MILLION = 1_000_000;
    private static final long PERCENT = MILLION / 100;

    private final FleetTables fleetTables;

    public ClusterWaveAssignment(FleetTables fleetTables) {
        this.fleetTables = fleetTables;
    }

    /** A cluster that a wave may take: its distance from the start of the wave's range, and its number of machines. */
    private record Free(long distance, long machines) {}

    /** A cluster's wave, by its machines. */
    public Wave waveOf(CampaignStatus campaign, String cluster, List<MachineRow> machines) {
        Wave pinned = pinned(campaign, machines);
        return pinned != null ? pinned : next(campaign, cluster);
    }

    private @Nullable Wave pinned(CampaignStatus campaign, List<MachineRow> machines) {
        List<MachineRow> sorted = new ArrayList<>(machines);
        sorted.sort(Comparator.comparing(MachineRow::id));
        for (MachineRow machine : sorted) {
            MachineStatus status = fleetTables.status(machine.id());
            RolloutEntry rolloutEntry = status == null ? null : status.entry(campaign.rollout());
            for (Wave wave : campaign.spec().waves()) {
                if (rolloutEntry != null && wave.name().equals(rolloutEntry.wave())) {
                    return wave;
                }
            }
        }
        return null;
    }

    /** The first wave that takes the cluster, or the first one after it that is not closed. */
    private Wave next(CampaignStatus campaign, String cluster) {
        List<Wave> waves = campaign.spec().waves();
        int last = waves.size() - 1;
        int index = 0;
        long left = place(campaign.uid(), cluster);
        for (; index < last; index++) {
            Wave wave = waves.get(index);
            if (selects(wave, cluster)) {
                long share = share(campaign, wave);
                if (wave.selectsAllClusters() || left < share) {
                    break;
                }
                left -= share;
            }
        }
        while (index < last && isClosed(campaign, waves.get(index))) {
            index++;
        }
        return waves.get(index);
    }

    private boolean isClosed(CampaignStatus campaign, Wave wave) {
        WaveStatus row = fleetTables.wave(campaign, wave.name());
        return row != null && row.closed();
    }

    private boolean selects(Wave wave, String id) {
        ClusterRow cluster = fleetTables.cluster(id);
        return cluster != null
                && (wave.sites().isEmpty() || wave.sites().contains(id.substring(0, id.indexOf('/'))))
                && wave.clusters().matches(cluster.labels());
    }

    private long share(CampaignStatus campaign, Wave wave) {
        WaveStatus row = fleetTables.wave(campaign, wave.name());
        Long bound = row == null ? null : row.sharePartsPerMillion();
        return bound == null || wave.selectsAllClusters() ? 0 : bound;
    }

    /** A cluster's position in a campaign, in millionths: FNV-1a of its name, spread with the campaign's uid. */
    static long place(long uid, String cluster) {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < cluster.length(); i++) {
            hash = (hash ^ cluster.charAt(i)) * 0x100000001b3L;
        }
        return Long.remainderUnsigned(spread(spread(spread(hash ^ cluster.length())) ^ uid), MILLION);
    }

    private static long spread(long number) {
        long bits = number + 0x9e3779b97f4a7c15L;
        bits = (bits ^ (bits >>> 30)) * 0xbf58476d1ce4e5b9L;
        bits = (bits ^ (bits >>> 27)) * 0x94d049bb133111ebL;
        return bits ^ (bits >>> 31);
    }

    /** The share that a wave must have if it is fixed with the present rows. */
    public long due(CampaignStatus campaign, Wave wave) {
        List<Free> free = free(campaign, wave);
        if (wave.percent() != null) {
            long stated = wave.percent() * PERCENT;
            return free.isEmpty() ? stated : Math.max(stated, free.get(0).distance() + 1);
        }
        long bound = 0;
        long machines = 0;
        for (Free one : free) {
            machines += one.machines();
            if (bound > 0 && wave.count() != null && machines > wave.count()) {
                return bound;
            }
            bound = one.distance() + 1;
        }
        return bound;
    }

    private List<Free> free(CampaignStatus campaign, Wave asked) {
        RolloutRef rolloutRef = campaign.rollout();
        SortedMap<String, List<MachineRow>> clusters = new TreeMap<>();
        for (MachineRow machine : fleetTables.countedMachines()) {
            clusters.computeIfAbsent(machine.cluster(), id -> new ArrayList<>()).add(machine);
        }
        List<Free> free = new ArrayList<>();
        clusters.forEach((cluster, machines) -> {
            long members = machines.stream()
                    .filter(machine -> fleetTables.membership().isSelected(machine, rolloutRef))
                    .count();
            long distance = pinned(campaign, machines) == null ? distance(campaign, asked, cluster) : -1;
            if (members > 0 && distance >= 0) {
                free.add(new Free(distance, members));
            }
        });
        free.sort(Comparator.comparingLong(Free::distance));
        return free;
    }

    /**
     * A cluster's distance from the start of a wave's range; -1 if this wave or an earlier one assigns it otherwise.
     */
    private long distance(CampaignStatus campaign, Wave asked, String cluster) {
        long left = place(campaign.uid(), cluster);
        for (Wave wave : campaign.spec().waves()) {
            if (wave.name().equals(asked.name())) {
                return selects(wave, cluster) ? left : -1;
            }
            if (selects(wave, cluster)) {
                left -= share(campaign, wave);
                if (wave.selectsAllClusters() || left < 0) {
                    return -1;
                }
            }
        }
        return -1;
    }
}
