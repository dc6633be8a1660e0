package dev.flotilla.nodeupgrader.contract;

import java.util.List;
import java.util.Optional;

/**
 * An UpgradePlan.
 *
 * @param jobNamespace the namespace of its Jobs in the workload cluster
 * @param steps in the order in which they run: those that prepare first
 */
public record UpgradePlan(String jobNamespace, List<PlanStep> steps) {
    public UpgradePlan {
        steps = List.copyOf(steps);
    }

    /** Returns this plan with another namespace for its Jobs. */
    public UpgradePlan in(String namespace) {
        return new UpgradePlan(namespace, steps);
    }

    /** Returns the steps that a NodeUpgrade runs. */
    public List<PlanStep> stepsOf(NodeUpgrade nodeUpgrade) {
        return steps.stream().filter(nodeUpgrade::runs).toList();
    }

    /** Returns a step by its name. */
    public Optional<PlanStep> step(String name) {
        return steps.stream().filter(step -> step.name().equals(name)).findFirst();
    }
}
