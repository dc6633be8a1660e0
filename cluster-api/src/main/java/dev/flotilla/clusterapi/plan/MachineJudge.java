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
record MachineJudge(NamespaceExtension extension) {

    /** Judges by the request that Cluster API would send. */
    MachinePlan judge(KubeObject machine, String owner, KubeObject request, List<HookObject> objects) {
        return switch (extension) {
            case NamespaceExtension.NotRegistered none -> plan(machine, owner, MachineFate.REPLACED, none.reason());
            case NamespaceExtension.Failing failing -> plan(machine, owner, MachineFate.HELD, failing.reason());
            case NamespaceExtension.Unknown unknown -> throw new IllegalStateException(unknown.problem());
            case NamespaceExtension.Answering answering ->
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
