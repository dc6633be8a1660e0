package dev.flotilla.nodeupgrader.report;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.nodeupgrader.contract.StepState;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.RedactedText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The state of an upgrade as the node's files show it.
 *
 * @param at when it was read, by the node's clock, which may be wrong; or when it was seen first, by this process's clock
 * @param message what the step that failed has written for people; empty if it has not
 */
public record NodeReport(Instant at, List<StepReport> steps, String message) {
    private static final int MAX_MESSAGE = 300;
    private static final Pattern STEP = Pattern.compile("([A-Z][a-z]+) (\\d{1,12}) (\\d{1,3}) (-|\\d{1,3})");

    public NodeReport {
        steps = List.copyOf(steps);
    }

    /** Parses a report that {@code step.sh} has written; null if the text is none. */
    public static @Nullable NodeReport parse(@Nullable String text) {
        KubeObject report = KubeObject.parse(text);
        return report == null ? null : read(report);
    }

    /** Reads a report; null if the object is none. */
    public static @Nullable NodeReport read(KubeObject report) {
        Long now = report.number("now");
        if (now == null || !report.has("steps")) {
            return null;
        }
        List<StepReport> steps = new ArrayList<>();
        JsonObjectReader all = report.object("steps").json();
        for (int i = 0; i < all.size(); i++) {
            StepReport step = readStep(all.name(i), report.text("steps", all.name(i)));
            if (step == null) {
                return null;
            }
            steps.add(step);
        }
        String message = report.text("message");
        return new NodeReport(
                Instant.ofEpochSecond(now), steps, message == null ? "" : RedactedText.redact(message, MAX_MESSAGE));
    }

    private static @Nullable StepReport readStep(String name, @Nullable String text) {
        Matcher parts = STEP.matcher(text == null ? "" : text);
        StepState state = parts.matches() ? StepState.find(parts.group(1)) : null;
        if (state == null) {
            return null;
        }
        long since = Long.parseLong(parts.group(2));
        return new StepReport(
                name,
                state,
                since == 0 ? null : Instant.ofEpochSecond(since),
                Integer.parseInt(parts.group(3)),
                parts.group(4).equals("-") ? null : Long.valueOf(parts.group(4)));
    }

    /** Returns this report with another time. */
    public NodeReport withTime(Instant time) {
        return new NodeReport(time, steps, message);
    }

    /** Returns the first step in a state. */
    public Optional<StepReport> firstIn(StepState state) {
        return steps.stream().filter(step -> step.state() == state).findFirst();
    }

    /** Whether all steps have succeeded. */
    public boolean isComplete() {
        return steps.stream().allMatch(step -> step.state() == StepState.SUCCEEDED);
    }
}
