package dev.flotilla.cli.kafka;

/** Something that a command needs is unavailable. The message says what, where, and how to check. */
final class UnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public UnavailableException(String message) {
        super(message);
    }
}
