package dev.flotilla.testkit.junit;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Collects the bugs that ended loops on threads of their own, and fails the test in which they struck, or its class where it
 * closed the loop last. Thrown on that thread a bug would be dropped by the JVM. JUnit finds this class as a service.
 */
public final class LoopFailureExtension implements AfterEachCallback, AfterAllCallback {
    private static final Queue<Throwable> BUGS = new ConcurrentLinkedQueue<>();

    /** Notes a bug; safe on any thread. */
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
