package dev.flotilla.managementwatcher.external;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.managementwatcher.external.ExternalUpgradeRequest.ClusterName;
import dev.flotilla.managementwatcher.external.ExternalUpgradeRequest.MachineSpec;
import dev.flotilla.managementwatcher.external.ExternalUpgradeRequest.ObjectRef;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The UpgradeTask that an ExternalUpgradeRequest asks for. Its name follows from its content, so that the same request
 * finds the same task.
 */
final class RequestedUpgradeTask {
    /** The annotation with the name of the user who has sent the request: the watcher creates the task. */
    static final String REQUESTED_BY = "flotilla.dev/requested-by";

    private static final String CONTROL_PLANE_GROUP = "controlplane.cluster.x-k8s.io";
    private static final int MAX_PREFIX = 40;
    private static final int HASH_BYTES = 4;

    private final ExternalUpgradeRequest request;
    private final JsonObjectReader spec;

    RequestedUpgradeTask(ExternalUpgradeRequest request) {
        this.request = request;
        this.spec = buildSpec(request);
    }

    /** Returns why the owner cannot be that of a task; null if it can. */
    static @Nullable String problemOfOwner(ExternalUpgradeRequest request) {
        ObjectRef owner = request.owner();
        return owner == null || isControlPlane(owner) || owner.kind().equals("MachineDeployment")
                ? null
                : "owner is " + owner.kind() + " of group " + owner.apiGroup()
                        + ", and must be a MachineDeployment or of group " + CONTROL_PLANE_GROUP
                        + ": name one of these, or only machines";
    }

    /**
     * Returns the name of the task.
     *
     * @param round one for the first task with this content; the next one after it was aborted
     */
    String name(int round) {
        ObjectRef owner = request.owner();
        String of = owner == null ? request.cluster().name() : owner.name();
        String prefix = of.substring(0, Math.min(of.length(), MAX_PREFIX)).replaceAll("[^a-z0-9]+$", "");
        return prefix + "-" + hash() + (round == 1 ? "" : "-" + round);
    }

    /** Returns the task as it is created. */
    JsonObjectReader build(String name, String requestedBy) {
        ClusterName cluster = request.cluster();
        JsonObjectReader.Builder complete = spec.toBuilder();
        Integer ttl = request.ttlSecondsAfterFinished();
        if (ttl != null) {
            complete.put("ttlSecondsAfterFinished", ttl);
        }
        return new JsonObjectReader.Builder()
                .put("apiVersion", ExternalUpgradeCodecs.API_VERSION)
                .put("kind", "UpgradeTask")
                .put(
                        "metadata",
                        new JsonObjectReader.Builder()
                                .put("name", name)
                                .put("namespace", cluster.namespace())
                                .put(
                                        "annotations",
                                        new JsonObjectReader.Builder()
                                                .put(REQUESTED_BY, requestedBy)
                                                .build())
                                .build())
                .put("spec", complete.build())
                .build();
    }

    /** The first eight digits of the hash of what is requested. The time to live is none of it. */
    private String hash() {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest(KubeObject.toJsonText(spec).getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, HASH_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static JsonObjectReader buildSpec(ExternalUpgradeRequest request) {
        JsonObjectReader.Builder spec = new JsonObjectReader.Builder()
                .put("clusterName", request.cluster().name());
        ObjectRef owner = request.owner();
        if (owner != null && isControlPlane(owner)) {
            spec.put("controlPlaneRef", toJson(owner));
        } else if (owner != null) {
            spec.put(
                    "machineDeploymentRef",
                    new JsonObjectReader.Builder().put("name", owner.name()).build());
        }
        if (!request.machines().isEmpty()) {
            spec.put("machines", request.machines());
        }
        JsonObjectReader.Builder target = new JsonObjectReader.Builder();
        String version = request.newSpec().version();
        if (version != null) {
            target.put("version", version);
        }
        MachineSpec machineSpec = request.newSpec().machineSpec();
        if (machineSpec != null) {
            JsonObjectReader.Builder json = new JsonObjectReader.Builder().put("hash", machineSpec.hash());
            if (machineSpec.bootstrapRef() != null) {
                json.put("bootstrapRef", toJson(machineSpec.bootstrapRef()));
            }
            if (machineSpec.infrastructureRef() != null) {
                json.put("infrastructureRef", toJson(machineSpec.infrastructureRef()));
            }
            target.put("machineSpec", json.build());
        }
        return spec.put("target", target.build()).build();
    }

    private static boolean isControlPlane(ObjectRef owner) {
        return owner.apiGroup().equals(CONTROL_PLANE_GROUP);
    }

    private static JsonObjectReader toJson(ObjectRef ref) {
        return new JsonObjectReader.Builder()
                .put("apiGroup", ref.apiGroup())
                .put("kind", ref.kind())
                .put("name", ref.name())
                .build();
    }
}
