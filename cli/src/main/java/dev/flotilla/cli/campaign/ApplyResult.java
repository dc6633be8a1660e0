package dev.flotilla.cli.campaign;

import dev.flotilla.cli.kafka.RowJson;
import dev.flotilla.cli.kafka.SubmissionResult;
import dev.flotilla.cli.kafka.TableSnapshot;
import dev.flotilla.cli.kafka.WaitOption;
import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.JsonFormatter;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.row.TableRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Result of applying one row.
 *
 * @param fields fields that differ from the accepted row, if there was one
 * @param warnings what the operator should know about the written row
 * @param message why the row was rejected, not written or not answered; empty if it was applied
 */
record ApplyResult(
        String name, ApplyAction result, List<String> fields, String message, int exit, List<String> warnings) {
    ApplyResult(String name, ApplyAction applyAction, List<String> fields, String why, int exit) {
        this(name, applyAction, fields, why, exit, List.of());
    }

    /** What happened to the row. */
    enum ApplyAction {
        UNCHANGED,
        CREATED,
        CHANGED,
        WRITTEN,
        REJECTED,
        NOT_APPLIED,
        SILENT
    }

    /** Result for a row that changes nothing; null if the row must be written. */
    static <R extends TableRow> @Nullable ApplyResult unchanged(ManifestKind<R> kind, R row, TableSnapshot tables) {
        return row.equals(kind.acceptedRow().apply(tables, row)) && kind.isWritten(tables, row)
                ? new ApplyResult(kind.name(row), ApplyAction.UNCHANGED, List.of(), "", ExitCode.DONE)
                : null;
    }

    static <R extends TableRow> ApplyResult of(
            ManifestKind<R> kind,
            R row,
            TableSnapshot before,
            SubmissionResult submissionResult,
            WaitOption waitOption) {
        String name = kind.name(row);
        R accepted = kind.acceptedRow().apply(before, row);
        List<String> fields = accepted == null ? List.of() : RowJson.differences(accepted, row);
        return switch (submissionResult) {
            case SubmissionResult.RowAccepted rowAccepted ->
                new ApplyResult(
                        name, accepted == null ? ApplyAction.CREATED : ApplyAction.CHANGED, fields, "", ExitCode.DONE);
            case SubmissionResult.WrittenWithoutWaiting writtenWithoutWaiting ->
                new ApplyResult(name, ApplyAction.WRITTEN, fields, "", ExitCode.DONE);
            case SubmissionResult.RowRejected rowRejected ->
                new ApplyResult(
                        name,
                        ApplyAction.REJECTED,
                        fields,
                        name + " was rejected: " + WaitOption.describeRejection(rowRejected.rejection()),
                        ExitCode.NO);
            case SubmissionResult.RowInvalid rowInvalid ->
                new ApplyResult(name, ApplyAction.REJECTED, fields, name + ": " + rowInvalid.defects(), ExitCode.USAGE);
            case SubmissionResult.OrchestratorSilent orchestratorSilent ->
                new ApplyResult(
                        name,
                        ApplyAction.SILENT,
                        fields,
                        waitOption.describeTimeout(name, orchestratorSilent.openTransaction()),
                        ExitCode.UNREACHABLE);
        };
    }

    /** Result for a row that was not written because it is probably a mistake. */
    static <R extends TableRow> ApplyResult mistaken(
            ManifestKind<R> kind, R row, TableSnapshot before, ManifestReview manifestReview) {
        R accepted = kind.acceptedRow().apply(before, row);
        return new ApplyResult(
                kind.name(row),
                ApplyAction.NOT_APPLIED,
                accepted == null ? List.of() : RowJson.differences(accepted, row),
                String.join("; ", manifestReview.mistakes()) + ". Nothing was written: correct the file, or use"
                        + " --force to apply it anyway",
                ExitCode.NO,
                manifestReview.notes());
    }

    /** Adds warnings, unless the row was rejected. */
    ApplyResult withWarnings(List<String> added) {
        return result == ApplyAction.REJECTED
                ? this
                : new ApplyResult(name, result, fields, message, exit, List.copyOf(added));
    }

    boolean failed() {
        return !message.isEmpty();
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(name + ": "
                + switch (result) {
                    case UNCHANGED -> "unchanged";
                    case CREATED -> "created, accepted";
                    case CHANGED -> "changed, accepted";
                    case WRITTEN -> "written, answer not waited for";
                    case REJECTED -> "rejected";
                    case NOT_APPLIED -> "not applied";
                    case SILENT -> "written, no answer yet";
                });
        fields.forEach(field -> lines.add("  " + field));
        return lines;
    }

    JsonValue json() {
        return new JsonObjectReader.Builder()
                .put("name", name.substring(name.indexOf(' ') + 1))
                .put("result", result.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                .put("fields", fields)
                .put("reason", JsonFormatter.text(message.isEmpty() ? null : message))
                .put("warnings", JsonFormatter.texts(warnings))
                .build();
    }
}
