package dev.flotilla.bench.clusterapi;

import dev.flotilla.bench.harness.StolenTime;
import java.util.List;

/**
 * Of several equal rounds, the one in which other virtual machines took the least of the processors' time. Which one it is does not depend on
 * how long the answers took.
 *
 * @param millis how long each answer took
 * @param stolen the share of the processors' time that was taken
 * @param rounds how many were measured
 */
record QuietestRound(List<Double> millis, double stolen, int rounds) {
    private static final int MAX_ROUNDS = 5;

    /** Another round would hardly be quieter. */
    private static final double QUIET = 0.01;

    QuietestRound {
        millis = List.copyOf(millis);
    }

    /** Calls hooks. */
    interface Round {
        /** Returns how many milliseconds each answer took. */
        List<Double> measure(int round) throws InterruptedException;
    }

    /** Measures until a round is quiet, or there were enough of them. */
    static QuietestRound measure(Round round) throws InterruptedException {
        QuietestRound quietest = measureOnce(round, 0);
        for (int i = 1; i < MAX_ROUNDS && quietest.stolen > QUIET; i++) {
            QuietestRound next = measureOnce(round, i);
            QuietestRound quieter = next.stolen < quietest.stolen ? next : quietest;
            quietest = new QuietestRound(quieter.millis, quieter.stolen, i + 1);
        }
        return quietest;
    }

    /** Measures one round. */
    static QuietestRound measureOnce(Round round) throws InterruptedException {
        return measureOnce(round, 0);
    }

    private static QuietestRound measureOnce(Round round, int number) throws InterruptedException {
        StolenTime stolen = StolenTime.begin();
        List<Double> millis = round.measure(number);
        return new QuietestRound(millis, stolen.share(), number + 1);
    }
}
