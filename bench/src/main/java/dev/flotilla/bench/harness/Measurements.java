package dev.flotilla.bench.harness;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Measurements of a run, in display order, and which of them are invalid. */
public final class Measurements {
    private final List<Measurement> rows = new ArrayList<>();
    private final List<InvalidMeasurement> invalid = new ArrayList<>();
    private final Map<String, Double> stolen = new HashMap<>();

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

    /** Notes how much of the processors' time was taken away while these ids were measured; what was noted before stays. */
    public void addStolen(List<String> ids, double share) {
        ids.forEach(id -> stolen.putIfAbsent(id, share));
    }

    /** Returns the share of the processors' time that was taken away while an id was measured; zero if it is not known. */
    public double stolenShare(String id) {
        return stolen.getOrDefault(id, 0.0);
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
