package dev.flotilla.managementwatcher.report;

import dev.flotilla.managementwatcher.view.UpgradeTaskStatus;
import dev.flotilla.managementwatcher.view.UpgradeTaskStatus.TaskCondition;
import dev.flotilla.managementwatcher.view.UpgradeTaskStatus.TaskCounts;
import dev.flotilla.managementwatcher.view.UpgradeTaskStatus.TaskMachineStatus;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes the status of an UpgradeTask as JSON. */
final class UpgradeTaskStatusJson {
    private UpgradeTaskStatusJson() {}

    /** @param now time for what has none yet */
    static JsonObjectReader toJson(UpgradeTaskStatus status, String now) {
        JsonObjectReader.Builder json = new JsonObjectReader.Builder();
        if (status.phase() != null) {
            json.put("phase", status.phase().label());
        }
        TaskCounts counts = status.counts();
        json.put(
                "counts",
                new JsonObjectReader.Builder()
                        .put("total", counts.total())
                        .put("waiting", counts.waiting())
                        .put("inProgress", counts.inProgress())
                        .put("succeeded", counts.succeeded())
                        .put("failed", counts.failed())
                        .put("skipped", counts.skipped())
                        .build());
        if (!status.machines().isEmpty()) {
            json.put(
                    "machines",
                    array(status.machines().stream()
                            .map(machine -> (JsonValue) machineJson(machine))
                            .toList()));
        }
        putIfPresent(json, "observedVersion", status.observedVersion());
        putIfPresent(json, "finishedAt", text(status.finishedAt()));
        json.put(
                "conditions",
                array(status.conditions().stream()
                        .map(condition -> (JsonValue) conditionJson(condition, now))
                        .toList()));
        return json.put("observedGeneration", status.observedGeneration()).build();
    }

    private static JsonObjectReader machineJson(TaskMachineStatus machine) {
        JsonObjectReader.Builder json = new JsonObjectReader.Builder()
                .put("name", machine.name())
                .put("state", machine.state().label());
        putIfPresent(json, "reason", emptyToNull(machine.reason()));
        putIfPresent(json, "message", emptyToNull(machine.message()));
        putIfPresent(json, "gate", machine.gate());
        putIfPresent(json, "needs", machine.needs());
        putIfPresent(json, "since", text(machine.since()));
        Long attempt = machine.attempt();
        if (attempt != null) {
            json.put("attempt", attempt);
        }
        putIfPresent(json, "observedVersion", machine.observedVersion());
        return json.build();
    }

    private static JsonObjectReader conditionJson(TaskCondition condition, String now) {
        String since = text(condition.since());
        return new JsonObjectReader.Builder()
                .put("type", condition.type())
                .put("status", condition.status())
                .put("reason", condition.reason())
                .put("message", condition.message())
                .put("lastTransitionTime", since == null ? now : since)
                .put("observedGeneration", condition.observedGeneration())
                .build();
    }

    private static void putIfPresent(JsonObjectReader.Builder json, String name, @Nullable String value) {
        if (value != null) {
            json.put(name, value);
        }
    }

    private static @Nullable String emptyToNull(String text) {
        return text.isEmpty() ? null : text;
    }

    private static @Nullable String text(@Nullable Instant at) {
        return at == null ? null : at.toString();
    }

    private static JsonValue.JsonArray array(List<JsonValue> items) {
        return new JsonValue.JsonArray(items, JsonValue.NO_LINE);
    }
}
