package dev.flotilla.bench.rig;

import dev.flotilla.bench.Figures;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Consumer;

/**
 * Scenes in their order. One that cannot be played leaves its figures out, and the others are still measured.
 *
 * @param only of these figures and what is measured with them; empty for all
 */
public record Programme(Consumer<String> progress, List<String> only) {
    public Programme {
        only = List.copyOf(only);
    }

    public void play(List<Scene> scenes, Figures figures) {
        for (Scene scene : scenes) {
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
            scene.ids().forEach(id -> figures.miss(id, why));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", interrupted);
        }
    }
}
