package dev.flotilla.bench.worker;

import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.ThreadingModel;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** How late timers are on each event loop of a Vert.x: by so much everything on it is. */
final class LoopProbe {
    /** More often would cost what is measured beside it. */
    private static final long EVERY_MILLIS = 20;

    private static final double MILLI = 1e6;
    private static final int PERCENT = 99;

    private final List<Loop> loops = new CopyOnWriteArrayList<>();

    /** A timer's turn: when it was due and when it came, on the clock that nobody sets. */
    record Turn(long due, long came) {
        double millis() {
            return (came - due) / MILLI;
        }

        private boolean meets(Turn other) {
            return due < other.came && other.due < came;
        }
    }

    /** One event loop. */
    private static final class Loop extends VerticleBase {
        private List<Turn> turns = new ArrayList<>();

        @Override
        public Future<?> start() {
            next();
            return Future.succeededFuture();
        }

        private void next() {
            long due = System.nanoTime() + EVERY_MILLIS * (long) MILLI;
            vertx.setTimer(EVERY_MILLIS, timer -> {
                add(new Turn(due, System.nanoTime()));
                next();
            });
        }

        private synchronized void add(Turn turn) {
            turns.add(turn);
        }

        private synchronized List<Turn> take() {
            List<Turn> taken = turns;
            turns = new ArrayList<>();
            return taken;
        }
    }

    /** Looks at so many loops, which must be all that there are. */
    static LoopProbe on(Vertx vertx, int loops) {
        LoopProbe probe = new LoopProbe();
        vertx.deployVerticle(
                        () -> {
                            Loop loop = new Loop();
                            probe.loops.add(loop);
                            return loop;
                        },
                        new DeploymentOptions().setInstances(loops).setThreadingModel(ThreadingModel.EVENT_LOOP))
                .await();
        return probe;
    }

    /** The turns of each loop since they were taken last. */
    List<List<Turn>> take() {
        return loops.stream().map(Loop::take).toList();
    }

    /** How late most were at most, in milliseconds. */
    static double late(List<Turn> turns) {
        double[] millis = turns.stream().mapToDouble(Turn::millis).sorted().toArray();
        return millis.length == 0 ? 0 : millis[(int) ((millis.length - 1L) * PERCENT / 100)];
    }

    /** How often a loop was late by more than that while another that has nothing to do was not half as late. */
    static long blocked(List<Turn> turns, List<Turn> idle, double millis) {
        return turns.stream()
                .filter(turn -> turn.millis() > millis)
                .filter(turn ->
                        idle.stream().noneMatch(other -> other.meets(turn) && other.millis() > turn.millis() / 2))
                .count();
    }
}
