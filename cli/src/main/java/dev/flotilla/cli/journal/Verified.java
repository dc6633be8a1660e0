package dev.flotilla.cli.journal;

import dev.flotilla.cli.terminal.JsonText;
import dev.flotilla.cli.terminal.TextTable;
import dev.flotilla.orchestrator.journal.ChapterReport;
import dev.flotilla.orchestrator.journal.JournalVerdict;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.List;

/** What verifying the journal came to, for a person and for a program. */
final class Verified {
    private Verified() {}

    static List<String> lines(JournalVerdict verdict) {
        List<String> lines = new ArrayList<>();
        lines.add(
                verdict.isIntact()
                        ? verdict.records() + " records, from " + verdict.from() + " to " + verdict.to()
                                + ": the chain is intact"
                        : verdict.records() + " records: the chain is broken at " + verdict.firstBroken() + ": "
                                + verdict.why());
        if (verdict.from() > 1) {
            lines.add("what was deleted before " + verdict.from() + " is not verified");
        }
        if (!verdict.chapters().isEmpty()) {
            TextTable table = new TextTable("CHAPTER", "BEGUN", "ROWS", "AGAINST THE ONE BEFORE");
            verdict.chapters()
                    .forEach(chapter -> table.row(
                            Long.toString(chapter.seq()),
                            chapter.begun().toString(),
                            Long.toString(chapter.rows()),
                            compared(chapter)));
            lines.addAll(table.lines());
            verdict.chapters().forEach(chapter -> lines.addAll(chapter.differences()));
        }
        lines.addAll(verdict.problems());
        return lines;
    }

    private static String compared(ChapterReport chapter) {
        StringBuilder text = new StringBuilder(chapter.compared().label());
        if (chapter.different() > 0) {
            text.append(" in ").append(chapter.different()).append(" rows");
        }
        if (chapter.excused() > 0) {
            text.append(", but for ").append(chapter.excused()).append(" of sites away or keys unreadable");
        }
        if (!chapter.without().isEmpty()) {
            text.append(", without ").append(chapter.without());
        }
        return text.toString();
    }

    static JsonObjectReader json(JournalVerdict verdict) {
        Long broken = verdict.firstBroken();
        return new JsonObjectReader.Builder()
                .put("records", verdict.records())
                .put("chain", broken == null ? "intact" : "broken")
                .put(
                        "firstBroken",
                        broken == null ? new JsonValue.JsonNull(JsonValue.NO_LINE) : new JsonValue.JsonInteger(broken, JsonValue.NO_LINE))
                .put("from", verdict.from())
                .put("to", verdict.to())
                .put(
                        "chapters",
                        JsonText.list(
                                verdict.chapters().stream().map(Verified::json).toList()))
                .put("problems", JsonText.texts(verdict.problems()))
                .build();
    }

    private static JsonValue json(ChapterReport chapter) {
        return new JsonObjectReader.Builder()
                .put("seq", chapter.seq())
                .put("begun", chapter.begun().toString())
                .put("rows", chapter.rows())
                .put("compared", chapter.compared().label())
                .put("different", chapter.different())
                .put("excused", chapter.excused())
                .put(
                        "without",
                        JsonText.texts(
                                chapter.without().stream().map(SiteId::name).toList()))
                .put("differences", JsonText.texts(chapter.differences()))
                .build();
    }
}
