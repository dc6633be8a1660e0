package dev.flotilla.cli.simulate;

import dev.flotilla.cli.Exit;
import dev.flotilla.cli.terminal.JsonTarget;
import dev.flotilla.cli.terminal.JsonText;
import dev.flotilla.cli.terminal.ProgressLine;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.simulator.exhaustive.Exhaustive;
import dev.flotilla.simulator.run.Variant;
import java.io.PrintWriter;
import java.util.Locale;

/** {@code simulate --exhaustive}. */
final class ExhaustiveRun {
    private final int depth;
    private final JsonTarget json;
    private final Terminal terminal;

    ExhaustiveRun(int depth, JsonTarget json, Terminal terminal) {
        this.depth = depth;
        this.json = json;
        this.terminal = terminal;
    }

    int call() {
        ProgressLine progress = new ProgressLine(terminal, "moves deep", depth);
        Exhaustive.Result result = Exhaustive.run(Variant.REAL, depth, (deep, states) -> progress.at(deep));
        progress.end();
        tell(result, json.human(terminal));
        String failed = json.write(json(result), terminal);
        if (failed != null) {
            terminal.note("flotilla simulate: " + failed);
            return Exit.USAGE;
        }
        return result.violations().isEmpty() ? Exit.DONE : Exit.NO;
    }

    private static void tell(Exhaustive.Result result, PrintWriter out) {
        out.println(String.format(
                Locale.ROOT,
                "2 leaders, 2 workers, 3 machines, one crash each: %,d states, %d moves deep%s",
                result.states(),
                result.depth(),
                result.complete() ? ", and nothing more can happen" : ""));
        out.println(String.format(
                Locale.ROOT,
                "%d violations; in %,d states every machine has succeeded",
                result.violations().size(),
                result.done()));
        for (Exhaustive.Violation violation : result.violations()) {
            out.println("  VIOLATION  " + violation.invariant().label() + ": " + violation.detail());
            violation.path().forEach(move -> out.println("      " + move));
        }
        out.flush();
    }

    private static JsonValue json(Exhaustive.Result result) {
        return new JsonObjectReader.Builder()
                .put("states", result.states())
                .put("depth", result.depth())
                .put("complete", result.complete())
                .put("done", result.done())
                .put(
                        "violations",
                        JsonText.list(result.violations().stream()
                                .map(violation -> new JsonObjectReader.Builder()
                                        .put("invariant", violation.invariant().label())
                                        .put("at", violation.path().size())
                                        .put("detail", violation.detail())
                                        .put("path", violation.path())
                                        .build())
                                .toList()))
                .build();
    }
}
