package dev.flotilla.runtime.process;

import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Halts this process when it reaches a crash point for the n-th time, as a test requests with
 * {@code -Dflotilla.crash=sent:3}. Nothing is cleaned up, as in a power failure.
 */
public final class CrashInjection<E extends Enum<E>> implements Consumer<E> {
    public static final String PROPERTY = "flotilla.crash";
    public static final int EXIT = 86;

    private static final Pattern FORM = Pattern.compile("([a-z-]+)(?::([1-9][0-9]{0,8}))?");

    private final E crashPoint;
    private final AtomicInteger remaining;
    private final Runnable halt;

    CrashInjection(E crashPoint, int times, Runnable halt) {
        this.crashPoint = crashPoint;
        this.remaining = new AtomicInteger(times);
        this.halt = halt;
    }

    /** Returns the handler of crash points that the system property requests; without it, one that does nothing. */
    public static <E extends Enum<E>> Consumer<E> fromProperty(Class<E> crashPoints) {
        return parse(
                crashPoints,
                System.getProperty(PROPERTY, ""),
                () -> Runtime.getRuntime().halt(EXIT));
    }

    static <E extends Enum<E>> Consumer<E> parse(Class<E> crashPoints, String value, Runnable halt) {
        if (value.isEmpty()) {
            return reached -> {};
        }
        Matcher form = FORM.matcher(value);
        E[] all = Objects.requireNonNull(crashPoints.getEnumConstants());
        for (E each : all) {
            if (form.matches() && label(each).equals(form.group(1))) {
                String times = form.group(2);
                return new CrashInjection<>(each, times == null ? 1 : Integer.parseInt(times), halt);
            }
        }
        throw new IllegalArgumentException(
                PROPERTY + "=" + value + " must be POINT or POINT:COUNT, with one of the" + " crash points "
                        + Arrays.stream(all).map(CrashInjection::label).toList());
    }

    /** Returns a crash point as the property names it. */
    public static String label(Enum<?> crashPoint) {
        return crashPoint.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    @Override
    public void accept(E reached) {
        if (reached == crashPoint && remaining.decrementAndGet() == 0) {
            halt.run();
        }
    }
}
