package dev.flotilla.simulator.kubernetes.store;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.simulator.kubernetes.json.ImmutableJson;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** The parts of an object's metadata that are the server's alone. */
final class ObjectMetadata {
    private static final List<String> SERVERS =
            List.of("namespace", "uid", "creationTimestamp", "generation", "deletionTimestamp");

    /** Where objects have no generation. */
    private static final List<String> WITHOUT_GENERATION = List.of("", "coordination.k8s.io");

    private ObjectMetadata() {}

    static String time(Instant at) {
        return at.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    static JsonObjectReader begin(JsonObjectReader object, ObjectReference ref, String uid, Instant now, long version) {
        JsonObjectReader metadata = ImmutableJson.inner(object, "metadata");
        metadata = ImmutableJson.with(metadata, ref.name(), "name");
        if (!ref.namespace().isEmpty()) {
            metadata = ImmutableJson.with(metadata, ref.namespace(), "namespace");
        }
        metadata = ImmutableJson.with(metadata, uid, "uid");
        metadata = ImmutableJson.with(metadata, Long.toString(version), "resourceVersion");
        metadata = ImmutableJson.with(metadata, time(now), "creationTimestamp");
        metadata = ImmutableJson.without(metadata, "deletionTimestamp");
        if (!WITHOUT_GENERATION.contains(ref.resource().group())) {
            metadata = ImmutableJson.with(metadata, 1, "generation");
        }
        return head(object, ref).put("metadata", metadata).build();
    }

    /** The same object with what is the server's as it was. */
    static JsonObjectReader keep(JsonObjectReader object, StoredObject before) {
        JsonObjectReader was = ImmutableJson.inner(before.tree(), "metadata");
        JsonObjectReader metadata = ImmutableJson.with(
                ImmutableJson.inner(object, "metadata"), before.ref().name(), "name");
        for (String name : SERVERS) {
            JsonValue value = was.get(name);
            metadata =
                    value == null ? ImmutableJson.without(metadata, name) : ImmutableJson.with(metadata, value, name);
        }
        metadata = ImmutableJson.with(metadata, ImmutableJson.textAt(was, "resourceVersion"), "resourceVersion");
        return head(object, before.ref()).put("metadata", metadata).build();
    }

    private static JsonObjectReader.Builder head(JsonObjectReader object, ObjectReference ref) {
        JsonObjectReader.Builder builder = new JsonObjectReader.Builder()
                .put("apiVersion", ref.resource().apiVersion())
                .put("kind", ref.resource().kind())
                .put("metadata", ImmutableJson.EMPTY);
        for (int i = 0; i < object.size(); i++) {
            if (!builder.has(object.name(i))) {
                builder.put(object.name(i), object.value(i));
            }
        }
        return builder;
    }

    static JsonObjectReader versioned(JsonObjectReader object, long version) {
        return ImmutableJson.with(object, Long.toString(version), "metadata", "resourceVersion");
    }

    /** One generation more where something else than metadata and status became different. */
    static JsonObjectReader aged(JsonObjectReader object, StoredObject before) {
        long generation = ImmutableJson.wholeNumberAt(before.tree(), "metadata", "generation");
        return generation == 0 || ImmutableJson.same(wanted(object), wanted(before.tree()))
                ? object
                : ImmutableJson.with(object, generation + 1, "metadata", "generation");
    }

    private static JsonObjectReader wanted(JsonObjectReader object) {
        return ImmutableJson.without(ImmutableJson.without(object, "metadata"), "status");
    }

    static boolean finalized(JsonObjectReader object) {
        return ImmutableJson.items(object, "metadata", "finalizers").isEmpty();
    }

    static boolean ending(JsonObjectReader object) {
        return ImmutableJson.valueAt(object, "metadata", "deletionTimestamp") != null;
    }
}
