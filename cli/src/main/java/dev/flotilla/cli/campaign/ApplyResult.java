package dev.flotilla.cli.campaign;

import dev.flotilla.cli.ExitCode;
import dev.flotilla.cli.kafka.RowJson;
import dev.flotilla.cli.kafka.SubmissionResult;
import dev.flotilla.cli.kafka.TableSnapshot;
import dev.flotilla.cli.kafka.WaitOption;
import dev.flotilla.cli.terminal.JsonFormatter;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.row.TableRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What came of applying one row.
 *
 * @param fields those that are not as they were, of a row that was there before
 * @param warnings what the fleet says to what was written
 * @param message what the orchestrator says against it, or why nothing is known; empty where all is well
 */
record ApplyResult(
        String name, ApplyAction result, List<String> fields, String message, int exit, List<String> warnings) {
    ApplyResult(String name, ApplyAction applyAction, List<String> fields, String why, int exit) {
        this(name, applyAction, fields, why, exit, List.of());
    }

    /** In a word. */
    enum ApplyAction {
        UNCHANGED,
        CREATED,
        CHANGED,
        WRITTEN,
        REFUSED,
        NOT_APPLIED,
        SILENT
    }

    /** Nothing is to be done; null where something is. */
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
                        ApplyAction.REFUSED,
                        fields,
                        name + " was refused: " + WaitOption.describeRejection(rowRejected.rejection()),
                        ExitCode.NO);
            case SubmissionResult.RowInvalid rowInvalid ->
                new ApplyResult(name, ApplyAction.REFUSED, fields, name + ": " + rowInvalid.defects(), ExitCode.USAGE);
            case SubmissionResult.OrchestratorSilent orchestratorSilent ->
                new ApplyResult(
                        name,
                        ApplyAction.SILENT,
                        fields,
                        waitOption.describeTimeout(name, orchestratorSilent.openTransaction()),
                        ExitCode.UNREACHABLE);
        };
    }

    /** Not written, since it is most likely a mistake. */
    static <R extends TableRow> ApplyResult mistaken(
            ManifestKind<R> kind, R row, TableSnapshot before, ManifestReview manifestReview) {
        R accepted = kind.acceptedRow().apply(before, row);
        return new ApplyResult(
                kind.name(row),
                ApplyAction.NOT_APPLIED,
                accepted == null ? List.of() : RowJson.differences(accepted, row),
                String.join("; ", manifestReview.mistakes()) + ". Nothing was written; --force applies it all the same",
                ExitCode.NO,
                manifestReview.notes());
    }

    /** The same, with what the fleet says to it, unless it was refused. */
    ApplyResult warning(List<String> says) {
        return result == ApplyAction.REFUSED
                ? this
                : new ApplyResult(name, result, fields, message, exit, List.copyOf(says));
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
                    case WRITTEN -> "written, not waited for";
                    case REFUSED -> "refused";
                    case NOT_APPLIED -> "not applied";
                    case SILENT -> "written, not answered";
                });
        fields.forEach(field -> lines.add("  " + field));
        return lines;
    }

    JsonValue json() {
        return new JsonObjectReader.Builder()
                .put("name", name.substring(name.indexOf(' ') + 1))
                .put("result", result.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                .put("fields", fields)
                .put("why", JsonFormatter.text(message.isEmpty() ? null : message))
                .put("warnings", JsonFormatter.texts(warnings))
                .build();
    }
}
