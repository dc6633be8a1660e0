package dev.flotilla.kube;

/** What came of a request. */
public sealed interface Reply {
    int UNAUTHORIZED = 401;
    int FORBIDDEN = 403;
    int NOT_FOUND = 404;
    int CONFLICT = 409;
    int UNPROCESSABLE = 422;

    /** It was done: the object, or the list. */
    record Done(Kube object) implements Reply {}

    /**
     * The API server says no.
     *
     * @param retryAfterSeconds how long it asks to be left alone; 0 where it does not
     */
    record Refused(int status, String text, long retryAfterSeconds) implements Reply {
        public Refused(int status, String text) {
            this(status, text, 0);
        }
    }

    /** Nobody answered, or nothing that could be read: it may have been done or not. */
    record Silent(String text) implements Reply {}

    /** Whether the API server knows no such object. */
    default boolean isMissing() {
        return this instanceof Refused refused && refused.status() == NOT_FOUND;
    }

    /** Whether the API server knows who asks, and does not let him. */
    default boolean isForbidden() {
        return this instanceof Refused refused && refused.status() == FORBIDDEN;
    }

    /** Whether the object is not as the request supposes: another wrote in between, or a test in a patch failed. */
    default boolean isConflict() {
        return this instanceof Refused refused && (refused.status() == CONFLICT || refused.status() == UNPROCESSABLE);
    }

    /** What went wrong, in words. */
    default String problem() {
        return switch (this) {
            case Done done -> "nothing";
            case Refused refused -> refused.status() + " " + refused.text();
            case Silent silent -> silent.text();
        };
    }
}
