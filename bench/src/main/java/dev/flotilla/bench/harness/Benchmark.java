package dev.flotilla.bench.harness;

import java.io.IOException;
import java.util.List;

/** A benchmark that yields one or more measurements. */
public interface Benchmark {
    /** Ids of its measurements. */
    List<String> ids();

    void measure(Measurements measurements) throws InterruptedException, IOException;
}
