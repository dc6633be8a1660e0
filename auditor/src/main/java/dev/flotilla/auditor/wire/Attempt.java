package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.Fields;
import dev.flotilla.auditor.json.MalformedJson;
import org.jspecify.annotations.Nullable;

/**
 * An open attempt as the status row shows it.
 *
 * @param state {@code admitted}, {@code running} or {@code unknown}
 * @param step where it runs, empty otherwise
 * @param machine null where the row does not say: earlier versions did not write it
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
        boolean cancelled,
        @Nullable Admitted machine) {
    /** The machine when it was admitted, by its cluster's name. */
    public record Admitted(String cluster, boolean controlPlane) {}

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
                row.flag("cancelled"),
                row.has("machine") ? admitted(row.in("machine")) : null);
    }

    private static Admitted admitted(Fields machine) {
        return new Admitted(machine.text("cluster"), machine.text("role").equals("control-plane"));
    }

    /** Whether its call may have been made, as far as the status tells. */
    public boolean mayHaveCalled() {
        return state.equals("unknown") || Report.mayHaveCalled(step);
    }
}
