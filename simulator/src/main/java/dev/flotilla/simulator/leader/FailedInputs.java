package dev.flotilla.simulator.leader;

import dev.flotilla.schemas.topic.Place;
import dev.flotilla.simulator.log.LogReader;
import java.util.LinkedHashMap;
import java.util.Map;

/** The inputs on which a process has tripped, in this life. What it has tripped over twice is parked. */
final class FailedInputs {
    static final int TRIED = 2;

    private record At(Place place, long offset) {}

    private final Map<At, Integer> failures = new LinkedHashMap<>();
    private int most;

    void note(LogReader.Fetched failed) {
        most = Math.max(most, failures.merge(at(failed), 1, Integer::sum));
    }

    /** How often any of them was tried in one life, in all lives. */
    int most() {
        return most;
    }

    boolean areDone(LogReader.Fetched fetched) {
        return failures.getOrDefault(at(fetched), 0) >= TRIED;
    }

    void forget() {
        failures.clear();
    }

    private static At at(LogReader.Fetched fetched) {
        return new At(fetched.place(), fetched.logged().offset());
    }
}
