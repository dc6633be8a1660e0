package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.json.codec.Choice;
import dev.flotilla.schemas.json.codec.Codec;
import dev.flotilla.schemas.json.codec.RecordCodec;
import dev.flotilla.schemas.json.codec.Scalars;
import dev.flotilla.schemas.json.codec.UnionCodec;
import dev.flotilla.schemas.row.Failure;
import dev.flotilla.schemas.row.Report;

/** What a worker says of an attempt. */
final class ReportCodec {
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
        return report.build(v -> new Report.Stepped(v.get(step), v.get(change)));
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
        return report.build(v -> new Report.Failed(v.get(failureClass), v.get(reason), v.get(text)));
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
        return report.build(v -> new Report.OutcomeUnknown(v.get(text)));
    }
}
