package dev.flotilla.bench.kafka;

import dev.flotilla.bench.Figures;
import dev.flotilla.bench.rig.Programme;
import java.util.List;
import org.apache.kafka.common.utils.AppInfoParser;

/** All figures that need a broker. */
public final class KafkaBench {
    /** The figures that come from a clock, and that a crowded machine spoils. */
    public static final List<String> TIMED =
            List.of("P3", "P4", "P5", "P16", "P17a", "P17b", "P19a", "P20a", "P20b", "P21", "P22a", "P22b", "P22c");

    private final Programme programme;
    private final Sizes sizes;

    /**
     * A run.
     *
     * @param tiny only to see that everything works
     */
    public KafkaBench(Programme programme, boolean tiny) {
        this.programme = programme;
        this.sizes = tiny ? Sizes.TINY : Sizes.FULL;
    }

    /** The version of the client, which is the broker's too. */
    public static String version() {
        return AppInfoParser.getVersion();
    }

    /** Adds the figures. */
    public void run(Figures figures) {
        UpgradeCost upgrades = new UpgradeCost(sizes);
        programme.play(
                List.of(
                        new ExactlyOncePrice(sizes),
                        new EventRate(sizes),
                        new SlotTurnaround(sizes),
                        upgrades,
                        new Rest(sizes, upgrades),
                        new Handover(sizes),
                        new Overload(sizes)),
                figures);
    }
}
