package dev.flotilla.bench.core;

import dev.flotilla.bench.harness.Measurement;
import dev.flotilla.bench.harness.Measurement.BetterDirection;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.MachineSelection;
import dev.flotilla.simulator.rollout.DecisionMeter;
import dev.flotilla.simulator.rollout.MachineUpgradeDurations;
import dev.flotilla.simulator.rollout.VirtualFleet;
import dev.flotilla.simulator.rollout.VirtualRollout;
import dev.flotilla.simulator.rollout.VirtualWorkerModel;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * P25: Jain's index of the slots of equal tenants, in virtual time, while each of them has machines to start. One
 * further tenant is a hundred times as large, or all of its machines fail.
 */
final class FairnessBenchmark {
    private static final Duration WORK = Duration.ofMinutes(5);
    private static final double SIGMA = 0.25;
    private static final int EQUAL = 4;
    private static final int CLUSTERS = 100;
    private static final int LARGER = 100;
    private static final int CAP = 100;
    private static final int STEP = 10;

    private FairnessBenchmark() {}

    static Measurement measure() {
        double large = jain(CoreBenchmarkFleets.tenants(LARGER * CLUSTERS, EQUAL, CLUSTERS), machine -> false);
        VirtualFleet equal = CoreBenchmarkFleets.tenants(CLUSTERS, EQUAL, CLUSTERS);
        int machinesOfFirst = equal.machines() / (EQUAL + 1);
        double failing = jain(equal, machine -> machine < machinesOfFirst);
        return Measurement.gatingMeasurement(
                "P25",
                "fairness: Jain's index of the slots of equal tenants",
                String.format(
                        "beside one that is %d times as large %.4f, beside one that fails %.4f",
                        LARGER, large, failing),
                Math.min(large, failing),
                "index",
                BetterDirection.HIGHER,
                0.95,
                0.99);
    }

    /** The tenant that differs is not part of the comparison. */
    private static double jain(VirtualFleet fleet, IntPredicate failing) {
        MachineUpgradeDurations times = MachineUpgradeDurations.lognormal(fleet.machines(), WORK, SIGMA, 1);
        VirtualRollout rollout = new VirtualRollout(
                fleet,
                CoreBenchmarkFleets.rows(),
                VirtualWorkerModel.faultless(times).withFailingMachines(failing),
                DecisionMeter.NONE);
        rollout.load(CoreBenchmarkFleets.policy(CAP));
        List<Campaign> campaigns = new ArrayList<>();
        for (int tenant = 0; tenant <= EQUAL; tenant++) {
            campaigns.add(CoreBenchmarkFleets.campaign(name(tenant), ofTenant(tenant)));
        }
        rollout.begin(campaigns);
        double[] slots = new double[EQUAL];
        Instant before = rollout.now();
        while (allHaveMachinesToStart(rollout)) {
            double[] inFlight = new double[EQUAL];
            for (int i = 0; i < EQUAL; i++) {
                inFlight[i] = tenant(rollout, i + 1).inFlight();
            }
            rollout.advance(STEP);
            double millis = Duration.between(before, rollout.now()).toMillis();
            before = rollout.now();
            for (int i = 0; i < EQUAL; i++) {
                slots[i] += inFlight[i] * millis;
            }
        }
        double sum = 0;
        double squares = 0;
        for (double each : slots) {
            sum += each;
            squares += each * each;
        }
        if (sum == 0) {
            throw new IllegalStateException("no tenant had a slot");
        }
        return sum * sum / (EQUAL * squares);
    }

    private static boolean allHaveMachinesToStart(VirtualRollout rollout) {
        for (int i = 1; i <= EQUAL; i++) {
            CampaignRollout tenant = tenant(rollout, i);
            if (tenant.remaining() - tenant.inFlight() < CAP) {
                return false;
            }
        }
        return true;
    }

    private static CampaignRollout tenant(VirtualRollout rollout, int number) {
        CampaignRollout campaign = rollout.state().campaigns().get(new CampaignName(name(number)));
        if (campaign == null) {
            throw new IllegalStateException("there is no tenant " + number);
        }
        return campaign;
    }

    private static String name(int tenant) {
        return "tenant-" + tenant;
    }

    private static MachineSelection ofTenant(int tenant) {
        return new MachineSelection(
                List.of(CoreBenchmarkFleets.tenant(tenant)),
                LabelSelector.ALL,
                LabelSelector.ALL,
                List.of(),
                List.of(),
                List.of());
    }
}
