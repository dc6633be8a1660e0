package dev.flotilla.campaigncontroller.status;

import dev.flotilla.campaigncontroller.object.HubObject;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** The conditions of an object. A condition whose status stays keeps the time since when it holds. */
final class ConditionList {
    private static final int MAX_MESSAGE = 4_096;

    private final HubObject object;
    private final Instant now;
    private final List<JsonValue> conditions = new ArrayList<>();

    ConditionList(HubObject object, Instant now) {
        this.object = object;
        this.now = now;
    }

    /** Adds a condition. */
    ConditionList add(String type, boolean status, String reason, String message) {
        String text = status ? "True" : "False";
        KubeObject before = object.json().condition(type);
        String since = before != null && text.equals(before.text("status")) ? before.text("lastTransitionTime") : null;
        conditions.add(new JsonObjectReader.Builder()
                .put("type", type)
                .put("status", text)
                .put("reason", reason)
                .put("message", message.length() <= MAX_MESSAGE ? message : message.substring(0, MAX_MESSAGE))
                .put("observedGeneration", object.generation())
                .put(
                        "lastTransitionTime",
                        since == null ? now.truncatedTo(ChronoUnit.SECONDS).toString() : since)
                .build());
        return this;
    }

    JsonValue toJson() {
        return new JsonValue.JsonArray(conditions, JsonValue.NO_LINE);
    }
}
