package dev.flotilla.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The figures of a run, in the order in which they are shown, and which of them are not to be trusted. */
public final class Measurements {
    private final List<Measurement> rows = new ArrayList<>();
    private final List<InvalidMeasurement> invalid = new ArrayList<>();

    /**
     * A figure without a verdict.
     *
     * @param measured whether it was measured, under conditions that spoil it; it is neither passed nor failed then
     */
    public record InvalidMeasurement(String id, String why, boolean measured) {}

    public void add(Measurement measurement) {
        rows.add(measurement);
    }

    public void addInvalid(String id, String why) {
        invalid.add(new InvalidMeasurement(id, why, true));
    }

    /** Notes a figure that should have been measured and was not, which fails the run: nothing goes missing unnoticed. */
    public void addMissing(String id, String why) {
        invalid.add(new InvalidMeasurement(id, "not measured: " + why, false));
    }

    public List<Measurement> rows() {
        return Collections.unmodifiableList(rows);
    }

    public List<InvalidMeasurement> invalid() {
        return Collections.unmodifiableList(invalid);
    }

    /** Whether a figure that gates is below its floor, or one is missing. */
    public boolean fail() {
        return rows.stream().anyMatch(Measurement::isFailed) || invalid.stream().anyMatch(figure -> !figure.measured());
    }
}
