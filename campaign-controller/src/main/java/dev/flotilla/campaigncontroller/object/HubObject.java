package dev.flotilla.campaigncontroller.object;

import dev.flotilla.kube.KubeObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** A campaign, policy or order in the hub cluster. */
public record HubObject(HubKind kind, KubeObject json) {
    /** The name under which the controller writes fields. */
    public static final String MANAGER = "flotilla-campaign-controller";

    /** Keeps a deleted object until its row is gone. */
    public static final String FINALIZER = "flotilla.dev/campaign-controller";

    /** Says that the controller created the object from a row. */
    public static final String ORIGIN_LABEL = "flotilla.dev/origin";

    public static final String ORIGIN_KAFKA = "kafka";

    /** The hash of a row that the object may overwrite, although it was changed in Kafka. */
    public static final String OVERWRITE_ANNOTATION = "flotilla.dev/overwrite";

    /** Why the object is deleted; kept in the journal. */
    public static final String REASON_ANNOTATION = "flotilla.dev/reason";

    /** The phase of an object that differs from its row until a person decides. */
    public static final String CONFLICT_PHASE = "Conflict";

    public String name() {
        return json.name();
    }

    public String namespace() {
        return json.namespace();
    }

    public String uid() {
        return json.uid();
    }

    public boolean isDeleting() {
        return json.isDeleting();
    }

    /**
     * Whether the controller created the object from a row and nobody else has written its spec since. Then it follows the row.
     */
    public boolean isMirror() {
        return ORIGIN_KAFKA.equals(json.label(ORIGIN_LABEL))
                && json.list("metadata", "managedFields").stream()
                        .allMatch(entry -> MANAGER.equals(entry.text("manager"))
                                || !entry.object("fieldsV1").has("f:spec"));
    }

    /** When it was created; the API server's clock has whole seconds. */
    public String createdAt() {
        String time = json.text("metadata", "creationTimestamp");
        return time == null ? "" : time;
    }

    public long generation() {
        Long generation = json.number("metadata", "generation");
        return generation == null ? 0 : generation;
    }

    public List<String> finalizers() {
        return json.texts("metadata", "finalizers");
    }

    public boolean hasFinalizer() {
        return finalizers().contains(FINALIZER);
    }

    /** Returns its finalizers with or without ours. */
    public List<String> finalizersWith(boolean ours) {
        List<String> all = new ArrayList<>(finalizers());
        all.remove(FINALIZER);
        if (ours) {
            all.add(FINALIZER);
        }
        return all;
    }

    /** Returns the hash of the row that it may overwrite; empty for none. */
    public String overwrittenHash() {
        String hash = json.annotation(OVERWRITE_ANNOTATION);
        return hash == null ? "" : hash;
    }

    /** Returns the hashes that it and its row last had in common, or that were about to be written. */
    public Set<String> commonHashes() {
        Set<String> hashes = new TreeSet<>();
        for (String field : List.of("syncedHash", "pendingHash")) {
            String hash = json.text("status", field);
            if (hash != null && !hash.isEmpty()) {
                hashes.add(hash);
            }
        }
        return hashes;
    }

    /** Whether its status shows that it and its row in Kafka differ until a person decides. */
    public boolean isInConflict() {
        return CONFLICT_PHASE.equals(json.text("status", "phase"));
    }

    /** Returns the path of the object. */
    public String path() {
        return kind.path(namespace(), name());
    }

    @Override
    public String toString() {
        return kind.kind() + " " + namespace() + "/" + name();
    }
}
