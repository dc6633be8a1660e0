package dev.flotilla.simulator.kubernetes.store;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.simulator.kubernetes.json.Json;

/**
 * What an API server will not do, in its own words.
 *
 * @param code of HTTP
 * @param reason as machines read it
 */
public record Refusal(int code, String reason, String message) implements Outcome {

    public static Refusal badRequest(String message) {
        return new Refusal(400, "BadRequest", message);
    }

    public static Refusal unauthorized() {
        return new Refusal(401, "Unauthorized", "Unauthorized");
    }

    public static Refusal notFound(Resource resource, String name) {
        return new Refusal(404, "NotFound", resource.qualified() + " \"" + name + "\" not found");
    }

    /** Nothing is served under that path. */
    public static Refusal noSuchPath() {
        return new Refusal(404, "NotFound", "the server could not find the requested resource");
    }

    public static Refusal notAllowed() {
        return new Refusal(405, "MethodNotAllowed", "the server does not allow this method on the requested resource");
    }

    public static Refusal exists(ObjectRef ref) {
        return new Refusal(409, "AlreadyExists", ref.resource().qualified() + " \"" + ref.name() + "\" already exists");
    }

    public static Refusal conflict(ObjectRef ref, String why) {
        return new Refusal(
                409,
                "Conflict",
                "Operation cannot be fulfilled on " + ref.resource().qualified() + " \"" + ref.name() + "\": " + why);
    }

    /** A version is asked for that is not remembered any more. */
    public static Refusal expired(long asked, long oldest) {
        return new Refusal(410, "Expired", "too old resource version: " + asked + " (" + oldest + ")");
    }

    public static Refusal mediaType(String type) {
        return new Refusal(
                415,
                "UnsupportedMediaType",
                "the body of the request was in an unknown format - " + type + " is not taken");
    }

    public static Refusal invalid(Resource resource, String name, String why) {
        return new Refusal(422, "Invalid", resource.kind() + " \"" + name + "\" is invalid: " + why);
    }

    public static Refusal tooManyRequests(String message) {
        return new Refusal(429, "TooManyRequests", message);
    }

    public static Refusal unavailable() {
        return new Refusal(503, "ServiceUnavailable", "the server is currently unable to handle the request");
    }

    /** As a body. */
    public JsonObjectReader status() {
        return Json.object(
                "kind",
                "Status",
                "apiVersion",
                "v1",
                "metadata",
                Json.EMPTY,
                "status",
                "Failure",
                "message",
                message,
                "reason",
                reason,
                "code",
                code);
    }
}
