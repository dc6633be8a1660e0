package dev.flotilla.cli.demo.stage;

/** Something that the demonstration needs is unavailable. The message says what, and where to look. */
public final class DemoProcessException extends Exception {
    private static final long serialVersionUID = 1;

    DemoProcessException(String message) {
        super(message);
    }
}
