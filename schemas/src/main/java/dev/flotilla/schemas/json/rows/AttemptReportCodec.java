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

/** JSON codec for a worker's report of an attempt. */
final class AttemptReportCodec {
    private static final JsonCodec<String> REVISION_BEFORE_CALL = ScalarCodecs.text(0, ScalarCodecs.MAX_TOKEN);
    private static final String REVISION_BEFORE_CALL_TEXT =
            "The revision that the node showed before the call, empty for none; only if the target alone does not show"
                    + " whether the change had an effect.";

    static final JsonCodec<AttemptReport> REPORT = report();

    private AttemptReportCodec() {}

    private static JsonCodec<AttemptReport> report() {
        return new UnionCodec<AttemptReport>("report", "A worker's report of an attempt.", "The kind of report.")
                .with("step-reached", AttemptReport.StepReached.class, stepReached())
                .with("succeeded", AttemptReport.Succeeded.class, succeeded())
                .with("failed", AttemptReport.Failed.class, failed())
                .with(
                        "cancelled",
                        AttemptReport.Cancelled.class,
                        JsonObjectCodec.<AttemptReport.Cancelled>of(
                                        "cancelled", "The call was not made, because the attempt was cancelled.")
                                .build(v -> new AttemptReport.Cancelled()))
                .with("aborted", AttemptReport.Aborted.class, aborted())
                .with(
                        "lease-expired",
                        AttemptReport.LeaseExpired.class,
                        JsonObjectCodec.<AttemptReport.LeaseExpired>of(
                                        "lease-expired",
                                        "The call was not made, because the command lease had expired.")
                                .build(v -> new AttemptReport.LeaseExpired()))
                .with(
                        "prepared",
                        AttemptReport.Prepared.class,
                        JsonObjectCodec.<AttemptReport.Prepared>of(
                                        "prepared",
                                        "What the upgrade needs is on the node, and nothing that runs was changed. Only of a"
                                                + " preparation.")
                                .build(v -> new AttemptReport.Prepared()))
                .with("deferred", AttemptReport.Deferred.class, deferred())
                .with("outcome-unknown", AttemptReport.OutcomeUnknown.class, outcomeUnknown());
    }

    private static JsonObjectCodec<AttemptReport.StepReached> stepReached() {
        var report = JsonObjectCodec.<AttemptReport.StepReached>of("step-reached", "The attempt reached this step.");
        var step = report.required("step", AttemptCodecs.STEP, "The step.", AttemptReport.StepReached::step);
        var change = report.optional(
                "changeId",
                ScalarCodecs.text(0, ScalarCodecs.MAX_TOKEN),
                "The id of the change on the node, once the call is made.",
                AttemptReport.StepReached::changeId);
        var revisionBeforeCall = report.optional(
                "revisionBeforeCall",
                REVISION_BEFORE_CALL,
                REVISION_BEFORE_CALL_TEXT,
                AttemptReport.StepReached::revisionBeforeCall);
        return report.build(v -> new AttemptReport.StepReached(v.get(step), v.get(change), v.get(revisionBeforeCall)));
    }

    private static JsonObjectCodec<AttemptReport.Succeeded> succeeded() {
        var report = JsonObjectCodec.<AttemptReport.Succeeded>of(
                "succeeded", "The node shows the target's revision and version.");
        var proof = report.required(
                "proof",
                EnumCodec.of(AttemptReport.SuccessProof.class, AttemptReport.SuccessProof::label),
                "Whether a call was needed, and whether the proof waits for the cluster's other members.",
                AttemptReport.Succeeded::proof);
        var revision = report.optional(
                "revision", ScalarCodecs.TOKEN, "The revision that the node shows.", AttemptReport.Succeeded::revision);
        var version = report.optional(
                "version",
                ScalarCodecs.TOKEN,
                "The kubelet version that the node shows.",
                AttemptReport.Succeeded::version);
        return report.build(v -> new AttemptReport.Succeeded(v.get(proof), v.get(revision), v.get(version)));
    }

    private static JsonObjectCodec<AttemptReport.Failed> failed() {
        var report = JsonObjectCodec.<AttemptReport.Failed>of(
                "failed", "The attempt failed: the node is not at the target.");
        var failureClass = report.required(
                "class",
                AttemptCodecs.FAILURE_CLASS,
                "Whether another attempt can succeed.",
                AttemptReport.Failed::failureClass);
        var reason =
                report.required("reason", AttemptCodecs.FAILURE_REASON, "Why it failed.", AttemptReport.Failed::reason);
        var text = report.required(
                "text",
                ScalarCodecs.text(0, AttemptFailure.MAX_TEXT),
                "The node's error, truncated.",
                AttemptReport.Failed::text);
        var evidence = report.optional(
                "evidence",
                evidence(),
                "Evidence for the investigation of the failure.",
                AttemptReport.Failed::evidence);
        return report.build(
                v -> new AttemptReport.Failed(v.get(failureClass), v.get(reason), v.get(text), v.get(evidence)));
    }

    private static JsonCodec<FailureEvidence> evidence() {
        var lines = new ListCodec<>(ScalarCodecs.text(0, FailureEvidence.MAX_LINE), FailureEvidence.MAX_LINES);
        var evidence = JsonObjectCodec.<FailureEvidence>of(
                "evidence", "Evidence of a failed attempt. It contains no secrets.");
        var nodeConditions = evidence.omittedIfDefault(
                "nodeConditions",
                lines,
                List.of(),
                "The last known conditions of the Node.",
                FailureEvidence::nodeConditions);
        var k8sdExchanges = evidence.omittedIfDefault(
                "k8sdExchanges",
                lines,
                List.of(),
                "The last requests to k8sd and their results, the newest last.",
                FailureEvidence::k8sdExchanges);
        var nodeUpgrade = evidence.omittedIfDefault(
                "nodeUpgrade",
                lines,
                List.of(),
                "The NodeUpgrade of the attempt and its steps, as last read.",
                FailureEvidence::nodeUpgrade);
        var leftBehind = evidence.omittedIfDefault(
                "leftBehind",
                lines,
                List.of(),
                "Annotations and cordons that could not be removed from objects.",
                FailureEvidence::leftBehind);
        return evidence.build(v -> new FailureEvidence(
                v.get(nodeConditions), v.get(k8sdExchanges), v.get(nodeUpgrade), v.get(leftBehind)));
    }

    private static JsonObjectCodec<AttemptReport.Aborted> aborted() {
        var report = JsonObjectCodec.<AttemptReport.Aborted>of(
                "aborted",
                "The call was made, and its change was aborted, because the attempt was cancelled. The node may be part-way.");
        var text = report.required(
                "text",
                ScalarCodecs.text(0, AttemptFailure.MAX_TEXT),
                "Where the change stopped, truncated.",
                AttemptReport.Aborted::text);
        return report.build(v -> new AttemptReport.Aborted(v.get(text)));
    }

    private static JsonObjectCodec<AttemptReport.Deferred> deferred() {
        var report = JsonObjectCodec.<AttemptReport.Deferred>of(
                "deferred", "The call was not made, because a precondition or check does not hold now.");
        var reason = report.required(
                "reason",
                ScalarCodecs.text(0, AttemptFailure.MAX_TEXT),
                "The precondition or check that does not hold.",
                AttemptReport.Deferred::reason);
        return report.build(v -> new AttemptReport.Deferred(v.get(reason)));
    }

    private static JsonObjectCodec<AttemptReport.OutcomeUnknown> outcomeUnknown() {
        var report = JsonObjectCodec.<AttemptReport.OutcomeUnknown>of(
                "outcome-unknown", "The call was made, but neither its outcome nor the node's state is known.");
        var text = report.required(
                "text",
                ScalarCodecs.text(0, AttemptFailure.MAX_TEXT),
                "What is known, truncated.",
                AttemptReport.OutcomeUnknown::text);
        var change = report.optional(
                "changeId",
                ScalarCodecs.text(0, ScalarCodecs.MAX_TOKEN),
                "The id of the change on the node, if it is known.",
                AttemptReport.OutcomeUnknown::changeId);
        var revisionBeforeCall = report.optional(
                "revisionBeforeCall",
                REVISION_BEFORE_CALL,
                REVISION_BEFORE_CALL_TEXT,
                AttemptReport.OutcomeUnknown::revisionBeforeCall);
        return report.build(
                v -> new AttemptReport.OutcomeUnknown(v.get(text), v.get(change), v.get(revisionBeforeCall)));
    }
}
