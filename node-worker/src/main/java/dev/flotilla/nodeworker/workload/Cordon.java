package dev.flotilla.nodeworker.workload;

import dev.flotilla.kube.JsonPatchBuilder;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.nodeworker.management.Mark;
import dev.flotilla.nodeworker.management.Marked;
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
public final class Cordon {
    private static final String UNSCHEDULABLE = "unschedulable";

    private final Nodes nodes;

    public Cordon(Nodes nodes) {
        this.nodes = nodes;
    }

    /** What came of it. */
    public sealed interface Setting {

        /** The node takes no new pods, by us. */
        record Ours(Mark mark) implements Setting {}

        /** It took none before. */
        record Theirs() implements Setting {}

        /** It cannot be done. */
        record Not(String why) implements Setting {}
    }

    /** Cordons. */
    public Setting set(String node, long attempt, String owner, Instant now) {
        Mark mark = new Mark(attempt, owner, List.of(), now.truncatedTo(ChronoUnit.SECONDS));
        for (int i = 0; i < Marked.TRIES; i++) {
            if (!(nodes.node(node) instanceof KubeResponse.SuccessResponse successResponse)) {
                return new Setting.Not("node " + node + " cannot be read to cordon it");
            }
            Mark there = Mark.onNode(successResponse.object());
            if (there != null && there.attempt() > attempt && !there.isOverdue(now)) {
                return new Setting.Not("attempt " + there.attempt() + " has cordoned the node");
            }
            if (there == null && successResponse.object().bool("spec", UNSCHEDULABLE)) {
                return new Setting.Theirs();
            }
            KubeResponse written = nodes.merge(node, body(successResponse.object(), new JsonValue.JsonString(mark.text(), JsonValue.NO_LINE), true));
            if (written instanceof KubeResponse.SuccessResponse) {
                return new Setting.Ours(mark);
            }
            if (!written.isConflict()) {
                return new Setting.Not("the node cannot be cordoned: " + written.problem());
            }
        }
        return new Setting.Not("the node changes under the cordon");
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
                                                .put(Mark.ON_NODE, mark)
                                                .build())
                                .build());
        if (unschedulable != null) {
            body.put("spec", new JsonObjectReader.Builder().put(UNSCHEDULABLE, unschedulable).build());
        }
        return body.build();
    }

    /** Writes an owner into the mark that an earlier owner of the same attempt left. Null once it is done. */
    public @Nullable String takeOver(String node, long attempt, String owner) {
        return marked(node)
                .change(
                        attempt,
                        (seen, mark) -> mark.owner().equals(owner)
                                ? null
                                : body(
                                        seen,
                                        new JsonValue.JsonString(
                                                new Mark(attempt, owner, List.of(), mark.at()).text(), JsonValue.NO_LINE),
                                        null));
    }

    /**
     * Uncordons, if this attempt cordoned and is still in these hands. Null once nothing of it is left to them; else what
     * went wrong.
     *
     * @param known the mark as it was written; null where nobody remembers
     */
    public @Nullable String undo(String node, long attempt, String owner, @Nullable Mark known) {
        if (known != null) {
            // A kubelet writes its Node all the time; the mark stays, and this needs no read.
            KubeResponse reply = nodes.patch(
                    node,
                    new JsonPatchBuilder()
                            .test(known.text(), "metadata", "annotations", Mark.ON_NODE)
                            .remove("metadata", "annotations", Mark.ON_NODE)
                            .set(false, "spec", UNSCHEDULABLE));
            if (reply instanceof KubeResponse.SuccessResponse || reply.isMissing()) {
                return null;
            }
        }
        return marked(node)
                .change(
                        attempt,
                        (seen, mark) ->
                                mark.owner().equals(owner) ? body(seen, new JsonValue.JsonNull(JsonValue.NO_LINE), false) : null);
    }

    private Marked marked(String node) {
        return new Marked(
                () -> nodes.node(node),
                Mark::onNode,
                body -> nodes.merge(node, body),
                "node " + node + " cannot be read: ",
                "node " + node + " cannot be changed: ",
                "node " + node + " changes under every try");
    }
}
