package dev.flotilla.tracing;

/** Receives spans of attempts. It never blocks, and it never fails. */
@FunctionalInterface
public interface AttemptSpanReceiver {
    /** Ignores all spans. */
    AttemptSpanReceiver NONE = span -> {};

    void report(AttemptSpan span);
}
