package dev.flotilla.orchestrator.loop;

import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Dies at once when a step is reached for the n-th time, as a test asks for with {@code -Dflotilla.crash=sent:3}. Nothing
 * is cleaned up, as when the power goes.
 */
public final class Crash implements Step.Witness {
    public static final String PROPERTY = "flotilla.crash";
    public static final int EXIT = 86;

    private final Step at;
    private final AtomicInteger left;

    private Crash(Step at, int times) {
        this.at = at;
        this.left = new AtomicInteger(times);
    }

    /** The witness that the property asks for, or one that lets everything pass. */
    public static Step.Witness asked(String property) {
        if (property.isEmpty()) {
            return step -> {};
        }
        String[] parts = property.split(":", 2);
        Optional<Step> step = Arrays.stream(Step.values())
                .filter(each -> each.label().equals(parts[0]))
                .findFirst();
        if (step.isEmpty() || (parts.length == 2 && !parts[1].matches("[1-9][0-9]{0,8}"))) {
            throw new IllegalArgumentException(PROPERTY + "=" + property + " is not STEP or STEP:COUNT with a step of "
                    + Arrays.toString(Step.values()));
        }
        return new Crash(step.get(), parts.length == 2 ? Integer.parseInt(parts[1]) : 1);
    }

    @Override
    public void reached(Step step) {
        if (step == at && left.decrementAndGet() == 0) {
            Runtime.getRuntime().halt(EXIT);
        }
    }
}
