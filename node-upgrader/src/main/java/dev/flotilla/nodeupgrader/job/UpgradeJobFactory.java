package dev.flotilla.nodeupgrader.job;

import static dev.flotilla.nodeupgrader.job.ManifestJson.list;
import static dev.flotilla.nodeupgrader.job.ManifestJson.listOf;
import static dev.flotilla.nodeupgrader.job.ManifestJson.object;

import dev.flotilla.nodeupgrader.contract.NodeUpgrade;
import dev.flotilla.nodeupgrader.contract.PlanStep;
import dev.flotilla.nodeupgrader.contract.UpgradePlace;
import dev.flotilla.nodeupgrader.contract.UpgradePlan;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Builds the Job of a NodeUpgrade: a pod pinned to the node, with a container for each step in their order, and the pod that reads
 * the result. They tolerate what an upgrade does to a node: taints, a drain, and the restart of the kubelet.
 */
public final class UpgradeJobFactory {
    /** The label with the NodeUpgrade's name on its Job and its pods. */
    public static final String NODE_UPGRADE_LABEL = "flotilla.dev/node-upgrade";

    /** The label of a pod that says whether it runs steps or reads the result. */
    public static final String POD_LABEL = "flotilla.dev/upgrade-pod";

    public static final String STEPS = "steps";
    public static final String RESULT = "result";

    /** The folder on the node with the state of all upgrades. */
    private static final String STATE_FOLDER = "/var/lib/flotilla/node-upgrades";

    /** How many pods may fail for another reason than a step, such as a kill. */
    private static final int BACKOFF_LIMIT = 6;

    /** Exit codes of {@code step.sh} for a step that must not be tried again, at least by this Job. */
    private static final List<Integer> FINAL_EXIT_CODES = List.of(70, 71, 72, 75);

    /** A pod that reads the result and never gets its image would pull for ever if nobody deletes it. */
    private static final Duration RESULT_POD_LIFETIME = Duration.ofMinutes(5);

    private static final Duration KEPT_AFTER_END = Duration.ofDays(1);
    private static final String STEP_SCRIPT = readScript("step.sh");
    private static final String SUPERVISOR_SCRIPT = readScript("supervise.sh");

    private UpgradeJobFactory() {}

    static String folderOf(NodeUpgrade nodeUpgrade) {
        return STATE_FOLDER + "/" + nodeUpgrade.name();
    }

    /** Returns the name of the pod that reads the result. */
    public static String resultPodName(NodeUpgrade nodeUpgrade) {
        return nodeUpgrade.name() + "-result";
    }

    /** Builds the Job. */
    public static JsonObjectReader buildJob(NodeUpgrade nodeUpgrade, UpgradePlan plan, boolean suspended) {
        List<PlanStep> steps = plan.stepsOf(nodeUpgrade);
        return object(
                "apiVersion",
                "batch/v1",
                "kind",
                "Job",
                "metadata",
                object(
                        "name",
                        nodeUpgrade.name(),
                        "namespace",
                        plan.jobNamespace(),
                        "labels",
                        labels(nodeUpgrade, STEPS),
                        "annotations",
                        object(StartedPlan.ANNOTATION, StartedPlan.write(plan))),
                "spec",
                object(
                        "suspend",
                        suspended,
                        "backoffLimit",
                        BACKOFF_LIMIT,
                        "ttlSecondsAfterFinished",
                        KEPT_AFTER_END.toSeconds(),
                        "podReplacementPolicy",
                        "Failed",
                        "podFailurePolicy",
                        object("rules", list(finalExitCodes(), disruptions())),
                        "template",
                        object(
                                "metadata",
                                object("labels", labels(nodeUpgrade, STEPS)),
                                "spec",
                                podSpec(
                                        nodeUpgrade,
                                        steps,
                                        steps.stream()
                                                .map(step -> stepContainer(nodeUpgrade, steps, step))
                                                .toList()))));
    }

    private static JsonObjectReader finalExitCodes() {
        return object("action", "FailJob", "onExitCodes", object("operator", "In", "values", listOf(FINAL_EXIT_CODES)));
    }

    private static JsonObjectReader disruptions() {
        return object(
                "action", "Ignore", "onPodConditions", list(object("type", "DisruptionTarget", "status", "True")));
    }

    /**
     * Builds the pod that reads the result.
     *
     * @param jobUid the uid of the Job, with which the pod is deleted
     */
    public static JsonObjectReader buildResultPod(NodeUpgrade nodeUpgrade, UpgradePlan plan, String jobUid) {
        return object(
                "apiVersion",
                "v1",
                "kind",
                "Pod",
                "metadata",
                object(
                        "name",
                        resultPodName(nodeUpgrade),
                        "namespace",
                        plan.jobNamespace(),
                        "labels",
                        labels(nodeUpgrade, RESULT),
                        "ownerReferences",
                        list(object(
                                "apiVersion", "batch/v1", "kind", "Job", "name", nodeUpgrade.name(), "uid", jobUid))),
                "spec",
                podSpec(nodeUpgrade, plan.stepsOf(nodeUpgrade), List.of()).toBuilder()
                        .put("activeDeadlineSeconds", RESULT_POD_LIFETIME.toSeconds())
                        .build());
    }

    private static JsonObjectReader labels(NodeUpgrade nodeUpgrade, String pod) {
        return object(
                NODE_UPGRADE_LABEL,
                nodeUpgrade.name(),
                POD_LABEL,
                pod,
                "app.kubernetes.io/managed-by",
                "flotilla-node-upgrader",
                // A drain by Cluster API spares such pods.
                "cluster.x-k8s.io/drain",
                "skip");
    }

    private static JsonObjectReader podSpec(
            NodeUpgrade nodeUpgrade, List<PlanStep> steps, List<JsonObjectReader> stepContainers) {
        return object(
                "nodeName",
                nodeUpgrade.node(),
                "restartPolicy",
                "Never",
                "hostPID",
                true,
                "hostNetwork",
                true,
                "priorityClassName",
                "system-node-critical",
                "automountServiceAccountToken",
                false,
                "enableServiceLinks",
                false,
                "terminationGracePeriodSeconds",
                30,
                "tolerations",
                list(object("operator", "Exists")),
                "initContainers",
                listOf(stepContainers),
                "containers",
                list(container(
                        "flotilla-result",
                        steps.getFirst().image(),
                        List.of("report"),
                        commonVariables(nodeUpgrade, steps))),
                "volumes",
                list(object("name", "host", "hostPath", object("path", "/"))));
    }

    private static JsonObjectReader stepContainer(NodeUpgrade nodeUpgrade, List<PlanStep> steps, PlanStep step) {
        List<JsonValue> variables = new ArrayList<>(commonVariables(nodeUpgrade, steps));
        variables.add(variable(
                "FLOTILLA_DEADLINE", Long.toString(nodeUpgrade.deadline().getEpochSecond())));
        UpgradePlace place = nodeUpgrade.place();
        variables.add(variable(
                "FLOTILLA_MACHINE_ID", place == null ? "" : place.node().machineId()));
        variables.add(variable("FLOTILLA_TIMEOUT", Long.toString(step.timeoutSeconds())));
        variables.add(variable(
                "FLOTILLA_PERMANENT",
                step.permanentExitCodes().stream().map(String::valueOf).collect(Collectors.joining(" "))));
        variables.add(variable("FLOTILLA_SCRIPT", StepScriptBuilder.build(nodeUpgrade, step)));
        variables.add(variable("FLOTILLA_SUPERVISOR", SUPERVISOR_SCRIPT));
        return container("step-" + step.name(), step.image(), List.of("run", step.name()), variables);
    }

    private static List<JsonValue> commonVariables(NodeUpgrade nodeUpgrade, List<PlanStep> steps) {
        return List.of(
                variable("FLOTILLA_NAME", nodeUpgrade.name()),
                variable("FLOTILLA_DIR", folderOf(nodeUpgrade)),
                variable("FLOTILLA_STEPS", steps.stream().map(PlanStep::name).collect(Collectors.joining(" "))),
                variable(
                        "FLOTILLA_REBOOTS",
                        steps.stream()
                                .filter(PlanStep::reboots)
                                .map(step -> step.name() + ":" + step.timeoutSeconds())
                                .collect(Collectors.joining(" "))));
    }

    private static JsonObjectReader container(
            String name, String image, List<String> arguments, List<JsonValue> variables) {
        List<String> command = new ArrayList<>(List.of("sh", "-c", escape(STEP_SCRIPT), "flotilla-step"));
        command.addAll(arguments);
        return object(
                "name",
                name,
                "image",
                image,
                "imagePullPolicy",
                "IfNotPresent",
                "command",
                listOf(command),
                "env",
                listOf(variables),
                "resources",
                object("requests", object("cpu", "10m", "memory", "32Mi")),
                "securityContext",
                object("privileged", true, "runAsUser", 0),
                "volumeMounts",
                list(object("name", "host", "mountPath", "/host")));
    }

    private static JsonObjectReader variable(String name, String value) {
        return object("name", name, "value", escape(value));
    }

    /** Kubernetes replaces references such as {@code $(NAME)} in commands and variables; two dollars stand for one. */
    private static String escape(String text) {
        return text.replace("$", "$$");
    }

    private static String readScript(String file) {
        try (InputStream in = UpgradeJobFactory.class.getResourceAsStream("/dev/flotilla/nodeupgrader/" + file)) {
            return new String(Objects.requireNonNull(in, file).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(file, e);
        }
    }
}
