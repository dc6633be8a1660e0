package dev.flotilla.cli.campaign;

import dev.flotilla.cli.Exit;
import dev.flotilla.cli.kafka.Answer;
import dev.flotilla.cli.kafka.RowTree;
import dev.flotilla.cli.kafka.Snapshot;
import dev.flotilla.cli.kafka.Waiting;
import dev.flotilla.cli.terminal.JsonText;
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
 * @param why what the orchestrator says against it, or why nothing is known; empty where all is well
 */
record Outcome(String name, Result result, List<String> fields, String why, int exit, List<String> warnings) {
    Outcome(String name, Result result, List<String> fields, String why, int exit) {
        this(name, result, fields, why, exit, List.of());
    }

    /** In a word. */
    enum Result {
        UNCHANGED,
        CREATED,
        CHANGED,
        WRITTEN,
        REFUSED,
        NOT_APPLIED,
        SILENT
    }

    /** Nothing is to be done; null where something is. */
    static <R extends TableRow> @Nullable Outcome unchanged(Applied<R> kind, R row, Snapshot tables) {
        return row.equals(kind.accepted().apply(tables, row)) && kind.isWritten(tables, row)
                ? new Outcome(kind.name(row), Result.UNCHANGED, List.of(), "", Exit.DONE)
                : null;
    }

    static <R extends TableRow> Outcome of(Applied<R> kind, R row, Snapshot before, Answer answer, Waiting waiting) {
        String name = kind.name(row);
        R accepted = kind.accepted().apply(before, row);
        List<String> fields = accepted == null ? List.of() : RowTree.differences(accepted, row);
        return switch (answer) {
            case Answer.Taken taken ->
                new Outcome(name, accepted == null ? Result.CREATED : Result.CHANGED, fields, "", Exit.DONE);
            case Answer.Written written -> new Outcome(name, Result.WRITTEN, fields, "", Exit.DONE);
            case Answer.Refused refused ->
                new Outcome(
                        name, Result.REFUSED, fields, name + " was refused: " + Waiting.why(refused.why()), Exit.NO);
            case Answer.Malformed malformed ->
                new Outcome(name, Result.REFUSED, fields, name + ": " + malformed.why(), Exit.USAGE);
            case Answer.Silent silent ->
                new Outcome(name, Result.SILENT, fields, waiting.silence(name, silent.behind()), Exit.UNREACHABLE);
        };
    }

    /** Not written, since it is most likely a mistake. */
    static <R extends TableRow> Outcome mistaken(Applied<R> kind, R row, Snapshot before, Review review) {
        R accepted = kind.accepted().apply(before, row);
        return new Outcome(
                kind.name(row),
                Result.NOT_APPLIED,
                accepted == null ? List.of() : RowTree.differences(accepted, row),
                String.join("; ", review.mistakes()) + ". Nothing was written; --force applies it all the same",
                Exit.NO,
                review.notes());
    }

    /** The same, with what the fleet says to it, unless it was refused. */
    Outcome warning(List<String> says) {
        return result == Result.REFUSED ? this : new Outcome(name, result, fields, why, exit, List.copyOf(says));
    }

    boolean failed() {
        return !why.isEmpty();
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
                .put("why", JsonText.text(why.isEmpty() ? null : why))
                .put("warnings", JsonText.texts(warnings))
                .build();
    }
}
