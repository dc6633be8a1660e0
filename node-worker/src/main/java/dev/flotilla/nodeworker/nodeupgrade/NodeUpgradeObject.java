package dev.flotilla.nodeworker.nodeupgrade;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.id.NameValidator;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.RedactedText;
import dev.flotilla.schemas.kube.LabelKeys;
import dev.flotilla.schemas.kube.NodeUpgradeStage;
import dev.flotilla.schemas.row.MachineRole;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Builds NodeUpgrades, and compares those that exist with an attempt. */
final class NodeUpgradeObject {
    /** The only field of the spec that may change. */
    static final String PHASE = "phase";

    private static final String STAGE = "stage";

    static final String ABORT = "Abort";
    private static final String ONGOING = "Ongoing";

    private NodeUpgradeObject() {}

    /**
     * Builds the object of an attempt. It has no owner reference, so that a deleted Machine does not delete it while it
     * runs.
     *
     * @param templateSpec what the spec has beside the fields of the contract, which win
     * @param deadline after which no step starts
     */
    static JsonObjectReader build(
            NodeUpgradeAttempt attempt, NodeUpgradeKind kind, JsonObjectReader templateSpec, Instant deadline) {
        return new JsonObjectReader.Builder()
                .put("apiVersion", kind.apiVersion())
                .put("kind", kind.kind())
                .put("metadata", metadata(attempt))
                .put("spec", spec(attempt, templateSpec, deadline))
                .build();
    }

    private static JsonObjectReader metadata(NodeUpgradeAttempt attempt) {
        JsonObjectReader.Builder labels = new JsonObjectReader.Builder()
                .put(LabelKeys.CLUSTER_NAME, attempt.cluster().name())
                .put(LabelKeys.ATTEMPT, Long.toString(attempt.attemptId()));
        String machine = attempt.machine().name();
        if (machine.length() <= NameValidator.MAX_LABEL) {
            labels.put(LabelKeys.MACHINE, machine);
        }
        return new JsonObjectReader.Builder()
                .put("name", attempt.objectName())
                .put("namespace", attempt.machine().namespace())
                .put("labels", labels.build())
                .build();
    }

    private static JsonObjectReader spec(NodeUpgradeAttempt attempt, JsonObjectReader templateSpec, Instant deadline) {
        JsonObjectReader.Builder spec = templateSpec.toBuilder()
                .put("clusterName", attempt.cluster().name())
                .put(
                        "machine",
                        new JsonObjectReader.Builder()
                                .put("name", attempt.machine().name())
                                .put("uid", attempt.machineUid())
                                .build())
                .put("node", attempt.node())
                .put("role", roleOf(attempt))
                .put("target", attempt.target().text())
                .put("attemptId", attempt.attemptId())
                .put("deadline", deadline.truncatedTo(ChronoUnit.SECONDS).toString())
                .put(PHASE, ONGOING)
                .put("kubeconfigSecret", attempt.cluster().name() + "-kubeconfig");
        NodeUpgradeStage stage = attempt.stage();
        return (stage == null ? spec : spec.put(STAGE, stage.label())).build();
    }

    private static String roleOf(NodeUpgradeAttempt attempt) {
        return attempt.role() == MachineRole.CONTROL_PLANE ? "control-plane" : "worker";
    }

    /** The change of an object that asks its controller to abort. */
    static JsonObjectReader abortPatch() {
        return new JsonObjectReader.Builder()
                .put("spec", new JsonObjectReader.Builder().put(PHASE, ABORT).build())
                .build();
    }

    /**
     * Returns how an existing object differs from what the attempt asks; null if the attempt has created it. The deadline
     * and what the template says are not compared, because both may differ between two tries to create it.
     */
    static @Nullable String findDifference(KubeObject object, NodeUpgradeAttempt attempt) {
        String[][] expected = {
            {attempt.machine().name(), "machine", "name"},
            {attempt.machineUid(), "machine", "uid"},
            {attempt.cluster().name(), "clusterName"},
            {attempt.node(), "node"},
            {roleOf(attempt), "role"},
            {attempt.target().text(), "target"},
        };
        KubeObject spec = object.object("spec");
        for (String[] field : expected) {
            String[] path = Arrays.copyOfRange(field, 1, field.length);
            String difference = describe(String.join(".", path), spec.text(path), field[0]);
            if (difference != null) {
                return difference;
            }
        }
        Long attemptId = spec.number("attemptId");
        String stage = spec.text(STAGE);
        String expectedStage = attempt.stage() == null ? null : attempt.stage().label();
        if (!Objects.equals(stage, expectedStage)) {
            return describe(STAGE, stage, expectedStage == null ? "missing" : expectedStage);
        }
        return describe(
                "attemptId", attemptId == null ? null : attemptId.toString(), Long.toString(attempt.attemptId()));
    }

    private static @Nullable String describe(String field, @Nullable String found, String expected) {
        return expected.equals(found)
                ? null
                : "its spec." + field + " is " + (found == null ? "missing" : RedactedText.redact(found)) + ", not "
                        + expected;
    }
}
