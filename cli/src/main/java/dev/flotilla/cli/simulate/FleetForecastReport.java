package dev.flotilla.cli.simulate;

import dev.flotilla.cli.terminal.JsonFormatter;
import dev.flotilla.cli.terminal.TextTable;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.simulator.check.Invariant;
import dev.flotilla.simulator.rollout.VirtualFleet;
import dev.flotilla.simulator.rollout.VirtualRolloutResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Report of many virtual rollouts of campaigns on a described fleet, as text and as JSON. */
final class FleetForecastReport {
    private static final double MILLIS = 1000;

    private final VirtualFleet fleet;
    private final FleetSimulationBatch runs;
    private final FleetSimulationBatch following;
    private final int cap;
    private final long ideal;
    private final boolean several;
    private final VirtualRolloutResult median;

    /** Makes the report of some runs, validated by as many further runs. */
    FleetForecastReport(
            VirtualFleet fleet,
            FleetSimulationBatch runs,
            FleetSimulationBatch following,
            int cap,
            long ideal,
            boolean several) {
        this.following = following;
        this.fleet = fleet;
        this.runs = runs;
        this.cap = cap;
        this.ideal = ideal;
        this.several = several;
        this.median = runs.percentile(50).result();
    }

    /** Violations: machines in flight, counted independently, above the cap. */
    List<String> violations() {
        int peak = Math.max(runs.peakInFlight(), following.peakInFlight());
        return peak > cap ? List.of(peak + " machines in flight, but the cap is " + cap) : List.of();
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "%,d machines in %,d clusters of %d %s, at most %,d in flight; %d runs, the median run is shown",
                fleet.machines(),
                fleet.clusters().size(),
                fleet.sites().size(),
                fleet.sites().size() == 1 ? "site" : "sites",
                cap,
                runs.count()));
        TextTable table = new TextTable("WAVE", "MACHINES", "STARTS", "ENDS");
        for (VirtualRolloutResult.WaveSpan wave : median.waves()) {
            table.row(
                    name(wave),
                    Integer.toString(wave.machines()),
                    format(wave.startMillis()),
                    format(wave.endMillis()));
        }
        table.lines().forEach(line -> lines.add("  " + line));
        lines.add("Takes " + format(percentileMillis(50)) + " at the median and " + format(percentileMillis(90))
                + " at the 90th percentile; no order of starts takes less than " + format(ideal) + ".");
        lines.add(String.format(
                Locale.ROOT,
                "Of %d further runs, %.0f%% end no later than the median and %.0f%% no later than the 90th percentile"
                        + " (50%% and 90%% are expected).",
                following.count(),
                following.runsWithin(percentileMillis(50)),
                following.runsWithin(percentileMillis(90))));
        lines.add("In flight at most " + runs.peakInFlight() + ". " + runs.completeRuns() + " of " + runs.count()
                + " runs end with no machine waiting.");
        median.waiting()
                .forEach(
                        (gate, machines) -> lines.add("  " + machines + " machines wait at gate" + " " + gate.label()));
        violations().forEach(violation -> lines.add("VIOLATION of " + Invariant.CAPS.label() + ": " + violation));
        return lines;
    }

    JsonValue json() {
        List<JsonValue> waves = new ArrayList<>();
        for (VirtualRolloutResult.WaveSpan wave : median.waves()) {
            waves.add(new JsonObjectReader.Builder()
                    .put("name", name(wave))
                    .put("machines", wave.machines())
                    .put("startSeconds", seconds(wave.startMillis()))
                    .put("endSeconds", seconds(wave.endMillis()))
                    .build());
        }
        List<JsonValue> waiting = new ArrayList<>();
        median.waiting()
                .forEach((gate, machines) -> waiting.add(new JsonObjectReader.Builder()
                        .put("gate", gate.label())
                        .put("machines", machines)
                        .build()));
        List<JsonValue> broken = new ArrayList<>();
        violations()
                .forEach(violation -> broken.add(new JsonObjectReader.Builder()
                        .put("invariant", Invariant.CAPS.label())
                        .put("detail", violation)
                        .build()));
        return new JsonObjectReader.Builder()
                .put("machines", fleet.machines())
                .put("cap", cap)
                .put("runs", runs.count())
                .put("completeRuns", runs.completeRuns())
                .put("waves", JsonFormatter.list(waves))
                .put(
                        "makespanSeconds",
                        new JsonObjectReader.Builder()
                                .put("p50", seconds(percentileMillis(50)))
                                .put("p90", seconds(percentileMillis(90)))
                                .build())
                .put(
                        "coveragePercent",
                        new JsonObjectReader.Builder()
                                .put("runs", following.count())
                                .put("p50", JsonFormatter.number(following.runsWithin(percentileMillis(50))))
                                .put("p90", JsonFormatter.number(following.runsWithin(percentileMillis(90))))
                                .build())
                .put("idealMakespanSeconds", seconds(ideal))
                .put("peakInFlight", runs.peakInFlight())
                .put("waiting", JsonFormatter.list(waiting))
                .put("violations", JsonFormatter.list(broken))
                .build();
    }

    private long percentileMillis(int percent) {
        return runs.percentile(percent).result().makespanMillis();
    }

    private String name(VirtualRolloutResult.WaveSpan wave) {
        return several ? wave.campaign() + "/" + wave.wave() : wave.wave();
    }

    private static JsonValue seconds(long millis) {
        return millis < 0 ? JsonFormatter.text(null) : JsonFormatter.number(millis / MILLIS);
    }

    /** A duration such as {@code 1h27m39s}. */
    private static String format(long millis) {
        if (millis < 0) {
            return "-";
        }
        Duration duration = Duration.ofSeconds(Math.round(millis / MILLIS));
        return duration.toString().substring("PT".length()).toLowerCase(Locale.ROOT);
    }
}
