package dev.flotilla.clusterapi.plan;

import dev.flotilla.clusterapi.coverage.CoverageAnswer;
import dev.flotilla.clusterapi.coverage.CoverageDecider;
import dev.flotilla.clusterapi.coverage.HookObject;
import dev.flotilla.clusterapi.coverage.UncoveredPolicy;
import dev.flotilla.clusterapi.plan.MachinePlan.MachineFate;
import dev.flotilla.clusterapi.plan.MachinePlan.UncoveredPath;
import dev.flotilla.kube.KubeObject;
import java.util.List;

/** Judges a machine that Cluster API asks the extension about. */
record MachineJudge(RegisteredExtension extension) {

    /** Judges by the request that Cluster API would send. */
    MachinePlan judge(KubeObject machine, String owner, KubeObject request, List<HookObject> objects) {
        return switch (extension) {
            case RegisteredExtension.NotRegistered none -> plan(machine, owner, MachineFate.REPLACED, none.reason());
            case RegisteredExtension.Failing failing -> plan(machine, owner, MachineFate.HELD, failing.reason());
            case RegisteredExtension.Unknown unknown -> throw new IllegalStateException(unknown.problem());
            case RegisteredExtension.Answering answering ->
                switch (CoverageDecider.decide(answering.table(), request, objects)) {
                    case CoverageAnswer.Covered covered -> plan(machine, owner, MachineFate.IN_PLACE, "");
                    case CoverageAnswer.InvalidRequest invalid ->
                        plan(machine, owner, MachineFate.HELD, invalid.problem());
                    case CoverageAnswer.NotCovered notCovered ->
                        new MachinePlan(
                                nameOf(machine),
                                owner,
                                notCovered.policy() == UncoveredPolicy.STOP ? MachineFate.HELD : MachineFate.REPLACED,
                                notCovered.changes().stream()
                                        .map(UncoveredPath::of)
                                        .toList(),
                                "");
                };
        };
    }

    /** Returns the plan of a machine that is not judged by its fields. */
    static MachinePlan plan(KubeObject machine, String owner, MachineFate fate, String reason) {
        return new MachinePlan(nameOf(machine), owner, fate, List.of(), reason);
    }

    private static String nameOf(KubeObject machine) {
        return machine.namespace() + "/" + machine.name();
    }
}
