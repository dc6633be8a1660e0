package dev.flotilla.clusterapi.plan;

import dev.flotilla.clusterapi.coverage.HookObject;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Builds the requests that Cluster API would send. */
final class Requests {
    private Requests() {}

    /** Builds a request; a null stands for an object that is not sent. */
    static KubeObject of(
            List<HookObject> objects,
            List<? extends @Nullable JsonObjectReader> current,
            List<? extends @Nullable JsonObjectReader> desired) {
        return new KubeObject(new JsonObjectReader.Builder()
                .put("current", part(objects, current))
                .put("desired", part(objects, desired))
                .build());
    }

    private static JsonObjectReader part(List<HookObject> objects, List<? extends @Nullable JsonObjectReader> values) {
        JsonObjectReader.Builder part = new JsonObjectReader.Builder();
        for (int i = 0; i < objects.size(); i++) {
            JsonObjectReader value = values.get(i);
            if (value != null) {
                part.put(objects.get(i).field(), value);
            }
        }
        return part.build();
    }

    /** Returns an object of a kind with a spec. */
    static JsonObjectReader object(String kind, JsonObjectReader spec) {
        return new JsonObjectReader.Builder()
                .put("kind", kind)
                .put("spec", spec)
                .build();
    }

    /** Returns the problem that a template is not among the objects, or that the change takes its reference away. */
    static String missing(KubeObject reference, String namespace) {
        if (reference.text("kind") == null || reference.text("name") == null) {
            return "after the change an owner of machines refers to no template: the change is merged as kubectl apply does,"
                    + " which removes what the last kubectl apply had set and the change does not have; give the whole"
                    + " object";
        }
        return reference.text("kind") + " " + namespace + "/" + reference.text("name")
                + " is neither among the present objects nor in the change: add its export";
    }

    /** Returns the JSON text with sorted names, so that equal values have equal texts. */
    static String sortedText(JsonValue value) {
        return KubeObject.toJsonText(sort(value));
    }

    private static JsonValue sort(JsonValue value) {
        return switch (value) {
            case JsonObjectReader object -> {
                TreeMap<String, JsonValue> members = new TreeMap<>();
                for (int i = 0; i < object.size(); i++) {
                    members.put(object.name(i), sort(object.value(i)));
                }
                JsonObjectReader.Builder sorted = new JsonObjectReader.Builder();
                members.forEach(sorted::put);
                yield sorted.build();
            }
            case JsonValue.JsonArray array ->
                new JsonValue.JsonArray(
                        array.items().stream().map(Requests::sort).toList(), JsonValue.NO_LINE);
            case JsonValue other -> other;
        };
    }
}
