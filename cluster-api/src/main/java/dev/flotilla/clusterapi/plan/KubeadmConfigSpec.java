package dev.flotilla.clusterapi.plan;

import dev.flotilla.core.fleet.inventory.KubernetesVersion;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import org.jspecify.annotations.Nullable;

/** A control-plane machine's KubeadmConfig as the kubeadm control-plane manager compares and sends it. */
final class KubeadmConfigSpec {
    private static final String CLUSTER = "clusterConfiguration";
    private static final String GATES = "featureGates";
    private static final String LOCAL_MODE = "ControlPlaneKubeletLocalMode";
    private static final int FIRST_WITH_GATE = KubernetesVersion.parse("v1.31");
    private static final int FIRST_WITHOUT_GATE = KubernetesVersion.parse("v1.36");

    private KubeadmConfigSpec() {}

    /** Returns the spec that the manager makes of {@code kubeadmConfigSpec} for a version. */
    static JsonObjectReader ofOwner(JsonObjectReader spec, @Nullable String version) {
        return normalize(withGateOf(version, spec));
    }

    /** Returns the spec of a KubeadmConfig as the manager compares it: as for a member that joins, with defaults. */
    static JsonObjectReader normalize(JsonObjectReader spec) {
        JsonObjectReader normal = spec;
        if (normal.get("format") == null) {
            normal = JsonEdits.put(normal, "cloud-config", "format");
        }
        for (String part : new String[] {"initConfiguration", "joinConfiguration"}) {
            if (!new KubeObject(normal).has(part, "nodeRegistration", "imagePullPolicy")) {
                normal = JsonEdits.put(normal, "IfNotPresent", part, "nodeRegistration", "imagePullPolicy");
            }
        }
        if (!new KubeObject(normal).has("joinConfiguration", "controlPlane")) {
            normal = JsonEdits.put(normal, KubeObject.EMPTY.json(), "joinConfiguration", "controlPlane");
        }
        for (String[] path :
                new String[][] {{"joinConfiguration", "discovery"}, {CLUSTER, "controlPlaneEndpoint"}, {CLUSTER, "dns"}
                }) {
            normal = new KubeObject(normal).has(path) ? JsonEdits.remove(normal, path) : normal;
        }
        return JsonEdits.removeIfEmpty(normal, CLUSTER);
    }

    /** The manager sets the gate for 1.31 to 1.35, and removes it from 1.36 on. */
    private static JsonObjectReader withGateOf(@Nullable String version, JsonObjectReader spec) {
        int parsed = KubernetesVersion.parse(version);
        if (parsed == KubernetesVersion.UNKNOWN || KubernetesVersion.isOlder(parsed, FIRST_WITH_GATE)) {
            return spec;
        }
        boolean present = new KubeObject(spec).has(CLUSTER, GATES, LOCAL_MODE);
        if (KubernetesVersion.isOlder(parsed, FIRST_WITHOUT_GATE)) {
            return present
                    ? spec
                    : JsonEdits.put(
                            spec, new JsonValue.JsonBoolean(true, JsonValue.NO_LINE), CLUSTER, GATES, LOCAL_MODE);
        }
        return present
                ? JsonEdits.removeIfEmpty(
                        JsonEdits.removeIfEmpty(JsonEdits.remove(spec, CLUSTER, GATES, LOCAL_MODE), CLUSTER, GATES),
                        CLUSTER)
                : spec;
    }
}
