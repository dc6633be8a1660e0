package dev.flotilla.clusterapi.hook;

import dev.flotilla.clusterapi.coverage.CoverageAnswer;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * Builds the responses of hooks. {@code retryAfterSeconds} is always written in a response to {@code UpdateMachine}: without it the update
 * would be over.
 */
final class HookResponse {
    private static final String SUCCESS = "Success";
    private static final String FAILURE = "Failure";
    private static final int TIMEOUT_SECONDS = 10;

    private HookResponse() {}

    /** Returns the handlers of this extension. A call that fails must never count as done. */
    static JsonObjectReader discovery() {
        List<JsonValue> handlers = new ArrayList<>();
        for (Hook hook : Hook.DISCOVERED) {
            handlers.add(new JsonObjectReader.Builder()
                    .put("name", hook.handler())
                    .put(
                            "requestHook",
                            new JsonObjectReader.Builder()
                                    .put("apiVersion", Hook.API_VERSION)
                                    .put("hook", hook.hookName())
                                    .build())
                    .put("timeoutSeconds", TIMEOUT_SECONDS)
                    .put("failurePolicy", "Fail")
                    .build());
        }
        return begin(Hook.DISCOVERY, SUCCESS, "")
                .put("handlers", new JsonValue.JsonArray(handlers, JsonValue.NO_LINE))
                .build();
    }

    /** Says what is patched. {@code affectsAvailability} is only written where it is false: versions before it ignore the field. */
    static JsonObjectReader covered(Hook hook, CoverageAnswer.Covered covered) {
        JsonObjectReader.Builder response = begin(hook, SUCCESS, "");
        if (covered.keepsAvailable()) {
            response.put("affectsAvailability", false);
        }
        covered.patches()
                .forEach((object, patch) -> response.put(
                        object.patchField(),
                        new JsonObjectReader.Builder()
                                .put("patchType", "JSONMergePatch")
                                .put("patch", Base64.getEncoder().encodeToString(bytes(patch)))
                                .build()));
        return response.build();
    }

    /** Without patches Cluster API replaces the machine. */
    static JsonObjectReader uncovered(Hook hook, String message) {
        return begin(hook, SUCCESS, message).build();
    }

    /** Cluster API calls again. */
    static JsonObjectReader failure(Hook hook, String message) {
        JsonObjectReader.Builder response = begin(hook, FAILURE, message);
        return hook == Hook.UPDATE_MACHINE
                ? response.put("retryAfterSeconds", 0).build()
                : response.build();
    }

    static JsonObjectReader inProgress(int retryAfterSeconds, String message) {
        if (retryAfterSeconds < 1) {
            throw new IllegalArgumentException("0 would say that the update is done");
        }
        return begin(Hook.UPDATE_MACHINE, SUCCESS, message)
                .put("retryAfterSeconds", retryAfterSeconds)
                .build();
    }

    static JsonObjectReader done() {
        return begin(Hook.UPDATE_MACHINE, SUCCESS, "")
                .put("retryAfterSeconds", 0)
                .build();
    }

    private static JsonObjectReader.Builder begin(Hook hook, String status, String message) {
        JsonObjectReader.Builder response = new JsonObjectReader.Builder()
                .put("apiVersion", Hook.API_VERSION)
                .put("kind", hook.hookName() + "Response")
                .put("status", status);
        return message.isEmpty() ? response : response.put("message", message);
    }

    static byte[] bytes(JsonObjectReader json) {
        return KubeObject.toJsonText(json).getBytes(StandardCharsets.UTF_8);
    }
}
