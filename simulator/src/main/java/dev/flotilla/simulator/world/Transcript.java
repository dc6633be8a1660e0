package dev.flotilla.simulator.world;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A readable record of who did what at which virtual time. It costs nothing when it is disabled. */
public final class Transcript {
    private static final int SIXTY = 60;
    private static final int NAME_WIDTH = 18;

    private final VirtualClockScheduler scheduler;
    private final StringBuilder text = new StringBuilder();
    private final List<Consumer<String>> listeners = new ArrayList<>();
    private final boolean enabled;

    public Transcript(VirtualClockScheduler scheduler, boolean enabled) {
        this.scheduler = scheduler;
        this.enabled = enabled;
    }

    public void append(String who, Supplier<String> what) {
        if (!enabled) {
            return;
        }
        StringBuilder line =
                new StringBuilder(formatTime(scheduler.now())).append("  ").append(who);
        for (int i = who.length(); i < NAME_WIDTH; i++) {
            line.append(' ');
        }
        line.append(' ').append(what.get());
        text.append(line).append('\n');
        listeners.forEach(listener -> listener.accept(line.toString()));
    }

    /** Adds a listener that receives each line when it is written. */
    public void addListener(Consumer<String> listener) {
        listeners.add(listener);
    }

    public String text() {
        return text.toString();
    }

    /** Time since the world began, as hours, minutes, seconds and milliseconds. */
    public static String formatTime(long now) {
        long millis = now - VirtualClockScheduler.BEGIN;
        StringBuilder clock = new StringBuilder();
        pad(clock, millis / (SIXTY * SIXTY * 1000L), 2).append(':');
        pad(clock, millis / (SIXTY * 1000L) % SIXTY, 2).append(':');
        pad(clock, millis / 1000 % SIXTY, 2).append('.');
        return pad(clock, millis % 1000, 3).toString();
    }

    private static StringBuilder pad(StringBuilder to, long value, int width) {
        String digits = Long.toString(value);
        for (int i = digits.length(); i < width; i++) {
            to.append('0');
        }
        return to.append(digits);
    }
}
