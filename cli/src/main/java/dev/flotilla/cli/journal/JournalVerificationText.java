package dev.flotilla.cli.journal;

import dev.flotilla.cli.terminal.JsonFormatter;
import dev.flotilla.cli.terminal.TextTable;
import dev.flotilla.orchestrator.journal.ChapterVerificationResult;
import dev.flotilla.orchestrator.journal.JournalVerificationResult;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.List;

/** Formats the result of verifying the journal as text and as JSON. */
final class JournalVerificationText {
    private JournalVerificationText() {}

    static List<String> lines(JournalVerificationResult verdict) {
        List<String> lines = new ArrayList<>();
        lines.add(
                verdict.isIntact()
                        ? verdict.records() + " records, from " + verdict.firstSeq() + " to " + verdict.lastSeq()
                                + ": the chain is intact"
                        : verdict.records() + " records: the chain is broken at " + verdict.firstBroken() + ": "
                                + verdict.brokenReason());
        if (verdict.firstSeq() > 1) {
            lines.add("records before " + verdict.firstSeq() + " were deleted and are not verified");
        }
        if (!verdict.chapters().isEmpty()) {
            TextTable table = new TextTable("CHAPTER", "STARTED", "ROWS", "AGAINST THE ONE BEFORE");
            verdict.chapters()
                    .forEach(chapter -> table.row(
                            Long.toString(chapter.seq()),
                            chapter.begunAt().toString(),
                            Long.toString(chapter.rows()),
                            compared(chapter)));
            lines.addAll(table.lines());
            verdict.chapters().forEach(chapter -> lines.addAll(chapter.differences()));
        }
        lines.addAll(verdict.problems());
        return lines;
    }

    private static String compared(ChapterVerificationResult chapter) {
        StringBuilder text = new StringBuilder(chapter.comparison().label());
        if (chapter.differentRows() > 0) {
            text.append(" in ").append(chapter.differentRows()).append(" rows");
        }
        if (chapter.excusedRows() > 0) {
            text.append(", except ").append(chapter.excusedRows()).append(" of suspended sites or unreadable keys");
        }
        if (!chapter.excludedSites().isEmpty()) {
            text.append(", without ").append(chapter.excludedSites());
        }
        return text.toString();
    }

    static JsonObjectReader json(JournalVerificationResult verdict) {
        Long broken = verdict.firstBroken();
        return new JsonObjectReader.Builder()
                .put("records", verdict.records())
                .put("chain", broken == null ? "intact" : "broken")
                .put(
                        "firstBroken",
                        broken == null
                                ? new JsonValue.JsonNull(JsonValue.NO_LINE)
                                : new JsonValue.JsonInteger(broken, JsonValue.NO_LINE))
                .put("from", verdict.firstSeq())
                .put("to", verdict.lastSeq())
                .put(
                        "chapters",
                        JsonFormatter.list(verdict.chapters().stream()
                                .map(JournalVerificationText::json)
                                .toList()))
                .put("problems", JsonFormatter.texts(verdict.problems()))
                .build();
    }

    private static JsonValue json(ChapterVerificationResult chapter) {
        return new JsonObjectReader.Builder()
                .put("seq", chapter.seq())
                .put("startedAt", chapter.begunAt().toString())
                .put("checkpointRows", chapter.rows())
                .put("compared", chapter.comparison().label())
                .put("mismatches", chapter.differentRows())
                .put("excusedMismatches", chapter.excusedRows())
                .put(
                        "excludedSites",
                        JsonFormatter.texts(chapter.excludedSites().stream()
                                .map(SiteId::name)
                                .toList()))
                .put("differences", JsonFormatter.texts(chapter.differences()))
                .build();
    }
}
