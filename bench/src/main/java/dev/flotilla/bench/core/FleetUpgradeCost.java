package dev.flotilla.bench.core;

import dev.flotilla.simulator.rollout.MachineUpgradeDurations;
import dev.flotilla.simulator.rollout.VirtualFleet;
import dev.flotilla.simulator.rollout.VirtualRollout;
import dev.flotilla.simulator.rollout.VirtualWorkerModel;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;

/**
 * Cost of fleets of one size: load all rows, then upgrade each machine once. For a large fleet only a part of the
 * upgrades runs.
 *
 * @param machines of one fleet
 * @param totalNanos CPU time of the whole process for one machine, from its row to its success
 * @param decisionNanos CPU time for one decision while machines are upgraded
 * @param bytes allocated in the core for one decision while machines are upgraded
 */
record FleetUpgradeCost(int machines, double totalNanos, double decisionNanos, double bytes) {
    private static final Duration WORK = Duration.ofMinutes(5);
    private static final double SIGMA = 0.25;
    private static final int CAP_PERCENT = 3;
    private static final int MOST_UPGRADES = 100_000;

    /** Reports of one upgrade: start and success. */
    private static final int REPORTS = 2;

    /** Runs a number of fleets of one size, one after the other. */
    static FleetUpgradeCost measureUpgrades(int machines, int fleets) {
        VirtualFleet fleet = CoreBenchmarkFleets.uniform(machines);
        MachineUpgradeDurations times = MachineUpgradeDurations.lognormal(fleet.machines(), WORK, SIGMA, 1);
        int cap = fleet.machines() * CAP_PERCENT / 100;
        CoreCostMeter meter = new CoreCostMeter();
        long loading = 0;
        long upgrading = 0;
        long upgraded = 0;
        long decisions = 0;
        double bytes = 0;
        System.gc();
        for (int i = 0; i < fleets; i++) {
            long start = processNanos();
            VirtualRollout rollout =
                    new VirtualRollout(fleet, CoreBenchmarkFleets.rows(), VirtualWorkerModel.faultless(times), meter);
            rollout.load(CoreBenchmarkFleets.policy(cap));
            rollout.begin(List.of(CoreBenchmarkFleets.campaign()));
            // The first machines have reported their start; from here on there is one report of each kind for one
            // start.
            rollout.advance(cap);
            long loaded = processNanos();
            meter.reset();
            rollout.advance((long) MOST_UPGRADES * REPORTS);
            upgrading += processNanos() - loaded;
            loading += loaded - start;
            decisions += meter.decisions();
            bytes += meter.bytesPerDecision() / fleets;
            upgraded += rollout.succeeded();
        }
        if (upgraded < (long) Math.min(MOST_UPGRADES, fleet.machines()) * fleets) {
            throw new IllegalStateException("only " + upgraded + " machines were upgraded");
        }
        double loadNanos = (double) loading / fleet.machines() / fleets;
        return new FleetUpgradeCost(
                fleet.machines(), loadNanos + (double) upgrading / upgraded, (double) upgrading / decisions, bytes);
    }

    private static long processNanos() {
        return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
                .getProcessCpuTime();
    }
}
