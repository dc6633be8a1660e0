package dev.flotilla.kube;

/** What came of a request. */
public sealed interface KubeResponse {
    int UNAUTHORIZED = 401;
    int FORBIDDEN = 403;
    int NOT_FOUND = 404;
    int CONFLICT = 409;
    int UNPROCESSABLE = 422;

    /** It was done: the object, or the list. */
    record SuccessResponse(KubeObject object) implements KubeResponse {}

    /**
     * The API server says no.
     *
     * @param retryAfterSeconds how long it asks to be left alone; 0 where it does not
     */
    record ErrorResponse(int status, String message, long retryAfterSeconds) implements KubeResponse {
        public ErrorResponse(int status, String text) {
            this(status, text, 0);
        }
    }

    /** Nobody answered, or nothing that could be read: it may have been done or not. */
    record NoResponse(String message) implements KubeResponse {}

    /** Whether the API server knows no such object. */
    default boolean isMissing() {
        return this instanceof ErrorResponse errorResponse && errorResponse.status() == NOT_FOUND;
    }

    /** Whether the API server knows who asks, and does not let him. */
    default boolean isForbidden() {
        return this instanceof ErrorResponse errorResponse && errorResponse.status() == FORBIDDEN;
    }

    /** Whether the object is not as the request supposes: another wrote in between, or a test in a patch failed. */
    default boolean isConflict() {
        return this instanceof ErrorResponse errorResponse
                && (errorResponse.status() == CONFLICT || errorResponse.status() == UNPROCESSABLE);
    }

    /** What went wrong, in words. */
    default String problem() {
        return switch (this) {
            case SuccessResponse successResponse -> "nothing";
            case ErrorResponse errorResponse -> errorResponse.status() + " " + errorResponse.message();
            case NoResponse noResponse -> noResponse.message();
        };
    }
}
