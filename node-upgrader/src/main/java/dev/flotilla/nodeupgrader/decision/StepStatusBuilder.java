package dev.flotilla.nodeupgrader.decision;

import dev.flotilla.nodeupgrader.contract.NodeUpgrade;
import dev.flotilla.nodeupgrader.contract.NodeUpgradeStatus;
import dev.flotilla.nodeupgrader.contract.PlanStep;
import dev.flotilla.nodeupgrader.contract.StepState;
import dev.flotilla.nodeupgrader.contract.StepStatus;
import dev.flotilla.nodeupgrader.contract.UpgradePlan;
import dev.flotilla.nodeupgrader.report.NodeReport;
import dev.flotilla.nodeupgrader.report.StepReport;
import java.util.ArrayList;
import java.util.List;

/** Builds the steps in a status from the plan and the node's report. */
final class StepStatusBuilder {
    private StepStatusBuilder() {}

    static List<StepStatus> initialSteps(UpgradePlan plan, NodeUpgrade nodeUpgrade) {
        return plan.steps().stream()
                .map(step -> new StepStatus(step.name(), unreported(step, nodeUpgrade), null, null))
                .toList();
    }

    private static StepState unreported(PlanStep step, NodeUpgrade nodeUpgrade) {
        return nodeUpgrade.runs(step) ? StepState.WAITING : StepState.SKIPPED;
    }

    static NodeUpgradeStatus apply(NodeUpgrade nodeUpgrade, UpgradePlan plan, NodeReport report) {
        List<StepStatus> steps = new ArrayList<>();
        for (PlanStep step : plan.steps()) {
            steps.add(report.steps().stream()
                    .filter(each -> each.name().equals(step.name()))
                    .findFirst()
                    .map(StepStatusBuilder::status)
                    .orElseGet(() -> new StepStatus(step.name(), unreported(step, nodeUpgrade), null, null)));
        }
        return nodeUpgrade.status().withSteps(steps, report.at());
    }

    private static StepStatus status(StepReport step) {
        return new StepStatus(step.name(), step.state(), step.since(), step.exitCode());
    }
}
