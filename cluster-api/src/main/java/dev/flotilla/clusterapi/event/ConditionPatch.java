package dev.flotilla.clusterapi.event;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds the merge patch that sets or removes one condition of an object and keeps the conditions of others. */
public final class ConditionPatch {
    private ConditionPatch() {}

    /**
     * Builds it. It is refused if the object has changed since it was read.
     *
     * @param message what the condition says; null removes it
     */
    public static JsonObjectReader build(
            KubeObject object, String type, String reason, @Nullable String message, Instant now) {
        List<JsonValue> conditions = new ArrayList<>();
        for (KubeObject condition : object.list("status", "conditions")) {
            if (!type.equals(condition.text("type"))) {
                conditions.add(condition.json());
            }
        }
        if (message != null) {
            conditions.add(new JsonObjectReader.Builder()
                    .put("type", type)
                    .put("status", "True")
                    .put("reason", reason)
                    .put("message", message)
                    .put(
                            "lastTransitionTime",
                            now.truncatedTo(ChronoUnit.SECONDS).toString())
                    .build());
        }
        return new JsonObjectReader.Builder()
                .put(
                        "metadata",
                        new JsonObjectReader.Builder()
                                .put("resourceVersion", object.resourceVersion())
                                .build())
                .put(
                        "status",
                        new JsonObjectReader.Builder()
                                .put("conditions", new JsonValue.JsonArray(conditions, JsonValue.NO_LINE))
                                .build())
                .build();
    }
}
