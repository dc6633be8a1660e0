package dev.flotilla.nodeupgrader.decision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.nodeupgrader.SampleUpgrades;
import dev.flotilla.nodeupgrader.contract.FailureReason;
import dev.flotilla.nodeupgrader.contract.NodeUpgrade;
import dev.flotilla.nodeupgrader.contract.NodeUpgradePhase;
import dev.flotilla.nodeupgrader.contract.NodeUpgradeStatus;
import dev.flotilla.nodeupgrader.contract.PlanStep;
import dev.flotilla.nodeupgrader.contract.StepState;
import dev.flotilla.nodeupgrader.contract.StepStatus;
import dev.flotilla.nodeupgrader.contract.UpgradePlan;
import dev.flotilla.nodeupgrader.contract.UpgradeStage;
import dev.flotilla.nodeupgrader.decision.UpgradeObservation.JobState;
import dev.flotilla.nodeupgrader.decision.UpgradeObservation.PlanLookup;
import dev.flotilla.nodeupgrader.decision.UpgradeObservation.ResultPodState;
import dev.flotilla.nodeupgrader.decision.UpgradeObservation.WorkloadLookup;
import dev.flotilla.nodeupgrader.report.NodeReport;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which steps a NodeUpgrade of a stage runs, and when it has succeeded. */
class PreparationDecisionTest {
    private static final Instant NOW = SampleUpgrades.NOW;
    private static final String OLD = "v1.36.1";
    private static final PlanStep FETCH = SampleUpgrades.step("fetch", List.of("true"), true);
    private static final PlanStep UPGRADE = SampleUpgrades.step("upgrade", List.of("true"), false);

    private static NodeUpgrade nodeUpgrade(UpgradeStage stage, NodeUpgradePhase phase) {
        return SampleUpgrades.nodeUpgrade(
                "version=v1.36.3",
                stage,
                new NodeUpgradeStatus(phase, null, null, null, List.of(), null, null, null),
                false);
    }

    private static NodeUpgradeStatus decide(NodeUpgrade nodeUpgrade, List<PlanStep> steps, WorkloadLookup workload) {
        UpgradeDecision decision = NodeUpgradeDecider.decide(
                nodeUpgrade,
                new UpgradeObservation(new PlanLookup.PlanFound(new UpgradePlan("upgrades", steps)), workload),
                NOW);
        assertThat(decision).isInstanceOf(UpgradeDecision.WriteStatus.class);
        return ((UpgradeDecision.WriteStatus) decision).status();
    }

    private static WorkloadLookup idle(String onlyReplica) {
        return SampleUpgrades.workload(
                null, JobState.NONE, false, new ResultPodState.NoResultPod(), OLD, null, onlyReplica, null);
    }

    private static StepStatus step(String name, StepState state) {
        return new StepStatus(name, state, null, null);
    }

    @Test
    void runsOnlyTheStepsOfItsStage() {
        List<PlanStep> steps = List.of(FETCH, UPGRADE);
        assertThat(decide(nodeUpgrade(UpgradeStage.PREPARE, NodeUpgradePhase.PENDING), steps, idle(null))
                        .steps())
                .containsExactly(step("fetch", StepState.WAITING), step("upgrade", StepState.SKIPPED));
        assertThat(decide(nodeUpgrade(UpgradeStage.UPGRADE, NodeUpgradePhase.PENDING), steps, idle(null))
                        .steps())
                .containsExactly(step("fetch", StepState.SKIPPED), step("upgrade", StepState.WAITING));
        UpgradePlan plan = new UpgradePlan("upgrades", steps);
        assertThat(plan.stepsOf(nodeUpgrade(UpgradeStage.PREPARE, NodeUpgradePhase.PENDING)))
                .containsExactly(FETCH);
        assertThat(plan.stepsOf(nodeUpgrade(UpgradeStage.ALL, NodeUpgradePhase.PENDING)))
                .containsExactly(FETCH, UPGRADE);
    }

    @Test
    void preparationHasSucceededWithTheOldVersion() {
        NodeReport report = NodeReport.parse("{\"now\":%d,\"steps\":{\"fetch\":\"Succeeded %d 1 0\"},\"message\":\"\"}"
                .formatted(NOW.getEpochSecond(), NOW.getEpochSecond()));
        assertThat(report).isNotNull();
        WorkloadLookup ended = SampleUpgrades.workload(
                null,
                JobState.COMPLETE,
                false,
                new ResultPodState.ResultReported(report, Duration.ofSeconds(1)),
                OLD,
                null,
                null,
                null);
        NodeUpgradeStatus status =
                decide(nodeUpgrade(UpgradeStage.PREPARE, NodeUpgradePhase.RUNNING), List.of(FETCH, UPGRADE), ended);
        assertThat(status.phase()).isEqualTo(NodeUpgradePhase.SUCCEEDED);
        assertThat(status.observedVersion()).isEqualTo(OLD);
        assertThat(status.observedSpec()).isNull();
    }

    @Test
    void planWithoutPreparationHasNothingToPrepare() {
        NodeUpgradeStatus status =
                decide(nodeUpgrade(UpgradeStage.PREPARE, NodeUpgradePhase.PENDING), List.of(UPGRADE), idle(null));
        assertThat(status.phase()).isEqualTo(NodeUpgradePhase.SUCCEEDED);
        assertThat(status.steps()).containsExactly(step("upgrade", StepState.SKIPPED));
        assertThat(decide(nodeUpgrade(UpgradeStage.UPGRADE, NodeUpgradePhase.PENDING), List.of(FETCH), idle(null))
                        .failureReason())
                .isEqualTo(FailureReason.PLAN_INVALID.label());
    }

    @Test
    void preparesTheNodeOfAnOnlyReplica() {
        WorkloadLookup workload = idle("flotilla/orchestrator-0");
        assertThat(decide(nodeUpgrade(UpgradeStage.PREPARE, NodeUpgradePhase.PENDING), List.of(FETCH), workload)
                        .phase())
                .isEqualTo(NodeUpgradePhase.RUNNING);
        assertThat(decide(nodeUpgrade(UpgradeStage.ALL, NodeUpgradePhase.PENDING), List.of(FETCH), workload)
                        .failureReason())
                .isEqualTo(FailureReason.ONLY_REPLICA.label());
    }
}
