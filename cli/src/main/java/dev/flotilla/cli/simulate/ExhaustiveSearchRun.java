package dev.flotilla.cli.simulate;

import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.JsonFileOption;
import dev.flotilla.cli.terminal.JsonFormatter;
import dev.flotilla.cli.terminal.ProgressLine;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.simulator.exhaustive.ExhaustiveSearch;
import dev.flotilla.simulator.run.SystemUnderTest;
import java.io.PrintWriter;
import java.util.Locale;

/** {@code simulate --exhaustive}. */
final class ExhaustiveSearchRun {
    private final int depth;
    private final JsonFileOption json;
    private final Terminal terminal;

    ExhaustiveSearchRun(int depth, JsonFileOption json, Terminal terminal) {
        this.depth = depth;
        this.json = json;
        this.terminal = terminal;
    }

    int call() {
        ProgressLine progress = new ProgressLine(terminal, "transitions deep", depth);
        ExhaustiveSearch.ExhaustiveSearchResult exhaustiveSearchResult =
                ExhaustiveSearch.run(SystemUnderTest.REAL, depth, (deep, states) -> progress.update(deep));
        progress.end();
        print(exhaustiveSearchResult, json.humanOutput(terminal));
        String failed = json.write(json(exhaustiveSearchResult), terminal);
        if (failed != null) {
            terminal.note("flotilla simulate: " + failed);
            return ExitCode.USAGE;
        }
        return exhaustiveSearchResult.violations().isEmpty() ? ExitCode.DONE : ExitCode.NO;
    }

    private static void print(ExhaustiveSearch.ExhaustiveSearchResult exhaustiveSearchResult, PrintWriter out) {
        out.println(String.format(
                Locale.ROOT,
                "2 leaders, 2 workers, 3 machines, one crash each: %,d states, %d transitions deep%s",
                exhaustiveSearchResult.states(),
                exhaustiveSearchResult.depth(),
                exhaustiveSearchResult.complete() ? ", all states explored" : ""));
        out.println(String.format(
                Locale.ROOT,
                "%d violations; %s",
                exhaustiveSearchResult.violations().size(),
                describeDone(exhaustiveSearchResult.done())));
        for (ExhaustiveSearch.ModelViolation modelViolation : exhaustiveSearchResult.violations()) {
            out.println("  VIOLATION  " + modelViolation.invariant().label() + ": " + modelViolation.detail());
            modelViolation.path().forEach(move -> out.println("      " + move));
        }
        out.flush();
    }

    private static String describeDone(long done) {
        return done == 0
                ? "no state at this depth has every machine succeeded"
                : String.format(Locale.ROOT, "in %,d states every machine has succeeded", done);
    }

    private static JsonValue json(ExhaustiveSearch.ExhaustiveSearchResult exhaustiveSearchResult) {
        return new JsonObjectReader.Builder()
                .put("states", exhaustiveSearchResult.states())
                .put("depth", exhaustiveSearchResult.depth())
                .put("complete", exhaustiveSearchResult.complete())
                .put("done", exhaustiveSearchResult.done())
                .put(
                        "violations",
                        JsonFormatter.list(exhaustiveSearchResult.violations().stream()
                                .map(modelViolation -> new JsonObjectReader.Builder()
                                        .put(
                                                "invariant",
                                                modelViolation.invariant().label())
                                        .put("at", modelViolation.path().size())
                                        .put("detail", modelViolation.detail())
                                        .put("path", modelViolation.path())
                                        .build())
                                .toList()))
                .build();
    }
}
