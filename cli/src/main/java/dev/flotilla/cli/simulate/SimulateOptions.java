package dev.flotilla.cli.simulate;

import dev.flotilla.simulator.exhaustive.ExhaustiveSearch;
import dev.flotilla.simulator.run.SeedRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options of a simulation, and what is wrong with them. */
final class SimulateOptions {
    private static final int MOST_RUNS = 10_000;
    private static final String CHOOSE =
            "choose one of --seeds A-B, --seed N --transcript, --broken," + " --exhaustive, --fleet FILE";

    /** What is simulated. */
    enum SimulationMode {
        SEEDS("--seeds"),
        TRANSCRIPT("--seed"),
        BROKEN("--broken"),
        EXHAUSTIVE("--exhaustive"),
        FLEET("--fleet");

        private final String option;

        SimulationMode(String option) {
            this.option = option;
        }
    }

    /** The files of a campaign against a fleet, by name. */
    record FleetSimulationFiles(
            String fleet, List<String> campaigns, @Nullable String policy, int runs) {}

    @Option(
            names = "--seeds",
            paramLabel = "A-B",
            converter = SeedRangeConverter.class,
            description = "Seeds from A to B, each a world of its own.")
    private @Nullable SeedRange seeds;

    @Option(names = "--seed", paramLabel = "N", description = "One seed; with --transcript.")
    private @Nullable Long seed;

    @Option(names = "--transcript", description = "Tell the whole story of the seed, the same text in every JVM.")
    private boolean transcript;

    @Option(names = "--broken", description = "Run the cores that are broken on purpose.")
    private boolean broken;

    @Option(names = "--fleet", paramLabel = "FILE", description = "A fleet, described in YAML.")
    private @Nullable String fleet;

    @Option(names = "--campaign", paramLabel = "FILE", description = "A campaign for that fleet. May be repeated.")
    private List<String> campaigns = List.of();

    @Option(
            names = "--policy",
            paramLabel = "FILE",
            description = "The fleet's policy. Default: a cap of a tenth of the machines.")
    private @Nullable String policy;

    @Option(
            names = "--runs",
            paramLabel = "N",
            description = "How often, each time with other durations. Default: 200.")
    private @Nullable Integer runs;

    @Option(
            names = "--exhaustive",
            description =
                    "Go through all that may happen in a small world: 2 leaders, 2 workers, 3 machines, one crash each.")
    private boolean exhaustive;

    @Option(
            names = "--depth",
            paramLabel = "N",
            description = "So many moves deep. Default: " + ExhaustiveSearch.DEPTH + ".")
    private @Nullable Integer depth;

    /** Everything that is wrong with them. */
    List<String> problems(@Nullable String json) {
        List<String> problems = new ArrayList<>();
        List<SimulationMode> ways = ways();
        if (ways.isEmpty()) {
            problems.add(CHOOSE);
        }
        if (ways.size() > 1) {
            problems.add(String.join(
                            " and ",
                            ways.stream()
                                    .map(simulationMode -> simulationMode.option)
                                    .toList()) + " do not go together: " + CHOOSE);
        }
        if (seeds != null && (seeds.count() < 1 || seeds.first() < 1)) {
            problems.add("--seeds " + seeds.first() + "-" + seeds.last()
                    + ": must be from a smaller to a larger number," + " beginning at 1 or more");
        }
        if ((seed != null) != transcript) {
            problems.add(
                    transcript
                            ? "--transcript: say of which world with --seed N"
                            : "--seed " + seed + ": add --transcript");
        }
        if (depth != null && !exhaustive) {
            problems.add("--depth " + depth + ": goes with --exhaustive");
        }
        if (depth != null && depth < 1) {
            problems.add("--depth " + depth + ": must be 1 or more");
        }
        ofFleet(problems);
        if (json != null) {
            problems.add(json);
        }
        return problems;
    }

    private void ofFleet(List<String> problems) {
        if (fleet != null && campaigns.isEmpty()) {
            problems.add("--fleet " + fleet + ": add at least one --campaign FILE");
        }
        if (fleet == null) {
            for (String campaign : campaigns) {
                problems.add("--campaign " + campaign + ": say for which fleet with --fleet FILE");
            }
            if (policy != null) {
                problems.add("--policy " + policy + ": say for which fleet with --fleet FILE");
            }
            if (runs != null) {
                problems.add("--runs " + runs + ": goes with --fleet FILE");
            }
        }
        if (runs != null && (runs < 1 || runs > MOST_RUNS)) {
            problems.add("--runs " + runs + ": must be from 1 to " + MOST_RUNS);
        }
    }

    private List<SimulationMode> ways() {
        List<SimulationMode> ways = new ArrayList<>();
        if (seeds != null) {
            ways.add(SimulationMode.SEEDS);
        }
        if (seed != null || transcript) {
            ways.add(SimulationMode.TRANSCRIPT);
        }
        if (broken) {
            ways.add(SimulationMode.BROKEN);
        }
        if (exhaustive) {
            ways.add(SimulationMode.EXHAUSTIVE);
        }
        if (fleet != null) {
            ways.add(SimulationMode.FLEET);
        }
        return ways;
    }

    /** The only way; there must be no problem. */
    SimulationMode mode() {
        return ways().get(0);
    }

    SeedRange seeds() {
        return Objects.requireNonNull(seeds);
    }

    long seed() {
        return Objects.requireNonNull(seed);
    }

    int depth() {
        return depth == null ? ExhaustiveSearch.DEPTH : depth;
    }

    FleetSimulationFiles files() {
        return new FleetSimulationFiles(
                Objects.requireNonNull(fleet), List.copyOf(campaigns), policy, runs == null ? 200 : runs);
    }

    /** Reads {@code A-B}, or one seed alone. */
    static final class SeedRangeConverter implements ITypeConverter<SeedRange> {
        @Override
        public SeedRange convert(String text) {
            int dash = text.indexOf('-', 1);
            try {
                long first = Long.parseLong(dash < 0 ? text : text.substring(0, dash));
                return new SeedRange(first, dash < 0 ? first : Long.parseLong(text.substring(dash + 1)));
            } catch (NumberFormatException e) {
                throw new TypeConversionException("must be two numbers such as 1-200, not " + text);
            }
        }
    }
}
