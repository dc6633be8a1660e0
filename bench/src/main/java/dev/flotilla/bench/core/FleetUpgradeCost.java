package dev.flotilla.bench.core;

import dev.flotilla.simulator.rollout.MachineUpgradeDurations;
import dev.flotilla.simulator.rollout.VirtualFleet;
import dev.flotilla.simulator.rollout.VirtualRollout;
import dev.flotilla.simulator.rollout.VirtualWorkerModel;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;

/**
 * What fleets of one size cost: loaded, then upgraded, each machine once. Of a large fleet's upgrades a part is played.
 *
 * @param machines of one fleet
 * @param totalNanos processor time of the whole process for one machine, from its row to its success
 * @param decisionNanos the same for one decision while machines are upgraded
 * @param bytes allocated in the core for one decision while machines are upgraded
 */
record FleetUpgradeCost(int machines, double totalNanos, double decisionNanos, double bytes) {
    private static final Duration WORK = Duration.ofMinutes(5);
    private static final double SIGMA = 0.25;
    private static final int CAP_PERCENT = 3;
    private static final int MOST_UPGRADES = 100_000;

    /** Reports of one upgrade: that it starts, and that it has succeeded. */
    private static final int REPORTS = 2;

    /** Plays so many fleets of a size, one after the other. */
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
            // Each of the first has said that it starts: from here on there is one of each report for one start.
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
