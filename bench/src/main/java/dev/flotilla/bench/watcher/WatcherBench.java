package dev.flotilla.bench.watcher;

import dev.flotilla.bench.Figures;
import dev.flotilla.bench.rig.Programme;
import java.util.List;

/** All figures of the management-watcher. */
public final class WatcherBench {
    /** The figures that come from a clock, and that a crowded machine spoils. */
    public static final List<String> TIMED = List.of("W1", "W2");

    private final Programme programme;
    private final boolean tiny;

    /**
     * A run.
     *
     * @param tiny only to see that everything works
     */
    public WatcherBench(Programme programme, boolean tiny) {
        this.programme = programme;
        this.tiny = tiny;
    }

    /** Adds the figures. */
    public void run(Figures figures) {
        programme.play(List.of(new ManyMachines(tiny), new WishedUpgrades(tiny)), figures);
    }
}
