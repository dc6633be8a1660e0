package dev.flotilla.e2e.arena;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Samples of a duration, with minimum, median and maximum. */
public final class DurationSamples {
    private static final double MILLIS = 1000;

    private final String what;
    private final List<Long> all = new ArrayList<>();

    public DurationSamples(String what) {
        this.what = what;
    }

    public void add(long millis) {
        all.add(millis);
    }

    public int size() {
        return all.size();
    }

    @Override
    public String toString() {
        if (all.isEmpty()) {
            return what + ": none";
        }
        List<Long> sorted = all.stream().sorted().toList();
        return String.format(
                Locale.ROOT,
                "%s: min %.2f s, median %.2f s, max %.2f s of %d",
                what,
                sorted.get(0) / MILLIS,
                sorted.get(sorted.size() / 2) / MILLIS,
                sorted.get(sorted.size() - 1) / MILLIS,
                sorted.size());
    }
}
