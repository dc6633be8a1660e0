package dev.flotilla.cli.demo;

import dev.flotilla.cli.demo.DemoResult.UnfinishedMachineState;
import dev.flotilla.cli.terminal.JsonFormatter;
import dev.flotilla.cli.terminal.TextTable;
import dev.flotilla.core.gate.GateLabel;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Text before and after a demonstration. */
final class DemoSummaryText {
    private static final int NAMED = 10;

    private DemoSummaryText() {}

    /** First line: which components are real and which are simulated. */
    static String firstLine(DemoSpec spec) {
        return "Real: " + String.join(", ", DemoComponent.real(spec)) + ", each a process. Simulated: "
                + String.join(", ", DemoComponent.simulated(spec)) + ", behind HTTPS; nodes work "
                + number(spec.sites().speed()) + " times faster than real ones.";
    }

    static List<String> lines(DemoResult result) {
        List<String> lines = new ArrayList<>();
        lines.add("");
        String machines =
                result.machines() + " machines in " + result.spec().sites().clusters() + " clusters of "
                        + result.spec().sites().sites() + " sites, ";
        lines.add(machines
                + result.campaigns().stream()
                        .map(campaign ->
                                "to " + campaign.target() + ": campaign " + campaign.name() + " is " + campaign.state())
                        .collect(Collectors.joining("; ")));
        if (result.gaveUp() != null) {
            lines.add(result.gaveUp() + ".");
        }
        lines.add("  succeeded    " + result.succeeded());
        if (result.inFlight() > 0) {
            lines.add("  in flight    " + result.inFlight());
        }
        for (UnfinishedMachineState unfinishedMachineState : UnfinishedMachineState.values()) {
            int count = result.count(unfinishedMachineState)
                    - (unfinishedMachineState == UnfinishedMachineState.WAITING ? result.inFlight() : 0);
            if (count > 0) {
                lines.add(String.format(
                                Locale.ROOT,
                                "  %-12s %d",
                                unfinishedMachineState.name().toLowerCase(Locale.ROOT),
                                count)
                        + (unfinishedMachineState == UnfinishedMachineState.WAITING ? "  at " + gates(result) : ""));
            }
        }
        result.notSucceeded().stream()
                .filter(unfinishedMachine -> GateLabel.FAILURE_COHORT.label().equals(unfinishedMachine.gate()))
                .map(unfinishedMachine -> "  " + unfinishedMachine.gateMessage())
                .distinct()
                .forEach(lines::add);
        addUnfinished(result, lines);
        if (result.wasRejected()) {
            lines.add("");
            lines.add("The policy or the campaign of the demonstration was rejected. For the reason, start it again"
                    + " with --keep, and run `flotilla rejected list` with the --bootstrap that it prints.");
        }
        addKills(result, lines);
        lines.add("");
        lines.add("In flight at most " + result.work().maxInFlight() + " of "
                + result.spec().cap() + " nodes. " + result.work().calls() + " "
                + switch (result.spec().sites().providers()) {
                    case K8SD -> "refresh calls";
                    case NODE_UPGRADE -> "Jobs";
                    case MIXED -> "refresh calls and Jobs";
                }
                + ", at most " + result.work().mostCalls() + " to one machine"
                + (result.spec().hasNodeUpgrades()
                        ? "; " + result.work().upgraderObjects() + " NodeUpgrades, one for each attempt."
                        : "."));
        lines.add(
                result.makespan() > 0
                        ? "Took " + number(result.makespan()) + " s; no order of starts takes less than "
                                + number(result.idealMakespan()) + " s: efficiency "
                                + String.format(Locale.ROOT, "%.2f", result.efficiency())
                        : "No attempt has ended.");
        lines.add("Invariants: " + result.audit().checks() + " checks by the auditor, "
                + result.audit().violations().size() + " violations"
                + (result.audit().isComplete() ? "" : "; it has not read the whole journal"));
        result.audit()
                .violations()
                .forEach(violation -> lines.add(
                        "  VIOLATION " + JsonFormatter.format(violation).strip()));
        return lines;
    }

    private static String gates(DemoResult result) {
        Map<String, Integer> gates = new TreeMap<>();
        for (DemoResult.UnfinishedMachine unfinishedMachine : result.notSucceeded()) {
            if (unfinishedMachine.state() == UnfinishedMachineState.WAITING && !unfinishedMachine.inFlight()) {
                gates.merge(unfinishedMachine.gate() == null ? "no gate" : unfinishedMachine.gate(), 1, Integer::sum);
            }
        }
        return gates.entrySet().stream()
                .map(gate -> gate.getKey() + " " + gate.getValue())
                .collect(Collectors.joining(", "));
    }

    private static void addUnfinished(DemoResult result, List<String> lines) {
        if (result.notSucceeded().isEmpty()) {
            return;
        }
        lines.add("");
        TextTable table = new TextTable("MACHINE", "OUTCOME", "GATE", "REASON", "CALLS");
        result.notSucceeded().stream()
                .limit(NAMED)
                .forEach(unfinishedMachine -> table.row(
                        unfinishedMachine.machine().toString(),
                        unfinishedMachine.inFlight()
                                ? "in flight"
                                : unfinishedMachine.state().name().toLowerCase(Locale.ROOT),
                        unfinishedMachine.gate() == null ? "-" : unfinishedMachine.gate(),
                        unfinishedMachine.reason() == null ? "-" : unfinishedMachine.reason(),
                        Integer.toString(unfinishedMachine.calls())));
        table.lines().forEach(line -> lines.add("  " + line));
        int more = result.notSucceeded().size() - NAMED;
        if (more > 0) {
            lines.add("  and " + more + " more; --json FILE names them all");
        }
    }

    private static void addKills(DemoResult result, List<String> lines) {
        for (DemoResult.KillResult kill : result.kills()) {
            Double recovered = kill.recovered();
            lines.add("");
            lines.add("Killed the " + kill.target().label() + " (" + kill.process() + ") at " + number(kill.at())
                    + " s: " + (recovered == null ? "not recovered" : "recovered in " + number(recovered) + " s"));
        }
    }

    private static String number(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : String.format(Locale.ROOT, "%.1f", value);
    }
}
