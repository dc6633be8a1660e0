package dev.flotilla.orchestrator.loop;

import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Dies at once when a step is reached for the n-th time, as a test asks for with {@code -Dflotilla.crash=sent:3}. Nothing
 * is cleaned up, as when the power goes.
 */
public final class LoopCrashInjection implements LoopCrashPoint.CrashPointListener {
    public static final String PROPERTY = "flotilla.crash";
    public static final int EXIT = 86;

    private final LoopCrashPoint at;
    private final AtomicInteger left;

    private LoopCrashInjection(LoopCrashPoint at, int times) {
        this.at = at;
        this.left = new AtomicInteger(times);
    }

    /** The witness that the property asks for, or one that lets everything pass. */
    public static LoopCrashPoint.CrashPointListener fromProperty(String property) {
        if (property.isEmpty()) {
            return loopCrashPoint -> {};
        }
        String[] parts = property.split(":", 2);
        Optional<LoopCrashPoint> step = Arrays.stream(LoopCrashPoint.values())
                .filter(each -> each.label().equals(parts[0]))
                .findFirst();
        if (step.isEmpty() || (parts.length == 2 && !parts[1].matches("[1-9][0-9]{0,8}"))) {
            throw new IllegalArgumentException(PROPERTY + "=" + property + " is not STEP or STEP:COUNT with a step of "
                    + Arrays.toString(LoopCrashPoint.values()));
        }
        return new LoopCrashInjection(step.get(), parts.length == 2 ? Integer.parseInt(parts[1]) : 1);
    }

    @Override
    public void onCrashPoint(LoopCrashPoint loopCrashPoint) {
        if (loopCrashPoint == at && left.decrementAndGet() == 0) {
            Runtime.getRuntime().halt(EXIT);
        }
    }
}
