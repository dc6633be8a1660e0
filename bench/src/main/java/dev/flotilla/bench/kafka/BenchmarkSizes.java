package dev.flotilla.bench.kafka;

import java.time.Duration;

/**
 * Sizes and durations of the benchmarks.
 *
 * @param pairs pairs of runs that count; one pair before them warms up and is discarded
 * @param leg shortest duration of one run of a pair
 * @param events machines whose upgrades are reported at once, for the event rate
 * @param turnaround how long slot turnaround is measured
 * @param upgrades machines that are upgraded to count records
 * @param kills how often a leader with a hot standby is killed
 * @param tracked machines of the smaller idle fleet
 * @param trackedMost machines of the larger idle fleet
 * @param idle how long an idle leader is measured
 * @param flood how long inputs arrive at the overload rate
 */
record BenchmarkSizes(
        int pairs,
        Duration leg,
        int events,
        Duration turnaround,
        int upgrades,
        int kills,
        int tracked,
        int trackedMost,
        Duration idle,
        Duration flood) {
    static final BenchmarkSizes FULL = new BenchmarkSizes(
            5,
            Duration.ofSeconds(5),
            30_000,
            Duration.ofSeconds(24),
            3_000,
            10,
            100_000,
            1_000_000,
            Duration.ofMinutes(1),
            Duration.ofSeconds(10));

    /** Sizes of a smoke test, whose results mean nothing. */
    static final BenchmarkSizes TINY = new BenchmarkSizes(
            2,
            Duration.ofSeconds(1),
            2_000,
            Duration.ofSeconds(6),
            120,
            2,
            5_000,
            20_000,
            Duration.ofSeconds(6),
            Duration.ofSeconds(3));
}
