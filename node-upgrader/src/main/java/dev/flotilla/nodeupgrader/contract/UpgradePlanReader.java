package dev.flotilla.nodeupgrader.contract;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.id.NameValidator;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.RedactedText;
import dev.flotilla.schemas.kube.NodeUpgradeStage;
import dev.flotilla.schemas.row.MachineRole;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads UpgradePlans. */
public final class UpgradePlanReader {
    static final String DEFAULT_NAMESPACE = "flotilla-node-upgrades";
    private static final long DEFAULT_TIMEOUT_SECONDS = 900;
    private static final int MAX_STEPS = 32;
    private static final int MAX_STEP_NAME = 40;
    private static final String RESERVED = "FLOTILLA_";
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private UpgradePlanReader() {}

    /** The result of reading a plan. */
    public sealed interface PlanReadResult {
        /** The plan can be followed. */
        record ValidPlan(UpgradePlan plan) implements PlanReadResult {}

        /** The plan has an invalid field. */
        record InvalidPlan(String problem) implements PlanReadResult {}
    }

    /** Reads an object. */
    public static PlanReadResult read(KubeObject object) {
        List<KubeObject> list = object.list("spec", "steps");
        if (list.isEmpty() || list.size() > MAX_STEPS) {
            return new PlanReadResult.InvalidPlan(
                    "spec.steps has " + list.size() + " steps; a plan has 1 to " + MAX_STEPS);
        }
        String namespace = object.text("spec", "namespace");
        if (namespace != null && NameValidator.problemOfLabel(namespace) != null) {
            return new PlanReadResult.InvalidPlan(
                    "spec.namespace '" + RedactedText.redact(namespace) + "' is not a name of a namespace");
        }
        List<PlanStep> steps = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (KubeObject each : list) {
            String name = textOf(each, "name");
            String problem = names.add(name) ? findProblem(each) : "is there twice";
            if (problem != null) {
                return new PlanReadResult.InvalidPlan("step '" + RedactedText.redact(name) + "' " + problem);
            }
            steps.add(readStep(each));
        }
        steps.sort(Comparator.comparing(step -> !step.prepares()));
        return new PlanReadResult.ValidPlan(new UpgradePlan(namespace == null ? DEFAULT_NAMESPACE : namespace, steps));
    }

    private static @Nullable String findProblem(KubeObject step) {
        String name = textOf(step, "name");
        if (NameValidator.problemOfLabel(name) != null || name.length() > MAX_STEP_NAME) {
            return "must have a name of 1 to " + MAX_STEP_NAME + " lower-case letters, digits or '-'";
        }
        if (textOf(step, "image").isEmpty() || step.texts("command").isEmpty()) {
            return "must have an image and a command";
        }
        List<String> roles = step.texts("roles");
        if (step.has("roles") && (roles.isEmpty() || roles.stream().anyMatch(role -> MachineRole.find(role) == null))) {
            return "has roles other than control-plane and worker, so it is not known which nodes run it";
        }
        for (KubeObject variable : step.list("env")) {
            String key = textOf(variable, "name");
            if (!VARIABLE.matcher(key).matches() || key.startsWith(RESERVED)) {
                return "has the variable '" + RedactedText.redact(key) + "'; names are letters, digits and '_', and "
                        + RESERVED + "… is reserved";
            }
        }
        return null;
    }

    private static PlanStep readStep(KubeObject step) {
        List<MachineRole> roles = new ArrayList<>();
        for (String label : step.texts("roles")) {
            MachineRole role = MachineRole.find(label);
            if (role != null) {
                roles.add(role);
            }
        }
        Long timeout = step.number("timeoutSeconds");
        return new PlanStep(
                textOf(step, "name"),
                textOf(step, "image"),
                step.texts("command"),
                step.list("env").stream()
                        .map(each -> new PlanStep.EnvironmentVariable(textOf(each, "name"), textOf(each, "value")))
                        .toList(),
                step.has("roles") ? roles : List.of(MachineRole.values()),
                NodeUpgradeStage.PREPARE.label().equals(step.text("phase")),
                timeout == null ? DEFAULT_TIMEOUT_SECONDS : Math.max(1, timeout),
                readNumbers(step, "retryableExitCodes"),
                readNumbers(step, "permanentExitCodes"),
                step.bool("reboot"));
    }

    private static List<Long> readNumbers(KubeObject step, String field) {
        return step.valueAt(field) instanceof JsonValue.JsonArray jsonArray
                ? jsonArray.items().stream()
                        .filter(JsonValue.JsonInteger.class::isInstance)
                        .map(item -> ((JsonValue.JsonInteger) item).value())
                        .toList()
                : List.of();
    }

    private static String textOf(KubeObject object, String field) {
        String text = object.text(field);
        return text == null ? "" : text;
    }
}
