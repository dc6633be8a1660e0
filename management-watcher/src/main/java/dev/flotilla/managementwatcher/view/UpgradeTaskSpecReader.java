package dev.flotilla.managementwatcher.view;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.id.NameValidator;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.RedactedText;
import dev.flotilla.schemas.kube.LabelKeys;
import dev.flotilla.schemas.row.NodeUpgraderRef;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads the spec of an UpgradeTask. The CustomResourceDefinition rejects most of what is invalid; what it lets through,
 * or an older one, ends here as a problem with the field, the value and the way out.
 */
final class UpgradeTaskSpecReader {
    private static final int MAX_SHOWN = 100;
    private static final int MAX_MACHINES = 1_000;
    private static final long MAX_TTL = 31_536_000;
    private static final String NEW_TASK = "create another task";

    private final KubeObject spec;
    private final @Nullable String machineUid;
    private UpgradeTaskSpec.@Nullable SpecProblem problem;

    private UpgradeTaskSpecReader(KubeObject task) {
        this.spec = task.object("spec");
        this.machineUid = task.label(LabelKeys.MACHINE_UID);
    }

    static UpgradeTaskSpec readSpec(KubeObject task) {
        return new UpgradeTaskSpecReader(task).read();
    }

    private UpgradeTaskSpec read() {
        String clusterName = readText(NameValidator::problemOfSubdomain, "clusterName");
        if (clusterName == null) {
            reject("spec.clusterName", "is missing: name the Cluster of the machines, in the task's namespace");
        }
        UpgradeTaskSpec.TaskOwner owner = readOwner();
        List<String> machines = readMachines();
        if (owner == null && machines.isEmpty()) {
            reject("spec", "names no machines: give controlPlaneRef, machineDeploymentRef or machines");
        }
        String version = readText(UpgradeTaskSpecReader::problemOfVersion, "target", "version");
        String hash = readText(UpgradeTaskSpecReader::problemOfHash, "target", "machineSpec", "hash");
        if (version == null && hash == null) {
            reject("spec.target", "is missing: give version, such as v1.36.3, or machineSpec with its hash");
        }
        boolean abort = readAbort();
        Long ttl = readTtl();
        NodeUpgraderRef upgrader = readUpgrader();
        String target = hash == null ? "version=" + version : "spec=" + hash;
        return new UpgradeTaskSpec(
                clusterName == null ? "" : clusterName,
                owner,
                machines,
                machineUid,
                problem == null ? UpgradeTarget.parse(target) : null,
                version,
                hash,
                abort,
                ttl,
                upgrader,
                problem);
    }

    private @Nullable NodeUpgraderRef readUpgrader() {
        if (!spec.has("upgraderRef")) {
            return null;
        }
        String apiGroup = readUpgraderText(NameValidator::problemOfSubdomain, "apiGroup");
        String kind = readUpgraderText(UpgradeTaskSpecReader::problemOfKind, "kind");
        String name = readUpgraderText(NameValidator::problemOfSubdomain, "name");
        return apiGroup == null || kind == null || name == null ? null : new NodeUpgraderRef(apiGroup, kind, name);
    }

    private @Nullable String readUpgraderText(Function<String, @Nullable String> validator, String field) {
        String text = readText(validator, "upgraderRef", field);
        if (text == null) {
            reject(
                    "spec.upgraderRef." + field,
                    "is missing: name a template by apiGroup, kind and name, or leave upgraderRef out");
        }
        return text;
    }

    private UpgradeTaskSpec.@Nullable TaskOwner readOwner() {
        String controlPlane = readText(NameValidator::problemOfSubdomain, "controlPlaneRef", "name");
        String deployment = readText(NameValidator::problemOfSubdomain, "machineDeploymentRef", "name");
        if (spec.has("controlPlaneRef") && spec.has("machineDeploymentRef")) {
            reject("spec", "has controlPlaneRef and machineDeploymentRef: give one of them, and a task for each");
            return null;
        }
        for (String ref : List.of("controlPlaneRef", "machineDeploymentRef")) {
            if (spec.has(ref) && !spec.has(ref, "name")) {
                reject("spec." + ref + ".name", "is missing: name the owner of the machines, or leave " + ref + " out");
            }
        }
        if (controlPlane != null) {
            String kind = readText(text -> null, "controlPlaneRef", "kind");
            return new UpgradeTaskSpec.TaskOwner(true, kind == null ? "control plane" : kind, controlPlane);
        }
        return deployment == null ? null : new UpgradeTaskSpec.TaskOwner(false, "MachineDeployment", deployment);
    }

    private List<String> readMachines() {
        JsonValue json = spec.valueAt("machines");
        if (json == null) {
            return List.of();
        }
        if (!(json instanceof JsonValue.JsonArray array)) {
            reject("spec.machines", show(json) + " is not a list: write names of Machines, such as [blue-w-0]");
            return List.of();
        }
        if (array.items().size() > MAX_MACHINES) {
            reject("spec.machines", "has more than " + MAX_MACHINES + " names: write several tasks");
            return List.of();
        }
        List<String> names = new ArrayList<>();
        for (JsonValue item : array.items()) {
            if (item instanceof JsonValue.JsonString name && NameValidator.problemOfSubdomain(name.value()) == null) {
                names.add(name.value());
            } else {
                reject("spec.machines", show(item) + " is not the name of a Machine: " + NEW_TASK + " with its name");
            }
        }
        return names.stream().distinct().toList();
    }

    private boolean readAbort() {
        String phase = readText(text -> null, "phase");
        if (phase != null && !phase.equals("Ongoing") && !phase.equals("Abort")) {
            reject("spec.phase", "'" + cut(phase) + "' is neither Ongoing nor Abort: write one of them");
        }
        return "Abort".equals(phase);
    }

    private @Nullable Long readTtl() {
        JsonValue json = spec.valueAt("ttlSecondsAfterFinished");
        if (json == null) {
            return null;
        }
        if (json instanceof JsonValue.JsonInteger number && number.value() >= 0 && number.value() <= MAX_TTL) {
            return number.value();
        }
        reject(
                "spec.ttlSecondsAfterFinished",
                show(json) + " is not a number of seconds from 0 to " + MAX_TTL + ": write one, or leave it out");
        return null;
    }

    /** Reads a text; null if it is missing or invalid. */
    private @Nullable String readText(Function<String, @Nullable String> validator, String... path) {
        JsonValue json = spec.valueAt(path);
        String field = "spec." + String.join(".", path);
        if (json == null) {
            return null;
        }
        if (!(json instanceof JsonValue.JsonString text)) {
            reject(field, show(json) + " is not a text: " + NEW_TASK + " with a text");
            return null;
        }
        String invalid = validator.apply(text.value());
        if (invalid != null) {
            reject(field, "'" + cut(text.value()) + "' " + invalid + ": " + NEW_TASK + " with a valid value");
            return null;
        }
        return text.value();
    }

    private static @Nullable String problemOfVersion(String version) {
        return UpgradeTarget.problemOf("version=" + version);
    }

    private static @Nullable String problemOfKind(String kind) {
        return kind.matches("[A-Za-z][A-Za-z0-9]{0,62}") ? null : "is no kind of objects";
    }

    private static @Nullable String problemOfHash(String hash) {
        return UpgradeTarget.problemOf("spec=" + hash);
    }

    private void reject(String field, String message) {
        if (problem == null) {
            problem = new UpgradeTaskSpec.SpecProblem(field, message);
        }
    }

    private static String show(JsonValue json) {
        return "'" + cut(KubeObject.toJsonText(json)) + "'";
    }

    private static String cut(String text) {
        return RedactedText.redact(text, MAX_SHOWN);
    }
}
