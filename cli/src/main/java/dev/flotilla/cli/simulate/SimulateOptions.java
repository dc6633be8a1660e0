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

/** Options of a simulation and their validation. */
final class SimulateOptions {
    private static final int MOST_RUNS = 10_000;
    private static final String CHOOSE =
            "choose one of --seeds A-B, --seed N --transcript, --broken," + " --exhaustive, --fleet FILE";

    /** Kinds of simulation. */
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

    /** Files of a virtual rollout. */
    record FleetSimulationFiles(
            String fleet, List<String> campaigns, @Nullable String policy, int runs) {}

    @Option(
            names = "--seeds",
            paramLabel = "A-B",
            converter = SeedRangeConverter.class,
            description = "Run the seeds from A to B, each a world of its own.")
    private @Nullable SeedRange seeds;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Run one seed and print its transcript (requires" + " --transcript).")
    private @Nullable Long seed;

    @Option(
            names = "--transcript",
            description = "Print everything that happens in the seed's world; the text is" + " identical in every JVM.")
    private boolean transcript;

    @Option(names = "--broken", description = "Run the broken cores and report which ones the invariants catch.")
    private boolean broken;

    @Option(names = "--fleet", paramLabel = "FILE", description = "Fleet description, YAML or JSON.")
    private @Nullable String fleet;

    @Option(names = "--campaign", paramLabel = "FILE", description = "Campaign for that fleet. May be repeated.")
    private List<String> campaigns = List.of();

    @Option(
            names = "--policy",
            paramLabel = "FILE",
            description = "Policy of the fleet. Default: a cap of a tenth of the machines.")
    private @Nullable String policy;

    @Option(
            names = "--runs",
            paramLabel = "N",
            description = "Number of virtual rollouts, each with other durations. Default: 200.")
    private @Nullable Integer runs;

    @Option(
            names = "--exhaustive",
            description =
                    "Explore all interleavings of a model with 2 leaders, 2 workers and 3 machines, one crash each.")
    private boolean exhaustive;

    @Option(
            names = "--depth",
            paramLabel = "N",
            description = "Depth in transitions. Default: " + ExhaustiveSearch.DEPTH + ".")
    private @Nullable Integer depth;

    /** Finds problems of the options. */
    List<String> problems(@Nullable String json) {
        List<String> problems = new ArrayList<>();
        List<SimulationMode> ways = chosenModes();
        if (ways.isEmpty()) {
            problems.add(CHOOSE);
        }
        if (ways.size() > 1) {
            problems.add(String.join(
                            " and ",
                            ways.stream()
                                    .map(simulationMode -> simulationMode.option)
                                    .toList()) + " cannot be combined: " + CHOOSE);
        }
        if (seeds != null && (seeds.count() < 1 || seeds.first() < 1)) {
            problems.add("--seeds " + seeds.first() + "-" + seeds.last()
                    + " is not a range: write a smaller and a larger number," + " starting at 1 or more");
        }
        if ((seed != null) != transcript) {
            problems.add(transcript ? "--transcript needs --seed N" : "--seed " + seed + " needs --transcript");
        }
        if (depth != null && !exhaustive) {
            problems.add("--depth " + depth + " needs --exhaustive");
        }
        if (depth != null && depth < 1) {
            problems.add("--depth " + depth + " is too small: use at least 1");
        }
        addFleetProblems(problems);
        if (json != null) {
            problems.add(json);
        }
        return problems;
    }

    private void addFleetProblems(List<String> problems) {
        if (fleet != null && campaigns.isEmpty()) {
            problems.add("--fleet " + fleet + " needs at least one --campaign FILE");
        }
        if (fleet == null) {
            for (String campaign : campaigns) {
                problems.add("--campaign " + campaign + " needs --fleet FILE");
            }
            if (policy != null) {
                problems.add("--policy " + policy + " needs --fleet FILE");
            }
            if (runs != null) {
                problems.add("--runs " + runs + " needs --fleet FILE");
            }
        }
        if (runs != null && (runs < 1 || runs > MOST_RUNS)) {
            problems.add("--runs " + runs + " is out of range: use 1 to " + MOST_RUNS);
        }
    }

    private List<SimulationMode> chosenModes() {
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

    /** The chosen kind; call it only if there are no problems. */
    SimulationMode mode() {
        return chosenModes().get(0);
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

    /** Parses {@code A-B}, or a single seed. */
    static final class SeedRangeConverter implements ITypeConverter<SeedRange> {
        @Override
        public SeedRange convert(String text) {
            int dash = text.indexOf('-', 1);
            try {
                long first = Long.parseLong(dash < 0 ? text : text.substring(0, dash));
                return new SeedRange(first, dash < 0 ? first : Long.parseLong(text.substring(dash + 1)));
            } catch (NumberFormatException e) {
                throw new TypeConversionException(
                        "\"" + text + "\" is not a range of seeds: write two numbers such" + " as 1-200");
            }
        }
    }
}
