package dev.flotilla.cli.simulate;

import dev.flotilla.cli.Exit;
import dev.flotilla.cli.terminal.JsonTarget;
import dev.flotilla.cli.terminal.JsonText;
import dev.flotilla.cli.terminal.ProgressLine;
import dev.flotilla.cli.terminal.SimulatedClock;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.simulator.check.Violation;
import dev.flotilla.simulator.run.SeedRange;
import dev.flotilla.simulator.run.Simulation;
import dev.flotilla.simulator.run.SimulationReport;
import dev.flotilla.simulator.run.Stuck;
import dev.flotilla.simulator.run.Variant;
import java.io.PrintWriter;
import java.util.Locale;

/** {@code simulate --seeds}. */
final class SeedsRun {
    private final SeedRange range;
    private final JsonTarget json;
    private final Terminal terminal;

    SeedsRun(SeedRange range, JsonTarget json, Terminal terminal) {
        this.range = range;
        this.json = json;
        this.terminal = terminal;
    }

    int call() {
        ProgressLine progress = new ProgressLine(terminal, "seeds", range.count());
        SimulationReport report = Simulation.run(range, Variant.REAL, progress::at);
        progress.end();
        tell(report, json.human(terminal));
        String failed = json.write(json(report), terminal);
        if (failed != null) {
            terminal.note("flotilla simulate: " + failed);
            return Exit.USAGE;
        }
        return report.good() ? Exit.DONE : Exit.NO;
    }

    private static void tell(SimulationReport report, PrintWriter out) {
        out.println(String.format(
                Locale.ROOT,
                "%,d seeds in %.1f s: %,d events, %,d attempts, %,d crashes",
                report.seeds(),
                report.seconds(),
                report.events(),
                report.attempts(),
                report.crashes()));
        out.println(
                report.violations().size() + " violations, " + report.stuck().size() + " stuck");
        for (Violation violation : report.violations()) {
            out.println("  VIOLATION  seed " + violation.seed() + "  " + violation.at() + "  "
                    + violation.invariant().label() + ": " + violation.detail());
        }
        for (Stuck stuck : report.stuck()) {
            out.println("  STUCK  seed " + stuck.seed() + "  " + stuck.machine() + "  " + stuck.gate());
        }
        long seed = report.violations().isEmpty()
                ? report.stuck().isEmpty() ? -1 : report.stuck().get(0).seed()
                : report.violations().get(0).seed();
        if (seed >= 0) {
            out.println("Its story: flotilla simulate --seed " + seed + " --transcript");
        }
        out.flush();
    }

    private static JsonValue json(SimulationReport report) {
        return new JsonObjectReader.Builder()
                .put("seeds", report.seeds())
                .put("events", report.events())
                .put("attempts", report.attempts())
                .put("crashes", report.crashes())
                .put(
                        "violations",
                        JsonText.list(report.violations().stream()
                                .map(violation -> new JsonObjectReader.Builder()
                                        .put("seed", violation.seed())
                                        .put("invariant", violation.invariant().label())
                                        .put("at", JsonText.number(SimulatedClock.seconds(violation.at())))
                                        .put("detail", violation.detail())
                                        .build())
                                .toList()))
                .put(
                        "stuck",
                        JsonText.list(report.stuck().stream()
                                .map(stuck -> new JsonObjectReader.Builder()
                                        .put("seed", stuck.seed())
                                        .put("machine", stuck.machine())
                                        .put("gate", stuck.gate())
                                        .build())
                                .toList()))
                .put("seconds", JsonText.number(report.seconds()))
                .build();
    }
}
