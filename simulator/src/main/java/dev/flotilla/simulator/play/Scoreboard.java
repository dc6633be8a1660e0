package dev.flotilla.simulator.play;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.WaveKey;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.Entry;
import dev.flotilla.schemas.row.Fact;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.Outcome;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.schemas.row.WaveStatus;
import dev.flotilla.simulator.fleet.SimCluster;
import dev.flotilla.simulator.fleet.SimFleet;
import dev.flotilla.simulator.fleet.SimMachine;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where every machine of a play stands, kept up as rows are committed. */
final class Scoreboard {
    private final Map<MachineKey, Integer> waveOf = new LinkedHashMap<>();
    private final Map<MachineKey, MachineStatus> statuses = new LinkedHashMap<>();
    private final List<Wave> waves;
    private final Map<WaveKey, WaveStatus> waveStatuses = new LinkedHashMap<>();
    private int ended;
    private int open;

    Scoreboard(SimFleet fleet, Campaign campaign) {
        this.waves = campaign.spec().waves();
        for (SimCluster cluster : fleet.clusters()) {
            int wave = wave(cluster);
            for (SimMachine machine : cluster.machines()) {
                waveOf.put(machine.key(), wave);
            }
        }
    }

    private int wave(SimCluster cluster) {
        for (int i = 0; i < waves.size() - 1; i++) {
            if (waves.get(i).clusters().matches(cluster.row().labels())) {
                return i;
            }
        }
        return waves.size() - 1;
    }

    void committed(Fact fact) {
        if (fact instanceof MachineStatus status) {
            count(statuses.put(status.key(), status), -1);
            count(status, 1);
        } else if (fact instanceof WaveStatus status) {
            waveStatuses.put(status.key(), status);
        }
    }

    private void count(@Nullable MachineStatus status, int sign) {
        if (status != null) {
            Entry entry = entry(status);
            ended += entry != null && entry.outcome().ended() ? sign : 0;
            open += status.attempt() != null ? sign : 0;
        }
    }

    /** A machine's only entry: there is but one campaign. */
    static @Nullable Entry entry(@Nullable MachineStatus status) {
        return status == null || status.entries().isEmpty()
                ? null
                : status.entries().get(0);
    }

    @Nullable
    MachineStatus status(MachineKey machine) {
        return statuses.get(machine);
    }

    @Nullable
    WaveStatus status(WaveKey wave) {
        return waveStatuses.get(wave);
    }

    int machines() {
        return waveOf.size();
    }

    /** Machines about which nothing more is going to happen in the campaign. */
    int ended() {
        return ended;
    }

    /** Machines with an open attempt. */
    int open() {
        return open;
    }

    int wave(ClusterKey cluster, MachineKey machine) {
        Integer wave = waveOf.get(machine);
        if (wave == null) {
            throw new IllegalArgumentException(machine + " of " + cluster + " is no machine of this play");
        }
        return wave;
    }

    List<Wave> waves() {
        return waves;
    }

    List<WaveProgress> progress() {
        int[][] counts = new int[waves.size()][4];
        waveOf.forEach((machine, wave) -> {
            MachineStatus status = statuses.get(machine);
            Entry entry = entry(status);
            int[] count = counts[wave];
            count[0]++;
            count[1] += entry != null && entry.outcome().atTarget() ? 1 : 0;
            count[2] += entry != null && entry.outcome() == Outcome.QUARANTINED ? 1 : 0;
            count[3] += status != null && status.attempt() != null ? 1 : 0;
        });
        List<WaveProgress> progress = new ArrayList<>();
        for (int i = 0; i < waves.size(); i++) {
            WaveStatus status =
                    status(new WaveKey(PlayFleet.CAMPAIGN, waves.get(i).name()));
            boolean isOpen = status != null && status.opened() != null;
            progress.add(new WaveProgress(
                    waves.get(i).name(), isOpen, counts[i][0], counts[i][1], counts[i][2], counts[i][3]));
        }
        return progress;
    }
}
