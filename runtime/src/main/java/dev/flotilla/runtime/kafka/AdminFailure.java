package dev.flotilla.runtime.kafka;

/** Kafka could not be asked or administered. The message names the brokers and what to check. */
public final class AdminFailure extends RuntimeException {
    /** What kind of failure it is; only {@link #UNREACHABLE} passes by itself. */
    public enum Kind {
        UNREACHABLE,
        NOT_AUTHENTICATED,
        NOT_AUTHORIZED,
        TOO_OLD,
        REFUSED
    }

    private final Kind kind;

    AdminFailure(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    AdminFailure(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
