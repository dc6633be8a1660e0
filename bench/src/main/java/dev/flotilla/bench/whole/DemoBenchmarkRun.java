package dev.flotilla.bench.whole;

import dev.flotilla.cli.FlotillaCommandLine;
import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.ParseResult;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

/** Result of a demonstration. */
record DemoBenchmarkRun(JsonObjectReader json, SortedMap<String, Long> records) {
    private static final int MOST_BYTES = 8 * 1024 * 1024;

    /** Runs a demonstration without failing machines. */
    static DemoBenchmarkRun run(int machines, int cap, double speed, List<String> kills)
            throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("demo");
        Path endpoints = folder.resolve("endpoints.json");
        try (LiveTopicRecordCounter counter = LiveTopicRecordCounter.start(endpoints)) {
            return new DemoBenchmarkRun(runDemo(machines, cap, speed, kills, endpoints), counter.records());
        } finally {
            Files.deleteIfExists(endpoints);
            Files.delete(folder);
        }
    }

    private static JsonObjectReader runDemo(int machines, int cap, double speed, List<String> kills, Path endpoints)
            throws IOException {
        List<String> args = new ArrayList<>(List.of(
                "demo",
                "--machines=" + machines,
                "--clusters=" + machines / 4,
                "--sites=2",
                "--cap=" + cap,
                "--fail-rate=0",
                "--speed=" + speed,
                "--endpoints=" + endpoints,
                "--json=-"));
        kills.forEach(kill -> args.add("--kill=" + kill));
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        Terminal terminal = new Terminal(new PrintWriter(out), new PrintWriter(err), 0, false, false, null);
        int exit = FlotillaCommandLine.run(terminal, args.toArray(String[]::new));
        if (exit != ExitCode.DONE && exit != ExitCode.NO) {
            throw new IOException("the demo ended with exit code " + exit + ": "
                    + err.toString().lines().reduce("", (before, line) -> line));
        }
        if (JsonReader.read(out.toString().getBytes(StandardCharsets.UTF_8), MOST_BYTES)
                        instanceof ParseResult.ParsedDocument parsedDocument
                && parsedDocument.value() instanceof JsonObjectReader json) {
            return json;
        }
        throw new IOException("the demonstration printed no JSON");
    }

    double makespan() {
        return seconds("makespanSeconds");
    }

    double ideal() {
        return seconds("idealMakespanSeconds");
    }

    /** Number of nodes above the cap that refreshed at one instant. */
    long machinesOverCap(int cap) {
        return Math.max(0, integer("maxInFlight") - cap);
    }

    /** Number of calls beyond one for each machine. */
    long secondCalls() {
        return Math.max(0, integer("refreshCalls") - integer("machines"));
    }

    /** Number of machines that did not reach their target. */
    long machinesNotUpgraded() {
        return integer("machines") - integer("succeeded");
    }

    long violations() {
        return json.get("violations") instanceof JsonValue.JsonArray found
                ? found.items().size()
                : 0;
    }

    long checks() {
        return integer("invariantsChecked");
    }

    private long integer(String name) {
        if (json.get(name) instanceof JsonValue.JsonInteger number) {
            return number.value();
        }
        throw new IllegalStateException("the demonstration's JSON has no " + name);
    }

    private double seconds(String name) {
        if (json.get(name) instanceof JsonValue.JsonDecimal number) {
            return Double.parseDouble(number.text());
        }
        return integer(name);
    }
}
