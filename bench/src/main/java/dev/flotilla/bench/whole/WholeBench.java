package dev.flotilla.bench.whole;

import dev.flotilla.bench.Figures;
import dev.flotilla.bench.rig.Programme;
import java.util.List;

/** All figures of the whole. */
public final class WholeBench {
    /** The figures that come from a clock, and that a crowded machine spoils. */
    public static final List<String> TIMED = List.of("P2", "P27");

    private final Programme programme;
    private final boolean tiny;

    /**
     * A run.
     *
     * @param tiny only to see that everything works
     */
    public WholeBench(Programme programme, boolean tiny) {
        this.programme = programme;
        this.tiny = tiny;
    }

    /** Adds the figures. */
    public void run(Figures figures) {
        programme.play(List.of(new PlayedFleet(tiny)), figures);
    }
}
