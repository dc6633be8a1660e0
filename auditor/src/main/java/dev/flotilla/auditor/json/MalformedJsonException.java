package dev.flotilla.auditor.json;

/** A value is not JSON, or does not have the form that its topic requires. */
public final class MalformedJsonException extends RuntimeException {
    public MalformedJsonException(String problem) {
        super(problem);
    }
}
