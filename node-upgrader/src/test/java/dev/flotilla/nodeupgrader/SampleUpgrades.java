package dev.flotilla.nodeupgrader;

import dev.flotilla.nodeupgrader.contract.NodeUpgrade;
import dev.flotilla.nodeupgrader.contract.NodeUpgradePhase;
import dev.flotilla.nodeupgrader.contract.NodeUpgradeStatus;
import dev.flotilla.nodeupgrader.contract.PlanStep;
import dev.flotilla.nodeupgrader.contract.UpgradePlace;
import dev.flotilla.nodeupgrader.contract.UpgradePlace.NodeIdentity;
import dev.flotilla.nodeupgrader.contract.UpgradePlan;
import dev.flotilla.nodeupgrader.contract.UpgradeStage;
import dev.flotilla.nodeupgrader.decision.UpgradeObservation.JobState;
import dev.flotilla.nodeupgrader.decision.UpgradeObservation.ResultPodState;
import dev.flotilla.nodeupgrader.decision.UpgradeObservation.WorkloadLookup;
import dev.flotilla.nodeupgrader.report.NodeReport;
import dev.flotilla.schemas.row.MachineRole;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A NodeUpgrade of worker {@code w-1} and a plan of two steps. */
public final class SampleUpgrades {
    public static final Instant NOW = Instant.parse("2026-11-26T02:00:00Z");
    public static final Instant DEADLINE = NOW.plusSeconds(3_600);

    public static final NodeIdentity NODE = new NodeIdentity("uuid-1", "id-1");
    public static final UpgradePlace PLACE = new UpgradePlace("flotilla-node-upgrades", NODE);

    private SampleUpgrades() {}

    public static NodeUpgrade nodeUpgrade() {
        return nodeUpgrade(NodeUpgradePhase.PENDING, false);
    }

    public static NodeUpgrade nodeUpgrade(NodeUpgradePhase phase, boolean abort) {
        return nodeUpgrade(new NodeUpgradeStatus(phase, null, null, null, List.of(), null, null, null), abort);
    }

    public static NodeUpgrade nodeUpgrade(NodeUpgradeStatus status, boolean abort) {
        return nodeUpgrade("version=v1.36.3", status, abort);
    }

    /** What was read of a workload cluster in which every image can be pulled. */
    public static WorkloadLookup workload(
            @Nullable String jobNamespaceProblem,
            JobState job,
            boolean activePods,
            ResultPodState result,
            @Nullable String kubelet,
            @Nullable NodeIdentity node,
            @Nullable String onlyReplica,
            @Nullable NodeReport progress) {
        return new WorkloadLookup.WorkloadRead(
                jobNamespaceProblem, job, activePods, result, kubelet, node, onlyReplica, progress, null);
    }

    /** The same, without the finalizer. */
    public static NodeUpgrade notHeld(NodeUpgrade held) {
        return new NodeUpgrade(
                held.namespace(),
                held.name(),
                held.resourceVersion(),
                held.generation(),
                held.clusterName(),
                held.machine(),
                held.node(),
                held.role(),
                held.target(),
                held.attemptId(),
                held.deadline(),
                held.abort(),
                held.kubeconfigSecret(),
                held.plan(),
                held.stage(),
                null,
                List.of(),
                held.status());
    }

    public static NodeUpgrade nodeUpgrade(String target, NodeUpgradeStatus status, boolean abort) {
        return nodeUpgrade(target, UpgradeStage.ALL, status, abort);
    }

    public static NodeUpgrade nodeUpgrade(String target, UpgradeStage stage, NodeUpgradeStatus status, boolean abort) {
        return new NodeUpgrade(
                "fleet",
                "w-1-0a1b2c3d-7",
                "100",
                1,
                "blue",
                "w-1",
                "w-1",
                MachineRole.WORKER,
                target,
                7,
                DEADLINE,
                abort,
                "blue-kubeconfig",
                "example",
                stage,
                PLACE,
                List.of(NodeUpgrade.FINALIZER),
                status);
    }

    public static PlanStep step(String name, List<String> command) {
        return step(name, command, false);
    }

    /** A step of phase Prepare or Upgrade. */
    public static PlanStep step(String name, List<String> command, boolean prepares) {
        return new PlanStep(
                name,
                "example.org/tools:1",
                command,
                List.of(),
                List.of(MachineRole.values()),
                prepares,
                900,
                List.of(5L),
                List.of(3L),
                false);
    }

    public static UpgradePlan plan() {
        return new UpgradePlan(
                "flotilla-node-upgrades", List.of(step("one", List.of("true")), step("two", List.of("true"))));
    }
}
