package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.JsonFieldReader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A worker's report.
 *
 * @param type {@code stepped}, {@code outcome-unknown}, or how the attempt ended
 * @param step for a step, otherwise empty
 * @param proof for a success, otherwise empty
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

    /** Whether the call may have been made in this step. */
    public static boolean mayHaveCalled(String step) {
        return CALLED.contains(step);
    }

    /** Whether the report implies a call: a change that is polled, a node that is verified, an outcome. */
    public boolean impliesCall() {
        return (mayHaveCalled(step) && !step.equals(STARTING))
                || type.equals("outcome-unknown")
                || type.equals("aborted")
                || (type.equals("succeeded") && !proof.equals("unchanged"));
    }

    /** Whether the report ends the attempt. */
    public boolean isFinal() {
        return !type.equals("step-reached") && !type.equals("outcome-unknown");
    }
}
