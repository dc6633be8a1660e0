package dev.flotilla.bench.kafka;

import dev.flotilla.bench.Figures;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.common.utils.AppInfoParser;

/** All figures that need a broker. */
public final class KafkaBench {
    /** The figures that come from a clock, and that a crowded machine spoils. */
    public static final List<String> TIMED = List.of(
            "P3", "P4", "P5", "P16", "P17a", "P17b", "P19a", "P20a", "P20b", "P21", "P22a", "P22b", "P22c", "P27");

    private final Consumer<String> progress;
    private final Sizes sizes;
    private final List<String> only;

    /**
     * A run.
     *
     * @param tiny only to see that everything works
     * @param only of these figures and what is measured with them; empty for all
     */
    public KafkaBench(Consumer<String> progress, boolean tiny, List<String> only) {
        this.progress = progress;
        this.only = List.copyOf(only);
        this.sizes = tiny ? Sizes.TINY : Sizes.FULL;
    }

    /** The version of the client, which is the broker's too. */
    public static String version() {
        return AppInfoParser.getVersion();
    }

    /** Adds the figures. A scene that cannot be played leaves its figures out, and the others are still measured. */
    public void run(Figures figures) {
        UpgradeCost upgrades = new UpgradeCost(sizes);
        for (Scene scene : List.of(
                new ExactlyOncePrice(sizes),
                new EventRate(sizes),
                new SlotTurnaround(sizes),
                upgrades,
                new Rest(sizes, upgrades),
                new Handover(sizes),
                new FaultedRollout(sizes),
                new Overload(sizes))) {
            if (only.isEmpty() || scene.ids().stream().anyMatch(only::contains)) {
                play(scene, figures);
            }
        }
    }

    private void play(Scene scene, Figures figures) {
        String ids = String.join(", ", scene.ids());
        progress.accept(ids);
        long began = System.nanoTime();
        try {
            scene.measure(figures);
            progress.accept(String.format("%s: %.0f s", ids, (System.nanoTime() - began) / 1e9));
        } catch (IllegalStateException | UncheckedIOException | IOException failed) {
            String why = String.valueOf(failed.getMessage());
            progress.accept("not measured: " + why);
            scene.ids().forEach(id -> figures.invalidate(id, "not measured: " + why));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", interrupted);
        }
    }
}
