package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.Fields;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a worker says.
 *
 * @param says {@code stepped}, {@code outcome-unknown}, or how the attempt ended
 * @param step of a step, empty otherwise
 * @param how of a success, empty otherwise
 */
public record Report(
        String says,
        String step,
        @Nullable String changeId,
        String how,
        @Nullable String revision,
        @Nullable String version) {
    public static final String STARTING = "starting";
    private static final List<String> CALLED = List.of(STARTING, "refreshing", "api-away", "verifying", "uncordoning");

    static Report read(Fields report) {
        String says = report.text("says");
        return new Report(
                says,
                says.equals("stepped") ? report.text("step") : "",
                report.textOr("changeId", null),
                says.equals("succeeded") ? report.text("how") : "",
                report.textOr("revision", null),
                report.textOr("version", null));
    }

    public boolean isStep(String name) {
        return step.equals(name);
    }

    /** Whether in this step the call may have been made. */
    public static boolean mayHaveCalled(String step) {
        return CALLED.contains(step);
    }

    /** Whether it tells of a call that was made: a change that is watched, a node that is verified, an outcome. */
    public boolean tellsOfCall() {
        return (mayHaveCalled(step) && !step.equals(STARTING))
                || says.equals("outcome-unknown")
                || (says.equals("succeeded") && !how.equals("unchanged"));
    }

    /** Whether it ends the attempt. */
    public boolean ends() {
        return !says.equals("stepped") && !says.equals("outcome-unknown");
    }
}
