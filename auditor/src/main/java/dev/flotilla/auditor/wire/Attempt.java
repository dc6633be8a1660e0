package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.Fields;
import dev.flotilla.auditor.json.MalformedJson;

/**
 * An open attempt as the status row shows it.
 *
 * @param state {@code admitted}, {@code running} or {@code unknown}
 * @param step where it runs, empty otherwise
 * @param until of an unknown one since when, else its end or deadline
 */
public record Attempt(
        long number,
        Driver driver,
        String target,
        String state,
        String step,
        long until,
        long since,
        boolean cancelled) {
    static Attempt read(Fields row) {
        Fields state = row.in("state");
        String is = state.text("is");
        String step = switch (is) {
            case "admitted", "unknown" -> "";
            case "running" -> state.text("step");
            default -> throw new MalformedJson("has the unknown attempt state \"" + is + "\"");
        };
        long until = state.instant(is.equals("admitted") ? "notAfter" : is.equals("running") ? "deadline" : "since");
        return new Attempt(
                row.number("number"),
                Driver.read(row.in("driver")),
                row.text("target"),
                is,
                step,
                until,
                row.instant("since"),
                row.flag("cancelled"));
    }

    /** Whether its call may have been made, as far as the status tells. */
    public boolean mayHaveCalled() {
        return state.equals("unknown") || Report.mayHaveCalled(step);
    }
}
