package dev.flotilla.simulator.kubernetes.store;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.simulator.kubernetes.json.ImmutableJson;

/**
 * An error of an API server, with the real message.
 *
 * @param code the HTTP status
 * @param reason the machine-readable reason
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

    /** Nothing is served under the path. */
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

    public static ApiError conflict(ObjectReference ref, String problem) {
        return new ApiError(
                409,
                "Conflict",
                "Operation cannot be fulfilled on " + ref.resource().qualifiedName() + " \"" + ref.name() + "\": "
                        + problem);
    }

    /** The requested version is no longer retained. */
    public static ApiError expired(long requested, long oldest) {
        return new ApiError(410, "Expired", "too old resource version: " + requested + " (" + oldest + ")");
    }

    public static ApiError mediaType(String type) {
        return new ApiError(
                415,
                "UnsupportedMediaType",
                "the body of the request was in an unknown format - " + type + " is not taken");
    }

    public static ApiError invalid(ApiResource resource, String name, String problem) {
        return new ApiError(422, "Invalid", resource.kind() + " \"" + name + "\" is invalid: " + problem);
    }

    public static ApiError tooManyRequests(String message) {
        return new ApiError(429, "TooManyRequests", message);
    }

    public static ApiError unavailable() {
        return new ApiError(503, "ServiceUnavailable", "the server is currently unable to handle the request");
    }

    /** The error as a response body. */
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
