package dev.flotilla.tracing;

/** Receives spans of attempts. It never blocks, and it never fails. */
@FunctionalInterface
public interface AttemptSpanReceiver extends AutoCloseable {
    /** Ignores all spans: no export is configured. */
    AttemptSpanReceiver NONE = span -> {};

    void report(AttemptSpan span);

    /** Whether spans are exported. */
    default boolean isExporting() {
        return false;
    }

    /** Ends the export, after the last spans were sent or some seconds have passed. */
    @Override
    default void close() {}
}
