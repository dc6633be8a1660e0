package dev.flotilla.nodeupgrader.contract;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.id.NameValidator;
import dev.flotilla.schemas.json.tree.RedactedText;
import dev.flotilla.schemas.row.MachineRole;
import java.time.Instant;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads NodeUpgrades. What the CRD rejects is a problem here too, because a cluster may have an older CRD. */
public final class NodeUpgradeReader {
    private static final Pattern TARGET = Pattern.compile("version=v(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)"
            + "([-+][0-9A-Za-z.-]{1,64})*|spec=sha256:[0-9a-f]{64}");

    private NodeUpgradeReader() {}

    /** The result of reading a NodeUpgrade. */
    public sealed interface NodeUpgradeReadResult {
        /** The NodeUpgrade can be fulfilled. */
        record ValidNodeUpgrade(NodeUpgrade nodeUpgrade) implements NodeUpgradeReadResult {}

        /**
         * The NodeUpgrade has an invalid field.
         *
         * @param status the status that it has so far
         */
        record InvalidNodeUpgrade(String problem, NodeUpgradeStatus status) implements NodeUpgradeReadResult {}
    }

    /** Reads an object. */
    public static NodeUpgradeReadResult read(KubeObject object) {
        KubeObject spec = object.object("spec");
        NodeUpgradeStatus status = NodeUpgradeStatus.read(object.object("status"));
        String problem = findProblem(object.name(), spec);
        MachineRole role = MachineRole.find(spec.text("role"));
        Instant deadline = spec.instant("deadline");
        Long attemptId = spec.number("attemptId");
        UpgradeStage stage = UpgradeStage.find(spec.text("stage"));
        if (problem != null || stage == null || role == null || deadline == null || attemptId == null) {
            return new NodeUpgradeReadResult.InvalidNodeUpgrade(
                    problem == null ? "spec has no role, deadline or attemptId" : problem, status);
        }
        Long generation = object.number("metadata", "generation");
        return new NodeUpgradeReadResult.ValidNodeUpgrade(new NodeUpgrade(
                object.namespace(),
                object.name(),
                object.resourceVersion(),
                generation == null ? 0 : generation,
                textOf(spec, "clusterName"),
                textOf(spec.object("machine"), "name"),
                textOf(spec, "node"),
                role,
                textOf(spec, "target"),
                attemptId,
                deadline,
                "Abort".equals(spec.text("phase")) || object.has("metadata", "deletionTimestamp"),
                textOf(spec, "kubeconfigSecret"),
                textOf(spec, "plan"),
                stage,
                UpgradePlace.read(object),
                object.texts("metadata", "finalizers"),
                status));
    }

    private static @Nullable String findProblem(String name, KubeObject spec) {
        String cluster = textOf(spec, "clusterName");
        if (name.length() > NameValidator.MAX_LABEL) {
            return "metadata.name has more than " + NameValidator.MAX_LABEL + " characters, so no Job can have it";
        }
        String problem = check(spec, "clusterName", value -> NameValidator.problemOfLabel(value) == null);
        if (problem == null && !textOf(spec, "kubeconfigSecret").equals(cluster + "-kubeconfig")) {
            return "spec.kubeconfigSecret must be " + cluster + "-kubeconfig";
        }
        problem = problem != null ? problem : check(spec, "node", NodeUpgradeReader::isObjectName);
        problem = problem != null ? problem : check(spec, "plan", NodeUpgradeReader::isObjectName);
        problem = problem != null || UpgradeStage.find(spec.text("stage")) != null
                ? problem
                : check(spec, "stage", value -> false);
        problem = problem != null ? problem : check(spec, "role", value -> MachineRole.find(value) != null);
        problem = problem != null
                ? problem
                : check(spec, "target", value -> TARGET.matcher(value).matches());
        return problem != null ? problem : check(spec.object("machine"), "name", NodeUpgradeReader::isObjectName);
    }

    private static @Nullable String check(KubeObject of, String field, Predicate<String> isValid) {
        String value = textOf(of, field);
        return isValid.test(value) ? null : "spec has the invalid " + field + " '" + RedactedText.redact(value) + "'";
    }

    private static boolean isObjectName(String value) {
        return NameValidator.problemOfSubdomain(value) == null;
    }

    private static String textOf(KubeObject object, String field) {
        String text = object.text(field);
        return text == null ? "" : text;
    }
}
