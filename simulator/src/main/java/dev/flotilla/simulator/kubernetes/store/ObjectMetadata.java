package dev.flotilla.simulator.kubernetes.store;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.simulator.kubernetes.json.ImmutableJson;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** The parts of an object's metadata that only the server writes. */
final class ObjectMetadata {
    private static final List<String> SERVER_FIELDS =
            List.of("namespace", "uid", "creationTimestamp", "generation", "deletionTimestamp");

    /** API groups whose objects have no generation. */
    private static final List<String> WITHOUT_GENERATION = List.of("", "coordination.k8s.io");

    private ObjectMetadata() {}

    static String time(Instant at) {
        return at.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    static JsonObjectReader initialize(
            JsonObjectReader object, ObjectReference ref, String uid, Instant now, long version) {
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
        return builderWithHeader(object, ref).put("metadata", metadata).build();
    }

    /** The object with its previous server-written metadata. */
    static JsonObjectReader withServerFields(JsonObjectReader object, StoredObject before) {
        JsonObjectReader previous = ImmutableJson.inner(before.tree(), "metadata");
        JsonObjectReader metadata = ImmutableJson.with(
                ImmutableJson.inner(object, "metadata"), before.ref().name(), "name");
        for (String name : SERVER_FIELDS) {
            JsonValue value = previous.get(name);
            metadata =
                    value == null ? ImmutableJson.without(metadata, name) : ImmutableJson.with(metadata, value, name);
        }
        metadata = ImmutableJson.with(metadata, ImmutableJson.textAt(previous, "resourceVersion"), "resourceVersion");
        return builderWithHeader(object, before.ref()).put("metadata", metadata).build();
    }

    private static JsonObjectReader.Builder builderWithHeader(JsonObjectReader object, ObjectReference ref) {
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

    static JsonObjectReader withVersion(JsonObjectReader object, long version) {
        return ImmutableJson.with(object, Long.toString(version), "metadata", "resourceVersion");
    }

    /** Increments the generation if anything but metadata and status has changed. */
    static JsonObjectReader withGeneration(JsonObjectReader object, StoredObject before) {
        long generation = ImmutableJson.wholeNumberAt(before.tree(), "metadata", "generation");
        return generation == 0 || ImmutableJson.same(specOf(object), specOf(before.tree()))
                ? object
                : ImmutableJson.with(object, generation + 1, "metadata", "generation");
    }

    private static JsonObjectReader specOf(JsonObjectReader object) {
        return ImmutableJson.without(ImmutableJson.without(object, "metadata"), "status");
    }

    static boolean hasNoFinalizers(JsonObjectReader object) {
        return ImmutableJson.items(object, "metadata", "finalizers").isEmpty();
    }

    static boolean isBeingDeleted(JsonObjectReader object) {
        return ImmutableJson.valueAt(object, "metadata", "deletionTimestamp") != null;
    }
}
