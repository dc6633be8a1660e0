package dev.flotilla.testkit.junit;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Collects bugs that end loops on their own threads, and fails the test during which they occur, or the class if a loop
 * is closed after its last test. On its own thread the exception would be lost. JUnit loads this class as a service.
 */
public final class LoopFailureExtension implements AfterEachCallback, AfterAllCallback {
    private static final Queue<Throwable> BUGS = new ConcurrentLinkedQueue<>();

    /** Records a bug; may be called on any thread. */
    public static void addFailure(Throwable bug) {
        BUGS.add(bug);
    }

    @Override
    public void afterEach(@Nullable ExtensionContext context) {
        throwIfAny();
    }

    @Override
    public void afterAll(@Nullable ExtensionContext context) {
        throwIfAny();
    }

    private static void throwIfAny() {
        Throwable first = BUGS.poll();
        if (first == null) {
            return;
        }
        AssertionError error = new AssertionError("a bug ended a loop", first);
        for (Throwable next = BUGS.poll(); next != null; next = BUGS.poll()) {
            error.addSuppressed(next);
        }
        throw error;
    }
}
