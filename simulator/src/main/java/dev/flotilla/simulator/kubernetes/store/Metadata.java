package dev.flotilla.simulator.kubernetes.store;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.simulator.kubernetes.json.Json;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** The parts of an object's metadata that are the server's alone. */
final class Metadata {
    private static final List<String> SERVERS =
            List.of("namespace", "uid", "creationTimestamp", "generation", "deletionTimestamp");

    /** Where objects have no generation. */
    private static final List<String> WITHOUT_GENERATION = List.of("", "coordination.k8s.io");

    private Metadata() {}

    static String time(Instant at) {
        return at.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    static JsonObjectReader begin(JsonObjectReader object, ObjectRef ref, String uid, Instant now, long version) {
        JsonObjectReader metadata = Json.inner(object, "metadata");
        metadata = Json.with(metadata, ref.name(), "name");
        if (!ref.namespace().isEmpty()) {
            metadata = Json.with(metadata, ref.namespace(), "namespace");
        }
        metadata = Json.with(metadata, uid, "uid");
        metadata = Json.with(metadata, Long.toString(version), "resourceVersion");
        metadata = Json.with(metadata, time(now), "creationTimestamp");
        metadata = Json.without(metadata, "deletionTimestamp");
        if (!WITHOUT_GENERATION.contains(ref.resource().group())) {
            metadata = Json.with(metadata, 1, "generation");
        }
        return head(object, ref).put("metadata", metadata).build();
    }

    /** The same object with what is the server's as it was. */
    static JsonObjectReader keep(JsonObjectReader object, Stored before) {
        JsonObjectReader was = Json.inner(before.tree(), "metadata");
        JsonObjectReader metadata = Json.with(Json.inner(object, "metadata"), before.ref().name(), "name");
        for (String name : SERVERS) {
            JsonValue value = was.get(name);
            metadata = value == null ? Json.without(metadata, name) : Json.with(metadata, value, name);
        }
        metadata = Json.with(metadata, Json.text(was, "resourceVersion"), "resourceVersion");
        return head(object, before.ref()).put("metadata", metadata).build();
    }

    private static JsonObjectReader.Builder head(JsonObjectReader object, ObjectRef ref) {
        JsonObjectReader.Builder builder = new JsonObjectReader.Builder()
                .put("apiVersion", ref.resource().apiVersion())
                .put("kind", ref.resource().kind())
                .put("metadata", Json.EMPTY);
        for (int i = 0; i < object.size(); i++) {
            if (!builder.has(object.name(i))) {
                builder.put(object.name(i), object.value(i));
            }
        }
        return builder;
    }

    static JsonObjectReader versioned(JsonObjectReader object, long version) {
        return Json.with(object, Long.toString(version), "metadata", "resourceVersion");
    }

    /** One generation more where something else than metadata and status became different. */
    static JsonObjectReader aged(JsonObjectReader object, Stored before) {
        long generation = Json.whole(before.tree(), "metadata", "generation");
        return generation == 0 || Json.same(wanted(object), wanted(before.tree()))
                ? object
                : Json.with(object, generation + 1, "metadata", "generation");
    }

    private static JsonObjectReader wanted(JsonObjectReader object) {
        return Json.without(Json.without(object, "metadata"), "status");
    }

    static boolean finalized(JsonObjectReader object) {
        return Json.items(object, "metadata", "finalizers").isEmpty();
    }

    static boolean ending(JsonObjectReader object) {
        return Json.at(object, "metadata", "deletionTimestamp") != null;
    }
}
