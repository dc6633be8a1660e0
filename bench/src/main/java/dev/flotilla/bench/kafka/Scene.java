package dev.flotilla.bench.kafka;

import dev.flotilla.bench.Figures;
import java.io.IOException;
import java.util.List;

/** Figures that are taken in front of one broker. */
interface Scene {
    /** What it measures. */
    List<String> ids();

    void measure(Figures figures) throws InterruptedException, IOException;
}
