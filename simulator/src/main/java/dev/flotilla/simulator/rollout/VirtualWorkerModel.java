package dev.flotilla.simulator.rollout;

import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;

/**
 * What the nodes' workers do: how long each machine takes, which steps they report at once when they begin, and what
 * share of the attempts, drawn by a seed, ends in an error.
 *
 * @param poisoned machines whose every attempt ends in an error
 */
public record VirtualWorkerModel(
        MachineUpgradeDurations times, List<AttemptStep> steps, double failureRate, long seed, IntPredicate poisoned) {
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

    /** Work of which no machine is poisoned. */
    public VirtualWorkerModel(MachineUpgradeDurations times, List<AttemptStep> steps, double failureRate, long seed) {
        this(times, steps, failureRate, seed, machine -> false);
    }

    /** Work that always succeeds; the one step that is reported is the call's, so that a slow machine is not taken for lost. */
    public static VirtualWorkerModel faultless(MachineUpgradeDurations times) {
        return new VirtualWorkerModel(times, List.of(AttemptStep.STARTING), 0, 0);
    }

    /** The same, but that these machines fail whatever is tried. */
    public VirtualWorkerModel poisoning(IntPredicate machines) {
        return new VirtualWorkerModel(times, steps, failureRate, seed, machines);
    }

    /** How an attempt ends. */
    AttemptReport end(int machine, long attempt) {
        if (poisoned.test(machine)) {
            return FAILED;
        }
        if (failureRate == 0) {
            return SUCCEEDED;
        }
        long drawn = seed ^ (long) machine << 32 ^ attempt;
        return new SplittableRandom(drawn).nextDouble() < failureRate ? FAILED : SUCCEEDED;
    }
}
