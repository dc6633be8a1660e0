package dev.flotilla.nodeworker.workload;

import dev.flotilla.kube.JsonPatchBuilder;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.nodeworker.management.AnnotatedObjectUpdater;
import dev.flotilla.nodeworker.management.AttemptAnnotation;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cordons a node, and uncordons it only if an attempt of Flotilla cordoned it: an annotation on the Node says so,
 * written in the same request. A node that was cordoned by others stays cordoned.
 */
public final class NodeCordoner {
    private static final String UNSCHEDULABLE = "unschedulable";

    private final WorkloadClusterClient workloadClusterClient;

    public NodeCordoner(WorkloadClusterClient workloadClusterClient) {
        this.workloadClusterClient = workloadClusterClient;
    }

    /** Result of cordoning. */
    public sealed interface CordonResult {

        /** The node is cordoned by this attempt. */
        record CordonedByAttempt(AttemptAnnotation mark) implements CordonResult {}

        /** The node was cordoned by others. */
        record CordonedByOthers() implements CordonResult {}

        /** The node could not be cordoned. */
        record CordonFailed(String reason) implements CordonResult {}
    }

    /** Cordons the node. */
    public CordonResult cordonNode(String node, long attempt, String owner, Instant now) {
        AttemptAnnotation attemptAnnotation =
                new AttemptAnnotation(attempt, owner, List.of(), now.truncatedTo(ChronoUnit.SECONDS));
        for (int i = 0; i < AnnotatedObjectUpdater.TRIES; i++) {
            if (!(workloadClusterClient.node(node) instanceof KubeResponse.SuccessResponse successResponse)) {
                return new CordonResult.CordonFailed("node " + node + " cannot be read to cordon it");
            }
            AttemptAnnotation there = AttemptAnnotation.onNode(successResponse.object());
            if (there != null && there.attempt() > attempt && !there.isOverdue(now)) {
                return new CordonResult.CordonFailed("attempt " + there.attempt() + " has cordoned the node");
            }
            if (there == null && successResponse.object().bool("spec", UNSCHEDULABLE)) {
                return new CordonResult.CordonedByOthers();
            }
            KubeResponse written = workloadClusterClient.mergePatchNode(
                    node,
                    body(
                            successResponse.object(),
                            new JsonValue.JsonString(attemptAnnotation.text(), JsonValue.NO_LINE),
                            true));
            if (written instanceof KubeResponse.SuccessResponse) {
                return new CordonResult.CordonedByAttempt(attemptAnnotation);
            }
            if (!written.isConflict()) {
                return new CordonResult.CordonFailed("the node cannot be cordoned: " + written.problem());
            }
        }
        return new CordonResult.CordonFailed("the node was changed by others at each try to cordon it");
    }

    private static JsonObjectReader body(KubeObject node, JsonValue mark, @Nullable Boolean unschedulable) {
        JsonObjectReader.Builder body = new JsonObjectReader.Builder()
                .put(
                        "metadata",
                        new JsonObjectReader.Builder()
                                .put("resourceVersion", node.resourceVersion())
                                .put(
                                        "annotations",
                                        new JsonObjectReader.Builder()
                                                .put(AttemptAnnotation.ON_NODE, mark)
                                                .build())
                                .build());
        if (unschedulable != null) {
            body.put(
                    "spec",
                    new JsonObjectReader.Builder()
                            .put(UNSCHEDULABLE, unschedulable)
                            .build());
        }
        return body.build();
    }

    /**
     * Writes a new owner into the annotation of an earlier owner of the attempt. Returns null once done, else what
     * failed.
     */
    public @Nullable String takeOver(String node, long attempt, String owner) {
        return marked(node)
                .applyChange(
                        attempt,
                        (seen, attemptAnnotation) -> attemptAnnotation.owner().equals(owner)
                                ? null
                                : body(
                                        seen,
                                        new JsonValue.JsonString(
                                                new AttemptAnnotation(
                                                                attempt, owner, List.of(), attemptAnnotation.setAt())
                                                        .text(),
                                                JsonValue.NO_LINE),
                                        null));
    }

    /**
     * Uncordons the node if this attempt has cordoned it and it still belongs to this owner. Returns null once nothing
     * is left, else what failed.
     *
     * @param known the annotation as written; null if it is not cached
     */
    public @Nullable String uncordonNode(String node, long attempt, String owner, @Nullable AttemptAnnotation known) {
        if (known != null) {
            // A kubelet writes its Node all the time and the annotation stays, so this needs no read.
            KubeResponse reply = workloadClusterClient.jsonPatchNode(
                    node,
                    new JsonPatchBuilder()
                            .test(known.text(), "metadata", "annotations", AttemptAnnotation.ON_NODE)
                            .remove("metadata", "annotations", AttemptAnnotation.ON_NODE)
                            .set(false, "spec", UNSCHEDULABLE));
            if (reply instanceof KubeResponse.SuccessResponse || reply.isMissing()) {
                return null;
            }
        }
        return marked(node)
                .applyChange(
                        attempt,
                        (seen, attemptAnnotation) -> attemptAnnotation.owner().equals(owner)
                                ? body(seen, new JsonValue.JsonNull(JsonValue.NO_LINE), false)
                                : null);
    }

    private AnnotatedObjectUpdater marked(String node) {
        return new AnnotatedObjectUpdater(
                () -> workloadClusterClient.node(node),
                AttemptAnnotation::onNode,
                body -> workloadClusterClient.mergePatchNode(node, body),
                "node " + node + " cannot be read: ",
                "node " + node + " cannot be changed: ",
                "node " + node + " was changed by others at each try");
    }
}
