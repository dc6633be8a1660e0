package dev.flotilla.cli.allinone;

/** Something that is needed cannot be reached or started; the message says which, why, and what to do. */
final class AllInOneException extends Exception {
    private static final long serialVersionUID = 1;

    AllInOneException(String message) {
        super(message);
    }
}
