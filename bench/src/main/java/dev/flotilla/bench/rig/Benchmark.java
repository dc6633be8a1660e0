package dev.flotilla.bench.rig;

import dev.flotilla.bench.Measurements;
import java.io.IOException;
import java.util.List;

/** Figures that are taken together. */
public interface Benchmark {
    /** What it measures. */
    List<String> ids();

    void measure(Measurements measurements) throws InterruptedException, IOException;
}
