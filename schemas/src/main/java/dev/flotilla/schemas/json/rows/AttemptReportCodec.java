package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.json.codec.EnumCodec;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ListCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.json.codec.UnionCodec;
import dev.flotilla.schemas.row.AttemptFailure;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.FailureEvidence;
import java.util.List;

/** What a worker says of an attempt. */
final class AttemptReportCodec {
    private static final JsonCodec<String> BEFORE = ScalarCodecs.text(0, ScalarCodecs.MAX_TOKEN);
    private static final String BEFORE_SAYS =
            "The revision that the node showed before the call, empty for none; only where the target alone cannot tell"
                    + " what the change has done.";

    static final JsonCodec<AttemptReport> REPORT = report();

    private AttemptReportCodec() {}

    private static JsonCodec<AttemptReport> report() {
        return new UnionCodec<AttemptReport>("report", "What a worker says of an attempt.", "says", "What is said.")
                .with("stepped", AttemptReport.StepReached.class, stepped())
                .with("succeeded", AttemptReport.Succeeded.class, succeeded())
                .with("failed", AttemptReport.Failed.class, failed())
                .with(
                        "cancelled",
                        AttemptReport.Cancelled.class,
                        JsonObjectCodec.<AttemptReport.Cancelled>of("cancelled", "Not called, since it was cancelled.")
                                .build(v -> new AttemptReport.Cancelled()))
                .with(
                        "expired",
                        AttemptReport.LeaseExpired.class,
                        JsonObjectCodec.<AttemptReport.LeaseExpired>of("expired", "Not called, since it was too late.")
                                .build(v -> new AttemptReport.LeaseExpired()))
                .with("not-now", AttemptReport.Deferred.class, notNow())
                .with("outcome-unknown", AttemptReport.OutcomeUnknown.class, outcomeUnknown());
    }

    private static JsonObjectCodec<AttemptReport.StepReached> stepped() {
        var report = JsonObjectCodec.<AttemptReport.StepReached>of("stepped", "The attempt is at this step.");
        var step = report.required("step", AttemptCodecs.STEP, "The step.", AttemptReport.StepReached::step);
        var change = report.optional(
                "changeId",
                ScalarCodecs.text(0, ScalarCodecs.MAX_TOKEN),
                "The id of the change on the node, once the call is made.",
                AttemptReport.StepReached::changeId);
        var before = report.optional("before", BEFORE, BEFORE_SAYS, AttemptReport.StepReached::revisionBeforeCall);
        return report.build(v -> new AttemptReport.StepReached(v.get(step), v.get(change), v.get(before)));
    }

    private static JsonObjectCodec<AttemptReport.Succeeded> succeeded() {
        var report =
                JsonObjectCodec.<AttemptReport.Succeeded>of("succeeded", "The node proves that it is at the target.");
        var how = report.required(
                "how",
                EnumCodec.of(AttemptReport.SuccessProof.class, AttemptReport.SuccessProof::label),
                "Whether a call was needed, and whether the proof awaits the other members.",
                AttemptReport.Succeeded::proof);
        var revision = report.optional(
                "revision", ScalarCodecs.TOKEN, "The revision that the node shows.", AttemptReport.Succeeded::revision);
        var version = report.optional(
                "version",
                ScalarCodecs.TOKEN,
                "The kubelet version that the node shows.",
                AttemptReport.Succeeded::version);
        return report.build(v -> new AttemptReport.Succeeded(v.get(how), v.get(revision), v.get(version)));
    }

    private static JsonObjectCodec<AttemptReport.Failed> failed() {
        var report = JsonObjectCodec.<AttemptReport.Failed>of("failed", "The node did not come to the target.");
        var failureClass = report.required(
                "class",
                AttemptCodecs.FAILURE_CLASS,
                "What it means for another try.",
                AttemptReport.Failed::failureClass);
        var reason =
                report.required("reason", AttemptCodecs.FAILURE_REASON, "Why it failed.", AttemptReport.Failed::reason);
        var text = report.required(
                "text",
                ScalarCodecs.text(0, AttemptFailure.MAX_TEXT),
                "What the node said, cut.",
                AttemptReport.Failed::text);
        var evidence = report.optional(
                "evidence",
                evidence(),
                "What else was seen, for whoever looks into it.",
                AttemptReport.Failed::evidence);
        return report.build(
                v -> new AttemptReport.Failed(v.get(failureClass), v.get(reason), v.get(text), v.get(evidence)));
    }

    private static JsonCodec<FailureEvidence> evidence() {
        var lines = new ListCodec<>(ScalarCodecs.text(0, FailureEvidence.MAX_LINE), FailureEvidence.MAX_LINES);
        var evidence =
                JsonObjectCodec.<FailureEvidence>of("evidence", "What a failed attempt leaves. No secret is in it.");
        var node = evidence.omittedIfDefault(
                "node",
                lines,
                List.of(),
                "The conditions of the Node as they were seen last.",
                FailureEvidence::nodeConditions);
        var k8sd = evidence.omittedIfDefault(
                "k8sd",
                lines,
                List.of(),
                "The last exchanges with k8sd, the newest last.",
                FailureEvidence::k8sdExchanges);
        var left = evidence.omittedIfDefault(
                "left",
                lines,
                List.of(),
                "What was left on objects and could not be undone.",
                FailureEvidence::leftBehind);
        return evidence.build(v -> new FailureEvidence(v.get(node), v.get(k8sd), v.get(left)));
    }

    private static JsonObjectCodec<AttemptReport.Deferred> notNow() {
        var report = JsonObjectCodec.<AttemptReport.Deferred>of(
                "not-now", "Not called, since the cluster as the worker saw it forbids it now.");
        var reason = report.required(
                "reason",
                ScalarCodecs.text(0, AttemptFailure.MAX_TEXT),
                "What forbids it.",
                AttemptReport.Deferred::reason);
        return report.build(v -> new AttemptReport.Deferred(v.get(reason)));
    }

    private static JsonObjectCodec<AttemptReport.OutcomeUnknown> outcomeUnknown() {
        var report = JsonObjectCodec.<AttemptReport.OutcomeUnknown>of(
                "outcome-unknown", "Called, and neither the call's outcome nor the node's state can be told.");
        var text = report.required(
                "text",
                ScalarCodecs.text(0, AttemptFailure.MAX_TEXT),
                "What is known, cut.",
                AttemptReport.OutcomeUnknown::text);
        var change = report.optional(
                "changeId",
                ScalarCodecs.text(0, ScalarCodecs.MAX_TOKEN),
                "The id of the change on the node, where it is known.",
                AttemptReport.OutcomeUnknown::changeId);
        var before = report.optional("before", BEFORE, BEFORE_SAYS, AttemptReport.OutcomeUnknown::revisionBeforeCall);
        return report.build(v -> new AttemptReport.OutcomeUnknown(v.get(text), v.get(change), v.get(before)));
    }
}
