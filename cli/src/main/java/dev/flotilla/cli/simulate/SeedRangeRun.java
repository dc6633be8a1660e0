package dev.flotilla.cli.simulate;

import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.JsonFileOption;
import dev.flotilla.cli.terminal.JsonFormatter;
import dev.flotilla.cli.terminal.ProgressLine;
import dev.flotilla.cli.terminal.SimulatedTimeParser;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.simulator.check.InvariantViolation;
import dev.flotilla.simulator.run.SeedRange;
import dev.flotilla.simulator.run.SimulationReport;
import dev.flotilla.simulator.run.SimulationRunner;
import dev.flotilla.simulator.run.SystemUnderTest;
import java.io.PrintWriter;
import java.util.Locale;

/** {@code simulate --seeds}. */
final class SeedRangeRun {
    private final SeedRange range;
    private final JsonFileOption json;
    private final Terminal terminal;

    SeedRangeRun(SeedRange range, JsonFileOption json, Terminal terminal) {
        this.range = range;
        this.json = json;
        this.terminal = terminal;
    }

    int call() {
        ProgressLine progress = new ProgressLine(terminal, "seeds", range.count());
        SimulationReport report = SimulationRunner.run(range, SystemUnderTest.REAL, progress::update);
        progress.end();
        print(report, json.humanOutput(terminal));
        String failed = json.write(json(report), terminal);
        if (failed != null) {
            terminal.note("flotilla simulate: " + failed);
            return ExitCode.USAGE;
        }
        return report.isClean() ? ExitCode.DONE : ExitCode.NO;
    }

    private static void print(SimulationReport report, PrintWriter out) {
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
        for (InvariantViolation invariantViolation : report.violations()) {
            out.println("  VIOLATION  seed " + invariantViolation.seed() + "  " + invariantViolation.virtualTime()
                    + "  " + invariantViolation.invariant().label() + ": " + invariantViolation.detail());
        }
        for (SimulationReport.StuckMachine stuckMachine : report.stuck()) {
            out.println("  STUCK  seed " + stuckMachine.seed() + "  " + stuckMachine.machine() + "  "
                    + stuckMachine.gate());
        }
        long seed = report.violations().isEmpty()
                ? report.stuck().isEmpty() ? -1 : report.stuck().get(0).seed()
                : report.violations().get(0).seed();
        if (seed >= 0) {
            out.println("To see what happened: flotilla simulate --seed " + seed + " --transcript");
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
                        JsonFormatter.list(report.violations().stream()
                                .map(invariantViolation -> new JsonObjectReader.Builder()
                                        .put("seed", invariantViolation.seed())
                                        .put(
                                                "invariant",
                                                invariantViolation.invariant().label())
                                        .put(
                                                "at",
                                                JsonFormatter.number(
                                                        SimulatedTimeParser.seconds(invariantViolation.virtualTime())))
                                        .put("detail", invariantViolation.detail())
                                        .build())
                                .toList()))
                .put(
                        "stuck",
                        JsonFormatter.list(report.stuck().stream()
                                .map(stuckMachine -> new JsonObjectReader.Builder()
                                        .put("seed", stuckMachine.seed())
                                        .put("machine", stuckMachine.machine())
                                        .put("gate", stuckMachine.gate())
                                        .build())
                                .toList()))
                .put("seconds", JsonFormatter.number(report.seconds()))
                .build();
    }
}
