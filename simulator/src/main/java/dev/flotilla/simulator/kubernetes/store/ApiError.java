package dev.flotilla.simulator.kubernetes.store;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.simulator.kubernetes.json.ImmutableJson;

/**
 * What an API server will not do, in its own words.
 *
 * @param code of HTTP
 * @param reason as machines read it
 */
public record ApiError(int code, String reason, String message) implements WriteResult {

    public static ApiError badRequest(String message) {
        return new ApiError(400, "BadRequest", message);
    }

    public static ApiError unauthorized() {
        return new ApiError(401, "Unauthorized", "Unauthorized");
    }

    public static ApiError notFound(ApiResource resource, String name) {
        return new ApiError(404, "NotFound", resource.qualifiedName() + " \"" + name + "\" not found");
    }

    /** Nothing is served under that path. */
    public static ApiError noSuchPath() {
        return new ApiError(404, "NotFound", "the server could not find the requested resource");
    }

    public static ApiError notAllowed() {
        return new ApiError(405, "MethodNotAllowed", "the server does not allow this method on the requested resource");
    }

    public static ApiError exists(ObjectReference ref) {
        return new ApiError(
                409, "AlreadyExists", ref.resource().qualifiedName() + " \"" + ref.name() + "\" already exists");
    }

    public static ApiError conflict(ObjectReference ref, String why) {
        return new ApiError(
                409,
                "Conflict",
                "Operation cannot be fulfilled on " + ref.resource().qualifiedName() + " \"" + ref.name() + "\": "
                        + why);
    }

    /** A version is asked for that is not remembered any more. */
    public static ApiError expired(long asked, long oldest) {
        return new ApiError(410, "Expired", "too old resource version: " + asked + " (" + oldest + ")");
    }

    public static ApiError mediaType(String type) {
        return new ApiError(
                415,
                "UnsupportedMediaType",
                "the body of the request was in an unknown format - " + type + " is not taken");
    }

    public static ApiError invalid(ApiResource resource, String name, String why) {
        return new ApiError(422, "Invalid", resource.kind() + " \"" + name + "\" is invalid: " + why);
    }

    public static ApiError tooManyRequests(String message) {
        return new ApiError(429, "TooManyRequests", message);
    }

    public static ApiError unavailable() {
        return new ApiError(503, "ServiceUnavailable", "the server is currently unable to handle the request");
    }

    /** As a body. */
    public JsonObjectReader status() {
        return ImmutableJson.object(
                "kind",
                "Status",
                "apiVersion",
                "v1",
                "metadata",
                ImmutableJson.EMPTY,
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
