package dev.flotilla.simulator.rollout;

import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;

/**
 * Simulates what workers do: how long each machine takes, which steps they report immediately, and which share of the
 * attempts, drawn from a seed, fails.
 *
 * @param alwaysFailing machines whose every attempt fails
 */
public record VirtualWorkerModel(
        MachineUpgradeDurations times,
        List<AttemptStep> steps,
        double failureRate,
        long seed,
        IntPredicate alwaysFailing) {
    private static final AttemptReport SUCCEEDED =
            new AttemptReport.Succeeded(AttemptReport.SuccessProof.UPGRADED, "1001", "v1.35.1");
    private static final AttemptReport FAILED =
            new AttemptReport.Failed(FailureClass.RETRYABLE, FailureReason.REFRESH_ERROR, "the change ended in Error");

    public VirtualWorkerModel {
        steps = List.copyOf(steps);
        if (!(failureRate >= 0 && failureRate < 1)) {
            throw new IllegalArgumentException("failure rate " + failureRate + " is not in [0, 1)");
        }
    }

    /** A model in which no machine always fails. */
    public VirtualWorkerModel(MachineUpgradeDurations times, List<AttemptStep> steps, double failureRate, long seed) {
        this(times, steps, failureRate, seed, machine -> false);
    }

    /**
     * A model in which every attempt succeeds. Only the call's step is reported, so that a slow machine does not count
     * as lost.
     */
    public static VirtualWorkerModel faultless(MachineUpgradeDurations times) {
        return new VirtualWorkerModel(times, List.of(AttemptStep.STARTING), 0, 0);
    }

    /** The same model, except that these machines always fail. */
    public VirtualWorkerModel withFailingMachines(IntPredicate machines) {
        return new VirtualWorkerModel(times, steps, failureRate, seed, machines);
    }

    /** How an attempt ends. */
    AttemptReport endReport(int machine, long attempt) {
        if (alwaysFailing.test(machine)) {
            return FAILED;
        }
        if (failureRate == 0) {
            return SUCCEEDED;
        }
        long drawn = seed ^ (long) machine << 32 ^ attempt;
        return new SplittableRandom(drawn).nextDouble() < failureRate ? FAILED : SUCCEEDED;
    }
}
