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
 * Takes a node off the scheduler's list, and puts it back exactly if an attempt of ours took it: the mark on the Node says
 * so, in the same write. A node that somebody else has cordoned stays theirs.
 */
public final class NodeCordoner {
    private static final String UNSCHEDULABLE = "unschedulable";

    private final WorkloadClusterClient workloadClusterClient;

    public NodeCordoner(WorkloadClusterClient workloadClusterClient) {
        this.workloadClusterClient = workloadClusterClient;
    }

    /** What came of it. */
    public sealed interface CordonResult {

        /** The node takes no new pods, by us. */
        record CordonedByAttempt(AttemptAnnotation mark) implements CordonResult {}

        /** It took none before. */
        record CordonedByOthers() implements CordonResult {}

        /** It cannot be done. */
        record CordonFailed(String reason) implements CordonResult {}
    }

    /** Cordons. */
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
        return new CordonResult.CordonFailed("the node changes under the cordon");
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

    /** Writes an owner into the mark that an earlier owner of the same attempt left. Null once it is done. */
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
     * Uncordons, if this attempt cordoned and is still in these hands. Null once nothing of it is left to them; else what
     * went wrong.
     *
     * @param known the mark as it was written; null where nobody remembers
     */
    public @Nullable String uncordonNode(String node, long attempt, String owner, @Nullable AttemptAnnotation known) {
        if (known != null) {
            // A kubelet writes its Node all the time; the mark stays, and this needs no read.
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
                "node " + node + " changes under every try");
    }
}
