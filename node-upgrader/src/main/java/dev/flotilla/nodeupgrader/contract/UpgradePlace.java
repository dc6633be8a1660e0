package dev.flotilla.nodeupgrader.contract;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.id.NameValidator;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import org.jspecify.annotations.Nullable;

/**
 * Where an upgrade runs, kept in an annotation of its NodeUpgrade from before it begins. A plan may be deleted, or made again with another
 * namespace, and another machine may register under the Node's name.
 *
 * @param jobNamespace the namespace of its Job
 * @param node the machine behind the Node
 */
public record UpgradePlace(String jobNamespace, NodeIdentity node) {
    /** The annotation. */
    public static final String ANNOTATION = "flotilla.dev/upgrade-place";

    /**
     * What identifies the machine behind a Node.
     *
     * @param systemUuid of its hardware; empty if the Node shows none
     * @param machineId of its operating system; empty if the Node shows none
     */
    public record NodeIdentity(String systemUuid, String machineId) {
        /** Reads a Node. */
        public static NodeIdentity of(KubeObject node) {
            return new NodeIdentity(
                    orEmpty(node.text("status", "nodeInfo", "systemUUID")),
                    orEmpty(node.text("status", "nodeInfo", "machineID")));
        }

        /** Whether another machine has the Node's name now. The id of an operating system may change with a reboot. */
        public boolean isOtherThan(NodeIdentity before) {
            return !systemUuid.isEmpty()
                    && !before.systemUuid.isEmpty()
                    && !systemUuid.equalsIgnoreCase(before.systemUuid);
        }
    }

    /** Returns the place of a NodeUpgrade; null if it has none, or one that cannot be read. */
    static @Nullable UpgradePlace read(KubeObject nodeUpgrade) {
        KubeObject place = KubeObject.parse(nodeUpgrade.annotation(ANNOTATION));
        String namespace = place == null ? null : place.text("namespace");
        return place == null || namespace == null || NameValidator.problemOfLabel(namespace) != null
                ? null
                : new UpgradePlace(
                        namespace,
                        new NodeIdentity(orEmpty(place.text("systemUUID")), orEmpty(place.text("machineID"))));
    }

    /** Returns the value of the annotation. */
    public String text() {
        return KubeObject.toJsonText(new JsonObjectReader.Builder()
                .put("namespace", jobNamespace)
                .put("systemUUID", node.systemUuid())
                .put("machineID", node.machineId())
                .build());
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
