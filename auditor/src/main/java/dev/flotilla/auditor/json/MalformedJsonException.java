package dev.flotilla.auditor.json;

/** A value that is not JSON, or not of the form that its topic asks for. */
public final class MalformedJsonException extends RuntimeException {
    public MalformedJsonException(String problem) {
        super(problem);
    }
}
