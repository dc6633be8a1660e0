package dev.flotilla.simulator.broken;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.simulator.run.Finding;
import dev.flotilla.simulator.run.SeedRange;
import dev.flotilla.simulator.run.Simulation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.junit.jupiter.api.Test;

/**
 * A checker that lets a broken core through is no checker. Each is tried first with the seed that last found it out
 * ({@code caught-by.txt}; {@code -Dflotilla.rewrite=true} notes those that do now): from the first seed on, as
 * {@code ./flotilla simulate --broken} looks for it, takes a minute more.
 */
class BrokenCoresTest {
    private static final int ENOUGH = 25;
    private static final Path CAUGHT_BY = Path.of("src/test/resources/dev/flotilla/simulator/broken/caught-by.txt");

    @Test
    void everyBrokenCoreIsCaughtWithinTheUsualSeeds() throws IOException {
        List<BrokenCore> cores = BrokenCores.all();
        assertThat(cores).extracting(BrokenCore::name).doesNotHaveDuplicates().hasSizeGreaterThanOrEqualTo(ENOUGH);
        Map<String, Long> last = lastCaughtBy();
        Map<String, Long> caught = new ConcurrentSkipListMap<>();
        cores.parallelStream().forEach(core -> {
            Finding found = caught(core, last.get(core.name()));
            if (found != null) {
                caught.put(core.name(), found.seed());
                System.out.printf(
                        "broken core %-32s caught by seed %3d: %s%n", core.name(), found.seed(), found.invariant());
            }
        });
        assertThat(cores)
                .extracting(BrokenCore::name)
                .allSatisfy(name -> assertThat(caught).containsKey(name));
        if (Boolean.getBoolean("flotilla.rewrite")) {
            note(caught);
        }
    }

    private static Finding caught(BrokenCore core, Long last) {
        Finding again = last == null ? null : Simulation.first(new SeedRange(last, last), core.variant());
        return again != null ? again : Simulation.first(BrokenCores.SEEDS, core.variant());
    }

    private static Map<String, Long> lastCaughtBy() throws IOException {
        Map<String, Long> seeds = new TreeMap<>();
        for (String line : Files.readAllLines(CAUGHT_BY)) {
            int end = line.indexOf(' ');
            seeds.put(line.substring(0, end), Long.valueOf(line.substring(end + 1)));
        }
        return seeds;
    }

    private static void note(Map<String, Long> caught) throws IOException {
        StringBuilder text = new StringBuilder();
        caught.forEach(
                (name, seed) -> text.append(name).append(' ').append(seed).append('\n'));
        Files.writeString(CAUGHT_BY, text);
    }
}
