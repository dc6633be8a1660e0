package dev.flotilla.simulator.broken;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.simulator.check.Invariant;
import dev.flotilla.simulator.run.SeedRange;
import dev.flotilla.simulator.run.SimulationRunner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.junit.jupiter.api.Test;

/**
 * Each broken core must be detected by one of the invariants that it declares to violate. Each is first tried with the
 * seed that last detected it ({@code caught-by.txt}; {@code -Dflotilla.rewrite=true} updates it). A search from the
 * first seed, as in {@code ./flotilla simulate --broken}, takes a minute more.
 */
class BrokenCoreDetectionTest {
    private static final int MIN_BROKEN_CORES = 90;
    private static final Path CAUGHT_BY = Path.of("src/test/resources/dev/flotilla/simulator/broken/caught-by.txt");

    private record Detection(long seed, String invariant) {}

    @Test
    void everyBrokenCoreIsDetectedByAnInvariantThatItViolates() throws IOException {
        List<BrokenCore> cores = BrokenCoreDetection.all();
        assertThat(cores)
                .extracting(BrokenCore::name)
                .doesNotHaveDuplicates()
                .hasSizeGreaterThanOrEqualTo(MIN_BROKEN_CORES);
        assertThat(cores)
                .allSatisfy(core ->
                        assertThat(core.expectedInvariants()).as(core.name()).isNotEmpty());
        Map<String, Detection> last = lastDetections();
        Map<String, Detection> caught = new ConcurrentSkipListMap<>();
        cores.parallelStream().forEach(core -> {
            SimulationRunner.FirstViolation found = detect(core, last.get(core.name()));
            if (found != null) {
                caught.put(
                        core.name(),
                        new Detection(found.seed(), found.invariant().label()));
                System.out.printf(
                        "broken core %-40s caught by seed %3d: %s%n",
                        core.name(), found.seed(), found.invariant().label());
            }
        });
        assertThat(cores)
                .extracting(BrokenCore::name)
                .allSatisfy(name -> assertThat(caught).containsKey(name));
        if (Boolean.getBoolean("flotilla.rewrite")) {
            writeDetections(caught);
        } else {
            assertThat(last.keySet()).isEqualTo(caught.keySet());
            assertThat(cores)
                    .allSatisfy(core -> assertThat(last.get(core.name()).invariant())
                            .as(core.name())
                            .isIn(core.expectedInvariants().stream()
                                    .map(Invariant::label)
                                    .toList()));
        }
    }

    private static SimulationRunner.FirstViolation detect(BrokenCore core, Detection last) {
        SimulationRunner.FirstViolation again = last == null
                ? null
                : SimulationRunner.firstViolation(
                        new SeedRange(last.seed(), last.seed()), core.variant(), core.expectedInvariants());
        return again != null
                ? again
                : SimulationRunner.firstViolation(BrokenCoreDetection.SEEDS, core.variant(), core.expectedInvariants());
    }

    private static Map<String, Detection> lastDetections() throws IOException {
        Map<String, Detection> seeds = new TreeMap<>();
        for (String line : Files.readAllLines(CAUGHT_BY)) {
            String[] parts = line.split(" ");
            seeds.put(parts[0], new Detection(Long.parseLong(parts[1]), parts[2]));
        }
        return seeds;
    }

    private static void writeDetections(Map<String, Detection> caught) throws IOException {
        StringBuilder text = new StringBuilder();
        caught.forEach((name, noted) -> text.append(name)
                .append(' ')
                .append(noted.seed())
                .append(' ')
                .append(noted.invariant())
                .append('\n'));
        Files.writeString(CAUGHT_BY, text);
    }
}
