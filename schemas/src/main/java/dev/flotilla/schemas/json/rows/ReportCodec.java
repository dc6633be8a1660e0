package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.json.codec.Choice;
import dev.flotilla.schemas.json.codec.Codec;
import dev.flotilla.schemas.json.codec.Lists;
import dev.flotilla.schemas.json.codec.RecordCodec;
import dev.flotilla.schemas.json.codec.Scalars;
import dev.flotilla.schemas.json.codec.UnionCodec;
import dev.flotilla.schemas.row.Evidence;
import dev.flotilla.schemas.row.Failure;
import dev.flotilla.schemas.row.Report;
import java.util.List;

/** What a worker says of an attempt. */
final class ReportCodec {
    private static final Codec<String> BEFORE = Scalars.text(0, Scalars.MAX_TOKEN);
    private static final String BEFORE_SAYS =
            "The revision that the node showed before the call, empty for none; only where the target alone cannot tell"
                    + " what the change has done.";

    static final Codec<Report> REPORT = report();

    private ReportCodec() {}

    private static Codec<Report> report() {
        return new UnionCodec<Report>("report", "What a worker says of an attempt.", "says", "What is said.")
                .with("stepped", Report.Stepped.class, stepped())
                .with("succeeded", Report.Succeeded.class, succeeded())
                .with("failed", Report.Failed.class, failed())
                .with(
                        "cancelled",
                        Report.Cancelled.class,
                        RecordCodec.<Report.Cancelled>of("cancelled", "Not called, since it was cancelled.")
                                .build(v -> new Report.Cancelled()))
                .with(
                        "expired",
                        Report.Expired.class,
                        RecordCodec.<Report.Expired>of("expired", "Not called, since it was too late.")
                                .build(v -> new Report.Expired()))
                .with("not-now", Report.NotNow.class, notNow())
                .with("outcome-unknown", Report.OutcomeUnknown.class, outcomeUnknown());
    }

    private static RecordCodec<Report.Stepped> stepped() {
        var report = RecordCodec.<Report.Stepped>of("stepped", "The attempt is at this step.");
        var step = report.required("step", AttemptCodecs.STEP, "The step.", Report.Stepped::step);
        var change = report.optional(
                "changeId",
                Scalars.text(0, Scalars.MAX_TOKEN),
                "The id of the change on the node, once the call is made.",
                Report.Stepped::changeId);
        var before = report.optional("before", BEFORE, BEFORE_SAYS, Report.Stepped::before);
        return report.build(v -> new Report.Stepped(v.get(step), v.get(change), v.get(before)));
    }

    private static RecordCodec<Report.Succeeded> succeeded() {
        var report = RecordCodec.<Report.Succeeded>of("succeeded", "The node proves that it is at the target.");
        var how = report.required(
                "how",
                Choice.of(Report.Proof.class, Report.Proof::label),
                "Whether a call was needed, and whether the proof awaits the other members.",
                Report.Succeeded::how);
        var revision = report.optional(
                "revision", Scalars.TOKEN, "The revision that the node shows.", Report.Succeeded::revision);
        var version = report.optional(
                "version", Scalars.TOKEN, "The kubelet version that the node shows.", Report.Succeeded::version);
        return report.build(v -> new Report.Succeeded(v.get(how), v.get(revision), v.get(version)));
    }

    private static RecordCodec<Report.Failed> failed() {
        var report = RecordCodec.<Report.Failed>of("failed", "The node did not come to the target.");
        var failureClass = report.required(
                "class", AttemptCodecs.FAILURE_CLASS, "What it means for another try.", Report.Failed::failureClass);
        var reason = report.required("reason", AttemptCodecs.FAILURE_REASON, "Why it failed.", Report.Failed::reason);
        var text = report.required(
                "text", Scalars.text(0, Failure.MAX_TEXT), "What the node said, cut.", Report.Failed::text);
        var evidence = report.optional(
                "evidence", evidence(), "What else was seen, for whoever looks into it.", Report.Failed::evidence);
        return report.build(v -> new Report.Failed(v.get(failureClass), v.get(reason), v.get(text), v.get(evidence)));
    }

    private static Codec<Evidence> evidence() {
        var lines = new Lists<>(Scalars.text(0, Evidence.MAX_LINE), Evidence.MAX_LINES);
        var evidence = RecordCodec.<Evidence>of("evidence", "What a failed attempt leaves. No secret is in it.");
        var node = evidence.usual(
                "node", lines, List.of(), "The conditions of the Node as they were seen last.", Evidence::node);
        var k8sd = evidence.usual(
                "k8sd", lines, List.of(), "The last exchanges with k8sd, the newest last.", Evidence::k8sd);
        var left = evidence.usual(
                "left", lines, List.of(), "What was left on objects and could not be undone.", Evidence::left);
        return evidence.build(v -> new Evidence(v.get(node), v.get(k8sd), v.get(left)));
    }

    private static RecordCodec<Report.NotNow> notNow() {
        var report = RecordCodec.<Report.NotNow>of(
                "not-now", "Not called, since the cluster as the worker saw it forbids it now.");
        var reason =
                report.required("reason", Scalars.text(0, Failure.MAX_TEXT), "What forbids it.", Report.NotNow::reason);
        return report.build(v -> new Report.NotNow(v.get(reason)));
    }

    private static RecordCodec<Report.OutcomeUnknown> outcomeUnknown() {
        var report = RecordCodec.<Report.OutcomeUnknown>of(
                "outcome-unknown", "Called, and neither the call's outcome nor the node's state can be told.");
        var text = report.required(
                "text", Scalars.text(0, Failure.MAX_TEXT), "What is known, cut.", Report.OutcomeUnknown::text);
        var change = report.optional(
                "changeId",
                Scalars.text(0, Scalars.MAX_TOKEN),
                "The id of the change on the node, where it is known.",
                Report.OutcomeUnknown::changeId);
        var before = report.optional("before", BEFORE, BEFORE_SAYS, Report.OutcomeUnknown::before);
        return report.build(v -> new Report.OutcomeUnknown(v.get(text), v.get(change), v.get(before)));
    }
}
