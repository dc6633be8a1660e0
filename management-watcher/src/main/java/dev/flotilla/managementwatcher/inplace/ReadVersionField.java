package dev.flotilla.managementwatcher.inplace;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.managementwatcher.view.ManagedFieldsReader;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.row.VersionField;
import dev.flotilla.schemas.row.VersionFieldKind;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A version field as it was read, with what a write to it needs.
 *
 * @param apiVersion the version in which its object was read
 * @param resourceVersion the object's, which a write must still find
 */
record ReadVersionField(VersionField field, String apiVersion, String namespace, String resourceVersion) {
    static final String CLUSTER_GROUP = "cluster.x-k8s.io";
    static final String CONTROL_PLANE_GROUP = "controlplane.cluster.x-k8s.io";

    /** Reads the field of an object; null if the object does not have it. */
    static @Nullable ReadVersionField read(
            VersionFieldKind kind, String apiVersion, KubeObject object, @Nullable String problem) {
        String version = object.text(path(kind));
        return version == null || version.isEmpty()
                ? null
                : new ReadVersionField(
                        new VersionField(kind, object.name(), version, lastManager(object, path(kind)), problem),
                        apiVersion,
                        object.namespace(),
                        object.resourceVersion());
    }

    private static String[] path(VersionFieldKind kind) {
        return switch (kind) {
            case TOPOLOGY -> new String[] {"spec", "topology", "version"};
            case CONTROL_PLANE -> new String[] {"spec", "version"};
            case MACHINE_DEPLOYMENT -> new String[] {"spec", "template", "spec", "version"};
        };
    }

    private static @Nullable String lastManager(KubeObject object, String... path) {
        KubeObject last = ManagedFieldsReader.lastWriterAt(object, path);
        return last == null ? null : last.text("manager");
    }

    String group() {
        return field.kind() == VersionFieldKind.CONTROL_PLANE ? CONTROL_PLANE_GROUP : CLUSTER_GROUP;
    }

    String plural() {
        return switch (field.kind()) {
            case TOPOLOGY -> "clusters";
            case CONTROL_PLANE -> "kubeadmcontrolplanes";
            case MACHINE_DEPLOYMENT -> "machinedeployments";
        };
    }

    private String objectKind() {
        return switch (field.kind()) {
            case TOPOLOGY -> "Cluster";
            case CONTROL_PLANE -> "KubeadmControlPlane";
            case MACHINE_DEPLOYMENT -> "MachineDeployment";
        };
    }

    /** Builds the object for server-side apply that sets the field, and is rejected if the object has changed. */
    JsonObjectReader toPatch(String version) {
        List<String> names = Arrays.asList(path(field.kind()));
        JsonObjectReader.Builder body = new JsonObjectReader.Builder()
                .put("apiVersion", apiVersion)
                .put("kind", objectKind())
                .put(
                        "metadata",
                        new JsonObjectReader.Builder()
                                .put("namespace", namespace)
                                .put("name", field.name())
                                .put("resourceVersion", resourceVersion)
                                .build());
        JsonObjectReader.Builder inner = new JsonObjectReader.Builder().put(names.getLast(), version);
        for (int i = names.size() - 2; i > 0; i--) {
            inner = new JsonObjectReader.Builder().put(names.get(i), inner.build());
        }
        return body.put(names.getFirst(), inner.build()).build();
    }
}
