package dev.flotilla.simulator.world;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Who did what at which virtual time, for a person to read. Costs nothing where nobody listens. */
public final class Transcript {
    private static final int SECONDS = 60;
    private static final int WHO = 18;

    private final VirtualClockScheduler scheduler;
    private final StringBuilder text = new StringBuilder();
    private final List<Consumer<String>> listeners = new ArrayList<>();
    private final boolean told;

    public Transcript(VirtualClockScheduler scheduler, boolean told) {
        this.scheduler = scheduler;
        this.told = told;
    }

    public void append(String who, Supplier<String> what) {
        if (!told) {
            return;
        }
        StringBuilder line =
                new StringBuilder(formatTime(scheduler.now())).append("  ").append(who);
        for (int i = who.length(); i < WHO; i++) {
            line.append(' ');
        }
        line.append(' ').append(what.get());
        text.append(line).append('\n');
        listeners.forEach(listener -> listener.accept(line.toString()));
    }

    /** Who hears each line as it is told. */
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
        pad(clock, millis / (SECONDS * SECONDS * 1000L), 2).append(':');
        pad(clock, millis / (SECONDS * 1000L) % SECONDS, 2).append(':');
        pad(clock, millis / 1000 % SECONDS, 2).append('.');
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
