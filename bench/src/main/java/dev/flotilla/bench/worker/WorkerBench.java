package dev.flotilla.bench.worker;

import dev.flotilla.bench.Figures;
import dev.flotilla.bench.rig.Programme;
import java.util.List;

/** All figures of the node-worker. */
public final class WorkerBench {
    /** The figures that come from a clock, and that a crowded machine spoils. */
    public static final List<String> TIMED = List.of("P5w", "P26a", "P26b", "P5wp", "P26ap", "P26bp", "C1");

    private final Programme programme;
    private final boolean tiny;

    /**
     * A run.
     *
     * @param tiny only to see that everything works
     */
    public WorkerBench(Programme programme, boolean tiny) {
        this.programme = programme;
        this.tiny = tiny;
    }

    /** Adds the figures. */
    public void run(Figures figures) {
        programme.play(
                List.of(
                        new PollPace(),
                        RealUpgrades.direct(tiny),
                        RealUpgrades.proxied(tiny),
                        new CallOverhead(tiny),
                        new InFlight(tiny)),
                figures);
    }
}
