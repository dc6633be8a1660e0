package dev.flotilla.simulator.kubernetes.request;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.ParseResult;
import dev.flotilla.schemas.json.tree.YamlReader;
import dev.flotilla.simulator.kubernetes.json.ImmutableJson;
import dev.flotilla.simulator.kubernetes.json.JsonMergePatch;
import dev.flotilla.simulator.kubernetes.json.JsonPatch;
import dev.flotilla.simulator.kubernetes.store.ApiError;
import dev.flotilla.simulator.kubernetes.store.ClusterObjectStore;
import dev.flotilla.simulator.kubernetes.store.ObjectReference;
import dev.flotilla.simulator.kubernetes.store.StoredObject;
import dev.flotilla.simulator.kubernetes.store.WriteResult;
import dev.flotilla.simulator.kubernetes.store.WriteScope;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Handles patches. A strategic merge patch is applied as a merge patch, which is the same if it contains no lists. An
 * apply patch is merged too: field ownership is tracked for conditions alone, which are merged by type. Of other fields it
 * removes nothing that it has set before.
 */
final class PatchRequestHandler {
    private static final String APPLY = "application/apply-patch+yaml";

    private final ClusterObjectStore store;

    /** Types of the conditions that a field manager has applied to an object, by the object's uid and the manager. */
    private final Map<String, Set<String>> appliedTypes = new HashMap<>();

    PatchRequestHandler(ClusterObjectStore store) {
        this.store = store;
    }

    WriteResult patch(ObjectReference ref, WriteScope writeScope, ApiRequest request) {
        String type = request.contentType().split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        StoredObject before = store.get(ref);
        if (before == null) {
            return type.equals(APPLY) && writeScope == WriteScope.MAIN
                    ? create(ref, yaml(request.body()))
                    : ApiError.notFound(ref.resource(), ref.name());
        }
        return switch (type) {
            case "application/merge-patch+json", "application/strategic-merge-patch+json" ->
                applyMergePatch(before, ImmutableJson.read(request.body()), writeScope);
            case APPLY -> applyMergePatch(before, withOtherConditions(before, request), writeScope);
            case "application/json-patch+json" ->
                applyJsonPatch(before, ImmutableJson.read(request.body()), writeScope);
            default -> ApiError.mediaType(type);
        };
    }

    /**
     * Adds the existing conditions of other types to an apply patch, because API servers merge conditions by type.
     * Conditions that the same field manager has applied before, and does not apply any more, are removed.
     */
    private @Nullable JsonValue withOtherConditions(StoredObject before, ApiRequest request) {
        JsonValue patch = yaml(request.body());
        if (!(patch instanceof JsonObjectReader object)) {
            return patch;
        }
        List<JsonValue> applied = ImmutableJson.items(object, "status", "conditions");
        Set<String> types = new LinkedHashSet<>();
        applied.forEach(condition -> types.add(ImmutableJson.textAt(condition, "type")));
        String owner =
                ImmutableJson.textAt(before.tree(), "metadata", "uid") + " " + request.queryParameter("fieldManager");
        Set<String> replaced = new LinkedHashSet<>(types);
        Set<String> appliedBefore = types.isEmpty() ? appliedTypes.remove(owner) : appliedTypes.put(owner, types);
        replaced.addAll(appliedBefore == null ? Set.of() : appliedBefore);
        if (replaced.isEmpty()) {
            return patch;
        }
        List<JsonValue> all = new ArrayList<>();
        ImmutableJson.items(before.tree(), "status", "conditions").stream()
                .filter(condition -> !replaced.contains(ImmutableJson.textAt(condition, "type")))
                .forEach(all::add);
        all.addAll(applied);
        return ImmutableJson.with(object, new JsonValue.JsonArray(all, JsonValue.NO_LINE), "status", "conditions");
    }

    private static @Nullable JsonValue yaml(byte[] body) {
        JsonValue json = ImmutableJson.read(body);
        if (json != null) {
            return json;
        }
        return YamlReader.read(new String(body, StandardCharsets.UTF_8), ImmutableJson.MAX_BYTES)
                        instanceof ParseResult.ParsedDocument parsedDocument
                ? parsedDocument.value()
                : null;
    }

    private WriteResult create(ObjectReference ref, @Nullable JsonValue object) {
        return object instanceof JsonObjectReader jsonObjectReader
                ? store.create(ref, jsonObjectReader)
                : invalidPatch();
    }

    private WriteResult applyMergePatch(StoredObject before, @Nullable JsonValue patch, WriteScope writeScope) {
        if (!(patch instanceof JsonObjectReader changes)) {
            return invalidPatch();
        }
        return replaceObject(before, JsonMergePatch.apply(before.tree(), changes), changes, writeScope);
    }

    private WriteResult applyJsonPatch(StoredObject before, @Nullable JsonValue patch, WriteScope writeScope) {
        if (!(patch instanceof JsonValue.JsonArray operations)) {
            return invalidPatch();
        }
        JsonValue after = JsonPatch.apply(before.tree(), operations.items());
        return after == null
                ? new ApiError(422, "Invalid", "the server rejected our request due to an error in our request")
                : replaceObject(before, after, after, writeScope);
    }

    /** Writes the patched object. A patch without a resource version overwrites the current one. */
    private WriteResult replaceObject(StoredObject before, JsonValue after, JsonValue patch, WriteScope writeScope) {
        if (!(after instanceof JsonObjectReader object)) {
            return invalidPatch();
        }
        String version = ImmutableJson.textAt(patch, "metadata", "resourceVersion");
        JsonObjectReader unlocked = ImmutableJson.without(object, "metadata", "resourceVersion");
        return store.replace(
                before.ref(),
                version.isEmpty() ? unlocked : ImmutableJson.with(unlocked, version, "metadata", "resourceVersion"),
                writeScope);
    }

    private static ApiError invalidPatch() {
        return ApiError.badRequest("the patch is not understood");
    }
}
