package dev.flotilla.simulator.rollout;

import dev.flotilla.core.gate.GateLabel;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The result of a rollout. Times are milliseconds since the rows were added.
 *
 * @param makespanMillis when the last attempt ended
 * @param failedAttempts attempts that failed
 * @param peakInFlight the most attempts open at one instant, as counted by the workers
 * @param waiting machines that still wait at the end, by their first closed gate
 */
public record VirtualRolloutResult(
        int machines,
        int succeeded,
        long attempts,
        long failedAttempts,
        long makespanMillis,
        int peakInFlight,
        long decisions,
        List<WaveSpan> waves,
        SortedMap<GateLabel, Integer> waiting) {

    /** When a wave of a campaign opened and ended; -1 if it did not. */
    public record WaveSpan(String campaign, String wave, int machines, long startMillis, long endMillis) {}

    public VirtualRolloutResult {
        waves = List.copyOf(waves);
        waiting = Collections.unmodifiableSortedMap(new TreeMap<>(waiting));
    }

    static SortedMap<GateLabel, Integer> sum(Map<GateLabel, Integer> all, Map<GateLabel, Integer> more) {
        SortedMap<GateLabel, Integer> sum = new TreeMap<>(all);
        more.forEach((gate, machines) -> sum.merge(gate, machines, Integer::sum));
        return sum;
    }
}
