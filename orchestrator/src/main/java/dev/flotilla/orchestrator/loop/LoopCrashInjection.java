package dev.flotilla.orchestrator.loop;
import dev.flotilla.orchestrator.leader.LoopCrashPoint;

import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Halts the process when a crash point is reached for the n-th time, as a test requests with
 * {@code -Dflotilla.crash=sent:3}. Nothing is cleaned up, as in a power failure.
 */
public final class LoopCrashInjection implements LoopCrashPoint.CrashPointListener {
    public static final String PROPERTY = "flotilla.crash";
    public static final int EXIT = 86;

    private final LoopCrashPoint crashPoint;
    private final AtomicInteger remaining;

    private LoopCrashInjection(LoopCrashPoint crashPoint, int times) {
        this.crashPoint = crashPoint;
        this.remaining = new AtomicInteger(times);
    }

    /** The listener that the property requests, or one that does nothing. */
    public static LoopCrashPoint.CrashPointListener fromProperty(String property) {
        if (property.isEmpty()) {
            return loopCrashPoint -> {};
        }
        String[] parts = property.split(":", 2);
        Optional<LoopCrashPoint> found = Arrays.stream(LoopCrashPoint.values())
                .filter(point -> point.label().equals(parts[0]))
                .findFirst();
        if (found.isEmpty() || (parts.length == 2 && !parts[1].matches("[1-9][0-9]{0,8}"))) {
            throw new IllegalArgumentException(
                    PROPERTY + "=" + property + " must be POINT or POINT:COUNT, with one of the crash points "
                            + Arrays.toString(LoopCrashPoint.values()));
        }
        return new LoopCrashInjection(found.get(), parts.length == 2 ? Integer.parseInt(parts[1]) : 1);
    }

    @Override
    public void onCrashPoint(LoopCrashPoint loopCrashPoint) {
        if (loopCrashPoint == crashPoint && remaining.decrementAndGet() == 0) {
            Runtime.getRuntime().halt(EXIT);
        }
    }
}
