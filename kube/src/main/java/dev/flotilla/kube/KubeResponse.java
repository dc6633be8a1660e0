package dev.flotilla.kube;

/** The result of a request to an API server. */
public sealed interface KubeResponse {
    int UNAUTHORIZED = 401;
    int FORBIDDEN = 403;
    int NOT_FOUND = 404;
    int CONFLICT = 409;
    int UNPROCESSABLE = 422;

    /** The request succeeded; the response has the object or the list. */
    record SuccessResponse(KubeObject object) implements KubeResponse {}

    /**
     * The API server rejected the request.
     *
     * @param retryAfterSeconds how long to wait before the next request; 0 if the API server did not say
     */
    record ErrorResponse(int status, String message, long retryAfterSeconds) implements KubeResponse {
        public ErrorResponse(int status, String text) {
            this(status, text, 0);
        }
    }

    /**
     * There was no readable response: the request may have been executed or not.
     *
     * @param certainlyNotSent whether it certainly was not executed, because it was not sent
     */
    record NoResponse(String message, boolean certainlyNotSent) implements KubeResponse {
        /** A request that may have been executed. */
        public NoResponse(String message) {
            this(message, false);
        }
    }

    /** Whether the object does not exist (404). */
    default boolean isMissing() {
        return this instanceof ErrorResponse errorResponse && errorResponse.status() == NOT_FOUND;
    }

    /** Whether the client is authenticated but not authorized (403). */
    default boolean isForbidden() {
        return this instanceof ErrorResponse errorResponse && errorResponse.status() == FORBIDDEN;
    }

    /** Whether the object has changed: another client wrote it in between, or a test in a patch failed. */
    default boolean isConflict() {
        return this instanceof ErrorResponse errorResponse
                && (errorResponse.status() == CONFLICT || errorResponse.status() == UNPROCESSABLE);
    }

    /** Describes the problem. */
    default String problem() {
        return switch (this) {
            case SuccessResponse successResponse -> "nothing";
            case ErrorResponse errorResponse -> errorResponse.status() + " " + errorResponse.message();
            case NoResponse noResponse -> noResponse.message();
        };
    }
}
