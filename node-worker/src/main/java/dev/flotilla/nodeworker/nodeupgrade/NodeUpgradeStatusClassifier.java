package dev.flotilla.nodeworker.nodeupgrade;

import dev.flotilla.core.upgrade.ChangeStatus;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.RedactedText;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Says what the status of a NodeUpgrade means. Another controller writes it, so any field may be missing or wrong: what the
 * contract does not allow is described, and never taken for an end.
 */
final class NodeUpgradeStatusClassifier {
    /** A controller that works on a NodeUpgrade writes a heartbeat more often, and the API server may be away for a while. */
    private static final Duration SILENCE = Duration.ofMinutes(2);

    private static final String SUCCEEDED = "Succeeded";
    private static final String RUNNING = "Running";
    private static final String FAILED = "Failed";
    private static final int MAX_TEXT = 1_000;

    private NodeUpgradeStatusClassifier() {}

    /** Classifies the status of an object. */
    public static ChangeStatus classify(KubeObject object, Instant now) {
        String shown = show(object);
        JsonValue phase = object.valueAt("status", "phase");
        if (phase == null) {
            return classifyRunning(object, shown + " has no status.phase yet", now);
        }
        return switch (phase instanceof JsonValue.JsonString text ? text.value() : "") {
            case "Pending" -> classifyRunning(object, shown + " is Pending", now);
            case RUNNING ->
                classifyRunning(
                        object,
                        RedactedText.redact(
                                shown + " is Running" + describeStep(object, RUNNING) + describeFailure(object),
                                MAX_TEXT),
                        now);
            // The node itself is verified afterwards.
            case SUCCEEDED -> new ChangeStatus.ChangeDone();
            case FAILED -> classifyFailure(object, shown);
            case "Aborted" ->
                new ChangeStatus.ChangeAborted(RedactedText.redact(
                        shown + " was aborted" + describeStep(object, FAILED) + describeFailure(object), MAX_TEXT));
            default ->
                new ChangeStatus.StatusUnavailable(shown + " has status.phase " + RedactedText.redact("phase", phase)
                        + ", which is none of Pending, Running, Succeeded, Failed and Aborted");
        };
    }

    private static ChangeStatus classifyRunning(KubeObject object, String text, Instant now) {
        JsonValue written = object.valueAt("status", "lastHeartbeat");
        Instant heartbeat = object.instant("status", "lastHeartbeat");
        Instant latest = now.plus(SILENCE);
        if (written != null && (heartbeat == null || heartbeat.isAfter(latest))) {
            return new ChangeStatus.StatusUnavailable(text + ", with status.lastHeartbeat "
                    + RedactedText.redact("lastHeartbeat", written)
                    + (heartbeat == null ? ", which is not a date and time" : ", which is in the future"));
        }
        Instant createdAt = object.instant("metadata", "creationTimestamp");
        Instant since = heartbeat == null ? createdAt : heartbeat;
        if (since != null && !since.plus(SILENCE).isBefore(now)) {
            return new ChangeStatus.InProgress(text);
        }
        return new ChangeStatus.StatusUnavailable(text
                + (heartbeat == null
                        ? ", and its controller has written no heartbeat: is it running?"
                        : ", and its controller has written no heartbeat since " + heartbeat));
    }

    private static ChangeStatus classifyFailure(KubeObject object, String shown) {
        JsonValue retryable = object.valueAt("status", "retryable");
        boolean isTerminal = retryable instanceof JsonValue.JsonBoolean flag && !flag.value();
        String note = retryable == null || retryable instanceof JsonValue.JsonBoolean
                ? ""
                : "; status.retryable is " + RedactedText.redact("retryable", retryable)
                        + ", which is not a boolean, and is taken for true";
        return failed(
                isTerminal ? FailureClass.TERMINAL : FailureClass.RETRYABLE,
                shown + " has failed" + describeStep(object, FAILED) + describeFailure(object) + note);
    }

    private static ChangeStatus failed(FailureClass failureClass, String text) {
        return new ChangeStatus.ChangeFailed(
                failureClass, FailureReason.NODE_UPGRADE_FAILED, RedactedText.redact(text, MAX_TEXT));
    }

    private static String describeFailure(KubeObject object) {
        String reason = object.text("status", "failureReason");
        String message = object.text("status", "failureMessage");
        return (reason == null || reason.isEmpty() ? "" : ": " + RedactedText.redact(reason))
                + (message == null || message.isEmpty() ? "" : ": " + RedactedText.redact(message, MAX_TEXT));
    }

    /** Names the first step in a state, if there is one. */
    private static String describeStep(KubeObject object, String state) {
        for (KubeObject step : object.list("status", "steps")) {
            String name = step.text("name");
            if (name != null && state.equals(step.text("state"))) {
                Long exitCode = step.number("exitCode");
                return " at step " + RedactedText.redact(name)
                        + (exitCode == null ? "" : " (exit code " + exitCode + ")");
            }
        }
        return "";
    }

    /** Describes an object and its steps for people, one line each. */
    public static List<String> describe(KubeObject object) {
        List<String> lines = new ArrayList<>();
        lines.add(show(object) + ": " + orMissing(object, "phase") + describeFailure(object) + ", observed version "
                + orMissing(object, "observedVersion") + ", last heartbeat " + orMissing(object, "lastHeartbeat"));
        for (KubeObject step : object.list("status", "steps")) {
            Long exitCode = step.number("exitCode");
            lines.add("step " + RedactedText.redact(String.valueOf(step.text("name"))) + ": "
                    + RedactedText.redact(String.valueOf(step.text("state")))
                    + (exitCode == null ? "" : ", exit code " + exitCode));
        }
        return lines;
    }

    private static String orMissing(KubeObject object, String field) {
        JsonValue value = object.valueAt("status", field);
        return value == null ? "missing" : RedactedText.redact(field, value);
    }

    private static String show(KubeObject object) {
        String kind = object.text("kind");
        return (kind == null ? "NodeUpgrade" : RedactedText.redact(kind)) + " " + object.name();
    }
}
