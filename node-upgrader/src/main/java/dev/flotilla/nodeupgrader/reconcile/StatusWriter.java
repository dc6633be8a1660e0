package dev.flotilla.nodeupgrader.reconcile;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.nodeupgrader.contract.NodeUpgrade;
import dev.flotilla.nodeupgrader.contract.NodeUpgradeStatus;
import dev.flotilla.nodeupgrader.contract.StepStatus;
import dev.flotilla.nodeupgrader.contract.UpgradePlace;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes the status and the finalizer of a NodeUpgrade, if nobody has changed the object since it was read. */
final class StatusWriter {
    static final String VERSION = "flotilla.dev/v1alpha1";
    static final String PLURAL = "nodeupgrades";

    private final KubeApiClient management;

    StatusWriter(KubeApiClient management) {
        this.management = management;
    }

    static String path(String namespace, String name) {
        return KubeApiPath.groupObject(VERSION, namespace, PLURAL, name);
    }

    /** Writes a status. */
    KubeResponse write(
            String namespace, String name, String resourceVersion, long generation, NodeUpgradeStatus status) {
        JsonObjectReader body = new JsonObjectReader.Builder()
                .put(
                        "metadata",
                        new JsonObjectReader.Builder()
                                .put("resourceVersion", resourceVersion)
                                .build())
                .put("status", toJson(status, generation))
                .build();
        return management.mergePatch(path(namespace, name) + "/status", body);
    }

    /**
     * Sets or removes the finalizer, and leaves those of others.
     *
     * @param place where the upgrade runs, kept with the finalizer; null to remove the finalizer
     */
    KubeResponse writeFinalizer(NodeUpgrade nodeUpgrade, @Nullable UpgradePlace place) {
        return writeFinalizer(
                path(nodeUpgrade.namespace(), nodeUpgrade.name()),
                nodeUpgrade.resourceVersion(),
                nodeUpgrade.finalizers(),
                place);
    }

    /** Removes the finalizer of an object whose spec may be invalid. */
    KubeResponse removeFinalizer(KubeObject object) {
        return writeFinalizer(
                path(object.namespace(), object.name()),
                object.resourceVersion(),
                object.texts("metadata", "finalizers"),
                null);
    }

    private KubeResponse writeFinalizer(
            String path, String resourceVersion, List<String> before, @Nullable UpgradePlace place) {
        List<JsonValue> finalizers = new ArrayList<>();
        before.stream()
                .filter(finalizer -> !finalizer.equals(NodeUpgrade.FINALIZER))
                .forEach(finalizer -> finalizers.add(new JsonValue.JsonString(finalizer, JsonValue.NO_LINE)));
        if (place != null) {
            finalizers.add(new JsonValue.JsonString(NodeUpgrade.FINALIZER, JsonValue.NO_LINE));
        }
        JsonObjectReader.Builder metadata = new JsonObjectReader.Builder()
                .put("resourceVersion", resourceVersion)
                .put("finalizers", new JsonValue.JsonArray(finalizers, JsonValue.NO_LINE));
        if (place != null) {
            metadata.put(
                    "annotations",
                    new JsonObjectReader.Builder()
                            .put(UpgradePlace.ANNOTATION, place.text())
                            .build());
        }
        return management.mergePatch(
                path,
                new JsonObjectReader.Builder().put("metadata", metadata.build()).build());
    }

    private static JsonObjectReader toJson(NodeUpgradeStatus status, long generation) {
        JsonObjectReader.Builder json = new JsonObjectReader.Builder()
                .put("phase", status.phase().label())
                .put("observedGeneration", generation);
        // A problem that has ended by itself is removed.
        putOrRemove(json, "failureReason", status.failureReason());
        putOrRemove(json, "failureMessage", status.failureMessage());
        put(json, "observedVersion", status.observedVersion());
        put(json, "observedSpec", status.observedSpec());
        put(json, "lastHeartbeat", text(status.lastHeartbeat()));
        if (status.retryable() != null) {
            json.put("retryable", status.retryable());
        }
        List<JsonValue> steps = new ArrayList<>();
        status.steps().forEach(step -> steps.add(toJson(step)));
        return json.put("steps", new JsonValue.JsonArray(steps, JsonValue.NO_LINE))
                .build();
    }

    private static JsonObjectReader toJson(StepStatus step) {
        JsonObjectReader.Builder json = new JsonObjectReader.Builder()
                .put("name", step.name())
                .put("state", step.state().label());
        put(json, "since", text(step.since()));
        if (step.exitCode() != null) {
            json.put("exitCode", step.exitCode());
        }
        return json.build();
    }

    private static @Nullable String text(@Nullable Instant instant) {
        return instant == null ? null : instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private static void putOrRemove(JsonObjectReader.Builder json, String name, @Nullable String value) {
        json.put(
                name,
                value == null
                        ? new JsonValue.JsonNull(JsonValue.NO_LINE)
                        : new JsonValue.JsonString(value, JsonValue.NO_LINE));
    }

    private static void put(JsonObjectReader.Builder json, String name, @Nullable String value) {
        if (value != null) {
            json.put(name, value);
        }
    }
}
