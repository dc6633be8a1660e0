package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.JsonFieldReader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a worker says.
 *
 * @param type {@code step-reached}, {@code outcome-unknown}, or how the attempt ended
 * @param step of a step, empty otherwise
 * @param proof of a success, empty otherwise
 */
public record AttemptReport(
        String type,
        String step,
        @Nullable String changeId,
        String proof,
        @Nullable String revision,
        @Nullable String version) {
    public static final String STARTING = "starting";
    private static final List<String> CALLED =
            List.of(STARTING, "refreshing", "api-unreachable", "verifying", "uncordoning");

    static AttemptReport read(JsonFieldReader report) {
        String type = report.text("type");
        return new AttemptReport(
                type,
                type.equals("step-reached") ? report.text("step") : "",
                report.textOr("changeId", null),
                type.equals("succeeded") ? report.text("proof") : "",
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
    public boolean impliesCall() {
        return (mayHaveCalled(step) && !step.equals(STARTING))
                || type.equals("outcome-unknown")
                || (type.equals("succeeded") && !proof.equals("unchanged"));
    }

    /** Whether it ends the attempt. */
    public boolean isFinal() {
        return !type.equals("step-reached") && !type.equals("outcome-unknown");
    }
}
