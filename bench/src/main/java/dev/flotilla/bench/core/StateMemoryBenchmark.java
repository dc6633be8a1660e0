package dev.flotilla.bench.core;

import dev.flotilla.bench.harness.Measurement;
import dev.flotilla.bench.harness.Measurement.BetterDirection;
import dev.flotilla.bench.harness.Measurements;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.LastAcceptedPolicy;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.simulator.rollout.VirtualCluster;
import dev.flotilla.simulator.rollout.VirtualFleet;
import dev.flotilla.simulator.rollout.VirtualInventoryRows;
import dev.flotilla.simulator.rollout.VirtualRollout;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * P8 and the time to restore the state: a million machines in the middle of a campaign, as a restarted leader reads
 * them.
 */
final class StateMemoryBenchmark {
    private static final int MACHINES = 1_000_000;
    private static final int KEY_BYTES = 64;
    private static final int LABEL_SETS = 200;
    private static final int LABELS = 6;
    private static final int CHUNK = 10_000;
    private static final int COLLECTIONS = 3;
    private static final double NANOS = 1e9;

    private final VirtualInventoryRows rows = new VirtualInventoryRows(labelSets());
    private final List<RowChange> chunk = new ArrayList<>(CHUNK + 1);
    private FleetState state = new FleetState();
    private long bytes;
    private long nanos;

    /** Measures twice; the first time warms up. */
    void measure(Consumer<String> progress) {
        VirtualFleet fleet = CoreBenchmarkFleets.named(MACHINES, KEY_BYTES);
        for (String what : List.of("warming up with", "holding")) {
            progress.accept(what + " 1M machines");
            state = new FleetState();
            nanos = 0;
            long before = used();
            restore(fleet);
            bytes = used() - before;
        }
        if (state.machines() != fleet.machines()) {
            throw new IllegalStateException(state.machines() + " machines of " + fleet.machines());
        }
        state = new FleetState();
    }

    void addHeap(Measurements measurements) {
        measurements.add(Measurement.gatingMeasurement(
                "P8",
                "heap per tracked machine",
                "1M machines, 64-byte keys, uid, provider id, system UUID, 6 labels in 200 sets, an owner, one entry",
                (double) bytes / MACHINES,
                "B",
                BetterDirection.LOWER,
                400,
                220));
    }

    void addRestore(Measurements measurements) {
        measurements.add(Measurement.informationalMeasurement(
                "R1M",
                "rebuild the state from 1M machines' rows",
                "inventory and status row each, decoding not included",
                nanos / NANOS,
                "s",
                BetterDirection.LOWER));
    }

    private void restore(VirtualFleet fleet) {
        Campaign campaign = CoreBenchmarkFleets.campaign();
        CampaignStatus accepted = new CampaignStatus(
                campaign.name(),
                1,
                campaign,
                CampaignState.RUNNING,
                null,
                VirtualRollout.START,
                List.of(),
                0,
                List.of());
        put(new LastAcceptedPolicy(CoreBenchmarkFleets.policy(MACHINES)));
        put(campaign);
        put(accepted);
        RolloutRef rolloutRef = new RolloutRef.CampaignRef(campaign.name(), accepted.uid());
        String wave = campaign.spec().waves().get(0).name();
        for (VirtualCluster cluster : fleet.clusters()) {
            put(rows.row(cluster));
            for (int index = 0; index < cluster.size(); index++) {
                MachineRow row = rows.row(cluster, index);
                put(row);
                RolloutEntry entry = new RolloutEntry(
                        rolloutRef,
                        wave,
                        0,
                        null,
                        null,
                        null,
                        MachineOutcome.SUCCEEDED,
                        null,
                        campaign.spec().target().option(),
                        null);
                put(new MachineStatus(row.key(), row.uid(), null, null, List.of(entry)));
            }
        }
        flush();
        long start = System.nanoTime();
        state.refreshDerivedState(GateChain.standard(), VirtualRollout.START);
        nanos += System.nanoTime() - start;
    }

    private void put(RowChange rowChange) {
        chunk.add(rowChange);
        if (chunk.size() >= CHUNK) {
            flush();
        }
    }

    private void flush() {
        long start = System.nanoTime();
        for (RowChange rowChange : chunk) {
            state.put(rowChange);
        }
        nanos += System.nanoTime() - start;
        chunk.clear();
    }

    private static long used() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static List<Labels> labelSets() {
        List<Labels> sets = new ArrayList<>();
        for (int set = 0; set < LABEL_SETS; set++) {
            TreeMap<String, String> labels = new TreeMap<>();
            for (int label = 0; label < LABELS; label++) {
                labels.put("example.com/label-" + label, "value-" + set * (label + 1));
            }
            sets.add(new Labels(labels));
        }
        return sets;
    }
}
