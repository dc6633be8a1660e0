package dev.flotilla.clusterapi.hook;

import dev.flotilla.clusterapi.coverage.CoverageAnswer;
import dev.flotilla.clusterapi.coverage.CoverageTable;
import dev.flotilla.clusterapi.coverage.HookObject;
import dev.flotilla.clusterapi.update.UpdateAnswer;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.ParseResult;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/** Plays the side of Cluster API: it applies the patches of a response and compares what comes out with what is desired. */
final class CallerOfHooks {
    private static final Set<String> NOT_COMPARED = Set.of(
            "clusterName",
            "bootstrap",
            "infrastructureRef",
            "providerID",
            "minReadySeconds",
            "readinessGates",
            "taints",
            "deletion");

    private CallerOfHooks() {}

    /** A handler for which every update is in progress. */
    static HookHandler handler() {
        return handler(request -> new UpdateAnswer.InProgress(5, "UpgradeTask x waits"));
    }

    static HookHandler handler(Function<KubeObject, UpdateAnswer> updates) {
        HookListener silent = new HookListener() {
            @Override
            public void answered(Hook hook, HookOutcome outcome, String subject, String message, Duration took) {
                // Nobody listens.
            }

            @Override
            public void judged(Hook hook, KubeObject request, CoverageAnswer answer) {
                // Nobody listens.
            }
        };
        return new HookHandler(
                CoverageTable.DEFAULT, updates, (object, request, keptFields) -> null, silent, System::nanoTime);
    }

    static KubeObject parse(byte[] json) {
        if (JsonReader.readDocument(json, HookHandler.MAX_BODY) instanceof ParseResult.ParsedDocument parsed
                && parsed.errors().isEmpty()
                && parsed.value() instanceof JsonObjectReader object) {
            return new KubeObject(object);
        }
        throw new AssertionError("no JSON object: " + new String(json, StandardCharsets.UTF_8));
    }

    static KubeObject parse(String json) {
        return parse(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    /** Whether Cluster API updates in place after this response. */
    static boolean updatesInPlace(KubeObject request, KubeObject response, List<HookObject> objects) {
        if (!"Success".equals(response.text("status"))) {
            return false;
        }
        return objects.stream().allMatch(object -> {
            KubeObject current = request.object("current", object.field());
            KubeObject desired = request.object("desired", object.field());
            KubeObject patch = response.object(object.field() + "Patch");
            KubeObject patched = patch.json().size() == 0 ? current : apply(current, patch);
            return comparable(object, patched).equals(comparable(object, desired));
        });
    }

    private static KubeObject apply(KubeObject current, KubeObject patch) {
        if (!"JSONMergePatch".equals(patch.text("patchType"))) {
            throw new AssertionError("patchType " + patch.text("patchType"));
        }
        return new KubeObject((JsonObjectReader) merge(
                current.json(),
                parse(Base64.getDecoder().decode(patch.text("patch"))).json()));
    }

    /** RFC 7396. */
    private static JsonValue merge(JsonValue target, JsonValue patch) {
        if (!(patch instanceof JsonObjectReader changes)) {
            return patch;
        }
        Map<String, JsonValue> merged = new TreeMap<>();
        if (target instanceof JsonObjectReader object) {
            for (int i = 0; i < object.size(); i++) {
                merged.put(object.name(i), object.value(i));
            }
        }
        for (int i = 0; i < changes.size(); i++) {
            if (changes.value(i) instanceof JsonValue.JsonNull) {
                merged.remove(changes.name(i));
            } else {
                JsonValue before = merged.get(changes.name(i));
                merged.put(
                        changes.name(i), merge(before == null ? new JsonValue.JsonNull(0) : before, changes.value(i)));
            }
        }
        JsonObjectReader.Builder object = new JsonObjectReader.Builder();
        merged.forEach(object::put);
        return object.build();
    }

    /** The text of what Cluster API compares, with sorted names. */
    private static String comparable(HookObject object, KubeObject whole) {
        JsonValue spec = whole.valueAt(
                object.name().contains("TEMPLATE") || object == HookObject.MACHINE_SET
                        ? new String[] {"spec", "template", "spec"}
                        : new String[] {"spec"});
        if (spec == null) {
            return "absent";
        }
        if (object == HookObject.MACHINE || object == HookObject.MACHINE_SET) {
            JsonObjectReader.Builder compared = new JsonObjectReader.Builder();
            JsonObjectReader all = (JsonObjectReader) spec;
            for (int i = 0; i < all.size(); i++) {
                if (!NOT_COMPARED.contains(all.name(i))) {
                    compared.put(all.name(i), all.value(i));
                }
            }
            spec = compared.build();
        }
        return KubeObject.toJsonText(merge(new JsonValue.JsonNull(0), spec));
    }
}
