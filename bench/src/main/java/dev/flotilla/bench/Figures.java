package dev.flotilla.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The figures of a run, in the order in which they are shown, and which of them are not to be trusted. */
public final class Figures {
    private final List<Figure> rows = new ArrayList<>();
    private final List<Invalid> invalid = new ArrayList<>();

    /** A figure that was measured under conditions that spoil it. It is neither passed nor failed. */
    public record Invalid(String id, String why) {}

    public void add(Figure figure) {
        rows.add(figure);
    }

    public void invalidate(String id, String why) {
        invalid.add(new Invalid(id, why));
    }

    public List<Figure> rows() {
        return Collections.unmodifiableList(rows);
    }

    public List<Invalid> invalid() {
        return Collections.unmodifiableList(invalid);
    }

    /** Whether a figure that gates is below its floor. */
    public boolean fail() {
        return rows.stream().anyMatch(Figure::fails);
    }
}
