package dev.flotilla.cli.demo;

import dev.flotilla.cli.terminal.TextTable;
import dev.flotilla.simulator.play.Part;
import dev.flotilla.simulator.play.PlayResult;
import dev.flotilla.simulator.play.PlayResult.Standing;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What a person reads before and after. */
final class Summary {
    private static final int NAMED = 10;

    private Summary() {}

    /** Says before anything else what is real and what is not. */
    static String first(double speed) {
        return "This is a simulation: "
                + Part.SIMULATED.stream().map(Part::label).collect(Collectors.joining(", "))
                + " are all played inside this process, at " + number(speed)
                + " simulated seconds a second. What decides is the real core.";
    }

    static List<String> lines(Report report) {
        PlayResult result = report.result();
        List<String> lines = new ArrayList<>();
        lines.add("");
        lines.add(result.machines() + " machines in " + report.spec().clusters() + " clusters of "
                + report.spec().sites() + " sites, to " + result.target() + ": campaign " + result.campaign() + " is "
                + result.campaignState());
        lines.add("  succeeded    " + result.succeeded());
        for (Standing standing : Standing.values()) {
            if (result.count(standing) > 0) {
                lines.add(String.format(
                                Locale.ROOT,
                                "  %-12s %d",
                                standing.name().toLowerCase(Locale.ROOT),
                                result.count(standing))
                        + (standing == Standing.WAITING ? "  at " + gates(result) : ""));
            }
        }
        rest(result, lines);
        kills(report, lines);
        lines.add("");
        lines.add("In flight at most " + result.maxInFlight() + " of " + result.cap() + " nodes. "
                + result.refreshCalls() + " refresh calls, at most " + result.mostCalls() + " to one machine.");
        lines.add("Took " + number(report.makespanSeconds()) + " s; no order of starts takes less than "
                + number(report.idealSeconds()) + " s: efficiency "
                + String.format(Locale.ROOT, "%.2f", report.efficiency()));
        lines.add("Invariants: " + result.invariantsChecked() + " checks, "
                + result.violations().size() + " violations");
        result.violations()
                .forEach(violation -> lines.add("  VIOLATION of "
                        + violation.invariant().label() + " at " + violation.at() + ": " + violation.detail()));
        return lines;
    }

    private static String gates(PlayResult result) {
        Map<String, Integer> gates = new TreeMap<>();
        for (PlayResult.Rest rest : result.notSucceeded()) {
            if (rest.standing() == Standing.WAITING) {
                gates.merge(String.valueOf(rest.gate()), 1, Integer::sum);
            }
        }
        return gates.entrySet().stream()
                .map(gate -> gate.getKey() + " " + gate.getValue())
                .collect(Collectors.joining(", "));
    }

    private static void rest(PlayResult result, List<String> lines) {
        if (result.notSucceeded().isEmpty()) {
            return;
        }
        lines.add("");
        TextTable table = new TextTable("MACHINE", "OUTCOME", "GATE", "REASON", "CALLS");
        result.notSucceeded().stream()
                .limit(NAMED)
                .forEach(rest -> table.row(
                        rest.machine().toString(),
                        rest.standing().name().toLowerCase(Locale.ROOT),
                        rest.gate() == null ? "-" : rest.gate(),
                        rest.reason() == null ? "-" : rest.reason(),
                        Integer.toString(rest.calls())));
        table.lines().forEach(line -> lines.add("  " + line));
        int more = result.notSucceeded().size() - NAMED;
        if (more > 0) {
            lines.add("  and " + more + " more; --json FILE names them all");
        }
    }

    private static void kills(Report report, List<String> lines) {
        for (PlayResult.KillResult kill : report.result().kills()) {
            lines.add("");
            lines.add("Killed the " + kill.what().label() + " (" + kill.process() + ") at "
                    + number(report.scaled(kill.at())) + " s: "
                    + (kill.recovered() < 0
                            ? "not got over"
                            : "got over in " + number(kill.recovered() / 1000.0) + " simulated s"));
        }
    }

    private static String number(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : String.format(Locale.ROOT, "%.1f", value);
    }
}
