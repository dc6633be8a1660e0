package dev.flotilla.nodeupgrader.job;

import static dev.flotilla.nodeupgrader.job.ManifestJson.listOf;
import static dev.flotilla.nodeupgrader.job.ManifestJson.object;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.nodeupgrader.contract.PlanStep;
import dev.flotilla.nodeupgrader.contract.UpgradePlan;
import dev.flotilla.nodeupgrader.contract.UpgradePlanReader;
import dev.flotilla.nodeupgrader.contract.UpgradePlanReader.PlanReadResult;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.row.MachineRole;
import org.jspecify.annotations.Nullable;

/**
 * The plan that a Job was created from, kept in an annotation of the Job, so that an edit of the plan changes nothing that has begun. It
 * has no commands and variables: the Job's containers have them.
 */
public final class StartedPlan {
    static final String ANNOTATION = "flotilla.dev/plan";

    private StartedPlan() {}

    static String write(UpgradePlan plan) {
        return KubeObject.toJsonText(object(
                "spec",
                object(
                        "namespace",
                        plan.jobNamespace(),
                        "steps",
                        listOf(plan.steps().stream().map(StartedPlan::write).toList()))));
    }

    private static JsonObjectReader write(PlanStep step) {
        return object(
                "name",
                step.name(),
                "image",
                step.image(),
                "command",
                ManifestJson.list("-"),
                "roles",
                listOf(step.roles().stream().map(MachineRole::label).toList()),
                "phase",
                step.prepares() ? "Prepare" : "Upgrade",
                "timeoutSeconds",
                step.timeoutSeconds(),
                "retryableExitCodes",
                listOf(step.retryableExitCodes()),
                "permanentExitCodes",
                listOf(step.permanentExitCodes()),
                "reboot",
                step.reboots());
    }

    /** Returns the plan of a Job; null if the Job has none that can be read. */
    public static @Nullable UpgradePlan read(@Nullable KubeObject job) {
        KubeObject plan = job == null ? null : KubeObject.parse(job.annotation(ANNOTATION));
        return plan != null && UpgradePlanReader.read(plan) instanceof PlanReadResult.ValidPlan validPlan
                ? validPlan.plan()
                : null;
    }
}
