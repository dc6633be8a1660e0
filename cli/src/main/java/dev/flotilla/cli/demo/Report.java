package dev.flotilla.cli.demo;

import dev.flotilla.simulator.play.PlayResult;
import dev.flotilla.simulator.play.PlaySpec;

/** What came of a demonstration, on the wall clock. */
record Report(PlaySpec spec, PlayResult result, Pacer.Timing timing, double speed) {
    private static final double MILLIS = 1000;

    /** Whether everything held. */
    boolean good() {
        return result.violations().isEmpty() && result.begun() >= 0 && timing.ended();
    }

    /** On the wall clock; never less than the simulated time that was played in it. */
    double makespanSeconds() {
        return Math.max(timing.makespanSeconds(), scaled(result.makespan()));
    }

    /** The ideal, in the same time as the rest. */
    double idealSeconds() {
        return scaled(result.idealMakespan());
    }

    double efficiency() {
        return makespanSeconds() <= 0 ? 1 : idealSeconds() / makespanSeconds();
    }

    /** Milliseconds of the simulated world in seconds on the wall. */
    double scaled(long simulatedMillis) {
        return simulatedMillis / MILLIS / speed;
    }
}
