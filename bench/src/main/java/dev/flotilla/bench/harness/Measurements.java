package dev.flotilla.bench.harness;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Measurements of a run, in display order, and which of them are invalid. */
public final class Measurements {
    private final List<Measurement> rows = new ArrayList<>();
    private final List<InvalidMeasurement> invalid = new ArrayList<>();

    /**
     * A measurement without a verdict.
     *
     * @param measured whether it was measured, but under conditions that make it unreliable; it then neither passes nor
     * fails
     */
    public record InvalidMeasurement(String id, String reason, boolean measured) {}

    public void add(Measurement measurement) {
        rows.add(measurement);
    }

    public void addInvalid(String id, String reason) {
        invalid.add(new InvalidMeasurement(id, reason, true));
    }

    /** Adds a measurement that is missing, which fails the run. */
    public void addMissing(String id, String reason) {
        invalid.add(new InvalidMeasurement(id, "not measured: " + reason, false));
    }

    public List<Measurement> rows() {
        return Collections.unmodifiableList(rows);
    }

    public List<InvalidMeasurement> invalid() {
        return Collections.unmodifiableList(invalid);
    }

    /** Whether a value that gates is below its floor, or a measurement is missing. */
    public boolean fail() {
        return rows.stream().anyMatch(Measurement::isFailed) || invalid.stream().anyMatch(figure -> !figure.measured());
    }
}
