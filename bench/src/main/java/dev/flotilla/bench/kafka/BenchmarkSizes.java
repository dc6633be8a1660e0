package dev.flotilla.bench.kafka;

import java.time.Duration;

/**
 * How much is measured.
 *
 * @param pairs of runs that count; one more before them warms and is thrown away
 * @param leg how long one run of a pair is at least
 * @param events machines whose upgrades are reported at once for the rate of events
 * @param turnaround how long slots are watched
 * @param upgrades machines upgraded to count records
 * @param kills how often a leader is killed in front of a standby
 * @param tracked machines at rest, the smaller fleet
 * @param trackedMost machines at rest, the larger fleet
 * @param rest how long a leader at rest is watched
 * @param flood how long inputs pour in
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
        Duration rest,
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

    /** To see that everything works: the figures mean nothing. */
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
