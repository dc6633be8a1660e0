package dev.flotilla.bench.rig;

import dev.flotilla.bench.Figures;
import java.io.IOException;
import java.util.List;

/** Figures that are taken together. */
public interface Scene {
    /** What it measures. */
    List<String> ids();

    void measure(Figures figures) throws InterruptedException, IOException;
}
