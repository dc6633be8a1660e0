package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ListCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.row.JournalChapter;
import dev.flotilla.schemas.topic.TopicCatalogue;
import java.util.List;

/** JSON codec for the journal's newest chapter. */
final class JournalChapterCodec {
    static final JsonCodec<JournalChapter> CHAPTER = chapter();

    private JournalChapterCodec() {}

    private static JsonCodec<JournalChapter> chapter() {
        var part = JsonObjectCodec.<JournalChapter>of(
                "chapter",
                "A chapter of the journal: a checkpoint of all rows as of one record, and the records that follow.");
        var seq = part.required("seq", ScalarCodecs.SEQ, "The seq of the record that began it.", JournalChapter::seq);
        var begun = part.required("begun", ScalarCodecs.INSTANT, "When it began.", JournalChapter::startedAt);
        var bytes = part.required(
                "bytes",
                ScalarCodecs.SEQ,
                "The size of the records since, without the checkpoint.",
                JournalChapter::bytes);
        var offset = part.optional(
                "offset",
                ScalarCodecs.SEQ,
                "The offset of that record; absent until it is committed.",
                JournalChapter::offset);
        var rows = part.optional(
                "rows",
                ScalarCodecs.SEQ,
                "The number of rows in its checkpoint; absent until all are written.",
                JournalChapter::checkpointRows);
        var without = part.<List<SiteId>>defaulted(
                "without",
                new ListCodec<>(IdCodecs.SITE, TopicCatalogue.MAX_SITES),
                List.of(),
                "Unreadable sites: the checkpoint has no rows of them.",
                JournalChapter::excludedSites);
        var before = part.optional(
                "before", begin(), "The newest earlier chapter with a complete checkpoint.", JournalChapter::previous);
        return part.build(v -> new JournalChapter(
                v.get(seq), v.get(begun), v.get(bytes), v.get(offset), v.get(rows), v.get(without), v.get(before)));
    }

    private static JsonCodec<JournalChapter.ChapterStart> begin() {
        var part = JsonObjectCodec.<JournalChapter.ChapterStart>of("chapter-begin", "The beginning of a chapter.");
        var seq = part.required(
                "seq", ScalarCodecs.SEQ, "The seq of the record that began it.", JournalChapter.ChapterStart::seq);
        var offset = part.required(
                "offset", ScalarCodecs.SEQ, "The offset of that record.", JournalChapter.ChapterStart::offset);
        var rows = part.required(
                "rows",
                ScalarCodecs.SEQ,
                "The number of rows in its checkpoint.",
                JournalChapter.ChapterStart::checkpointRows);
        return part.build(v -> new JournalChapter.ChapterStart(v.get(seq), v.get(offset), v.get(rows)));
    }
}
