package dev.flotilla.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The figures of a run, in the order in which they are shown, and which of them are not to be trusted. */
public final class Figures {
    private final List<Figure> rows = new ArrayList<>();
    private final List<Invalid> invalid = new ArrayList<>();

    /**
     * A figure without a verdict.
     *
     * @param measured whether it was measured, under conditions that spoil it; it is neither passed nor failed then
     */
    public record Invalid(String id, String why, boolean measured) {}

    public void add(Figure figure) {
        rows.add(figure);
    }

    public void invalidate(String id, String why) {
        invalid.add(new Invalid(id, why, true));
    }

    /** Notes a figure that should have been measured and was not, which fails the run: nothing goes missing unnoticed. */
    public void miss(String id, String why) {
        invalid.add(new Invalid(id, "not measured: " + why, false));
    }

    public List<Figure> rows() {
        return Collections.unmodifiableList(rows);
    }

    public List<Invalid> invalid() {
        return Collections.unmodifiableList(invalid);
    }

    /** Whether a figure that gates is below its floor, or one is missing. */
    public boolean fail() {
        return rows.stream().anyMatch(Figure::fails) || invalid.stream().anyMatch(figure -> !figure.measured());
    }
}
