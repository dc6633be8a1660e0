package dev.flotilla.simulator.kubernetes.request;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.ParseResult;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.YamlReader;
import dev.flotilla.simulator.kubernetes.json.Json;
import dev.flotilla.simulator.kubernetes.json.JsonPatch;
import dev.flotilla.simulator.kubernetes.json.MergePatch;
import dev.flotilla.simulator.kubernetes.store.ObjectRef;
import dev.flotilla.simulator.kubernetes.store.Outcome;
import dev.flotilla.simulator.kubernetes.store.Part;
import dev.flotilla.simulator.kubernetes.store.Refusal;
import dev.flotilla.simulator.kubernetes.store.Store;
import dev.flotilla.simulator.kubernetes.store.Stored;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Patches. A strategic one is taken for a merge patch, which it is where no lists are in it. An applied one is merged too:
 * nobody keeps who owns which field, so it removes nothing that it once set. Conditions are merged by their type.
 */
final class Patching {
    private static final String APPLY = "application/apply-patch+yaml";

    private final Store store;

    Patching(Store store) {
        this.store = store;
    }

    Outcome patch(ObjectRef ref, Part part, ApiRequest request) {
        String type = request.contentType().split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        Stored before = store.get(ref);
        if (before == null) {
            return type.equals(APPLY) && part == Part.MAIN
                    ? create(ref, yaml(request.body()))
                    : Refusal.notFound(ref.resource(), ref.name());
        }
        return switch (type) {
            case "application/merge-patch+json", "application/strategic-merge-patch+json" ->
                merged(before, Json.read(request.body()), part);
            case APPLY -> merged(before, withOtherConditions(before, yaml(request.body())), part);
            case "application/json-patch+json" -> operated(before, Json.read(request.body()), part);
            default -> Refusal.mediaType(type);
        };
    }

    /** Of conditions an API server knows that they are told apart by their type: who applies one leaves the others. */
    private static @Nullable JsonValue withOtherConditions(Stored before, @Nullable JsonValue patch) {
        if (!(patch instanceof JsonObjectReader object)
                || !(Json.at(object, "status", "conditions") instanceof JsonValue.JsonArray applied)
                || !(Json.at(before.tree(), "status", "conditions") instanceof JsonValue.JsonArray there)) {
            return patch;
        }
        List<JsonValue> all = new ArrayList<>();
        Set<String> types = new LinkedHashSet<>();
        applied.items().forEach(each -> types.add(Json.text(each, "type")));
        there.items().stream()
                .filter(each -> !types.contains(Json.text(each, "type")))
                .forEach(all::add);
        all.addAll(applied.items());
        return Json.with(object, new JsonValue.JsonArray(all, JsonValue.NO_LINE), "status", "conditions");
    }

    private static @Nullable JsonValue yaml(byte[] body) {
        JsonValue json = Json.read(body);
        if (json != null) {
            return json;
        }
        return YamlReader.read(new String(body, StandardCharsets.UTF_8), Json.MOST_BYTES) instanceof ParseResult.ParsedDocument parsedDocument
                ? parsedDocument.value()
                : null;
    }

    private Outcome create(ObjectRef ref, @Nullable JsonValue object) {
        return object instanceof JsonObjectReader jsonObjectReader ? store.create(ref, jsonObjectReader) : unreadable();
    }

    private Outcome merged(Stored before, @Nullable JsonValue patch, Part part) {
        if (!(patch instanceof JsonObjectReader changes)) {
            return unreadable();
        }
        return written(before, MergePatch.apply(before.tree(), changes), changes, part);
    }

    private Outcome operated(Stored before, @Nullable JsonValue patch, Part part) {
        if (!(patch instanceof JsonValue.JsonArray operations)) {
            return unreadable();
        }
        JsonValue after = JsonPatch.apply(before.tree(), operations.items());
        return after == null
                ? new Refusal(422, "Invalid", "the server rejected our request due to an error in our request")
                : written(before, after, after, part);
    }

    /** A patch that names no version overwrites whatever is there. */
    private Outcome written(Stored before, JsonValue after, JsonValue asked, Part part) {
        if (!(after instanceof JsonObjectReader object)) {
            return unreadable();
        }
        String version = Json.text(asked, "metadata", "resourceVersion");
        JsonObjectReader unlocked = Json.without(object, "metadata", "resourceVersion");
        return store.replace(
                before.ref(),
                version.isEmpty() ? unlocked : Json.with(unlocked, version, "metadata", "resourceVersion"),
                part);
    }

    private static Refusal unreadable() {
        return Refusal.badRequest("the patch is not understood");
    }
}
