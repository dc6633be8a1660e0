package dev.flotilla.cli.simulate;

import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.JsonFileOption;
import dev.flotilla.cli.terminal.JsonFormatter;
import dev.flotilla.cli.terminal.ProgressLine;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.cli.terminal.TextTable;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.simulator.broken.BrokenCore;
import dev.flotilla.simulator.broken.BrokenCoreDetection;
import dev.flotilla.simulator.broken.BrokenCoreReport;
import dev.flotilla.simulator.broken.DetectedBrokenCore;
import java.io.PrintWriter;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** {@code simulate --broken}. */
final class BrokenCoresRun {
    private final JsonFileOption json;
    private final Terminal terminal;

    BrokenCoresRun(JsonFileOption json, Terminal terminal) {
        this.json = json;
        this.terminal = terminal;
    }

    int call() {
        ProgressLine progress = new ProgressLine(
                terminal, "broken cores caught", BrokenCoreDetection.all().size());
        AtomicLong caught = new AtomicLong();
        BrokenCoreReport report =
                BrokenCoreDetection.run(BrokenCoreDetection.SEEDS, one -> progress.update(caught.incrementAndGet()));
        progress.end();
        print(report, json.humanOutput(terminal));
        String failed = json.write(json(report), terminal);
        if (failed != null) {
            terminal.note("flotilla simulate: " + failed);
            return ExitCode.USAGE;
        }
        return report.uncaught().isEmpty() ? ExitCode.DONE : ExitCode.NO;
    }

    private static void print(BrokenCoreReport report, PrintWriter out) {
        TextTable table = new TextTable("BROKEN", "CAUGHT BY SEED", "INVARIANT", "DEFECT");
        for (DetectedBrokenCore one : report.caught()) {
            table.row(one.name(), Long.toString(one.seed()), one.invariant(), one.defect());
        }
        for (BrokenCore one : report.uncaught()) {
            table.row(one.name(), "NOT CAUGHT", "-", one.defect());
        }
        table.lines().forEach(out::println);
        out.println(report.caught().size() + " caught, " + report.uncaught().size() + " not caught, within seeds "
                + BrokenCoreDetection.SEEDS.first() + " to " + BrokenCoreDetection.SEEDS.last());
        out.flush();
    }

    private static JsonValue json(BrokenCoreReport report) {
        return new JsonObjectReader.Builder()
                .put(
                        "broken",
                        JsonFormatter.list(Stream.concat(
                                        report.caught().stream().map(BrokenCoresRun::caught),
                                        report.uncaught().stream().map(BrokenCoresRun::uncaught))
                                .toList()))
                .put(
                        "uncaught",
                        report.uncaught().stream().map(BrokenCore::name).toList())
                .build();
    }

    private static JsonValue caught(DetectedBrokenCore one) {
        return new JsonObjectReader.Builder()
                .put("name", one.name())
                .put("what", one.defect())
                .put("caughtBySeed", one.seed())
                .put("invariant", one.invariant())
                .build();
    }

    private static JsonValue uncaught(BrokenCore one) {
        return new JsonObjectReader.Builder()
                .put("name", one.name())
                .put("what", one.defect())
                .put("caughtBySeed", JsonFormatter.text(null))
                .put("invariant", JsonFormatter.text(null))
                .build();
    }
}
