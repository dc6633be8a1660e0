package dev.flotilla.cli.demo;

import dev.flotilla.simulator.play.Play;
import dev.flotilla.simulator.play.PlayEvent;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Moves a play on as the wall clock does. */
final class Pacer {
    private static final long TICK_MILLIS = 20;

    /** A slow moment is caught up; what it cost beyond this is lost, so that nobody sees a jump. */
    private static final long MOST_AT_ONCE_NANOS = 1_000_000_000;

    private static final double NANOS = 1e9;

    /**
     * When things happened, on the wall clock.
     *
     * @param makespanSeconds from the campaign's acceptance to the end of the last attempt
     * @param ended whether it came to an end
     */
    record Timing(double makespanSeconds, boolean ended) {}

    private final double speed;
    private final long begin = System.nanoTime();
    private final CountDownLatch never = new CountDownLatch(1);
    private long accepted;
    private long lastEnd;

    Pacer(double speed) {
        this.speed = speed;
    }

    void happened(PlayEvent event, Screen screen) {
        if (event.kind().equals("campaign-accepted")) {
            accepted = System.nanoTime();
        }
        screen.happened(event, seconds(System.nanoTime() - begin));
    }

    Timing run(Play play, Screen screen) throws InterruptedException {
        Thread interrupted = new Thread(screen::interrupted);
        Runtime.getRuntime().addShutdownHook(interrupted);
        screen.begin(play);
        play.start();
        boolean going = true;
        int ends = 0;
        long last = System.nanoTime();
        double simulated = 0;
        while (going) {
            // Waits for the clock alone: nobody opens this latch.
            never.await(TICK_MILLIS, TimeUnit.MILLISECONDS);
            long wall = System.nanoTime();
            simulated += Math.min(wall - last, MOST_AT_ONCE_NANOS) / NANOS * 1000 * speed;
            last = wall;
            going = play.until((long) simulated);
            if (play.ends() != ends) {
                ends = play.ends();
                lastEnd = System.nanoTime();
            }
            screen.show(play, seconds(System.nanoTime() - begin));
        }
        screen.end(play, seconds(System.nanoTime() - begin));
        Runtime.getRuntime().removeShutdownHook(interrupted);
        double makespan = accepted == 0 || lastEnd == 0 ? 0 : seconds(lastEnd - accepted);
        return new Timing(Math.max(0, makespan), play.settled());
    }

    private static double seconds(long nanos) {
        return nanos / NANOS;
    }
}
