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
        var startedAt = part.required("startedAt", ScalarCodecs.INSTANT, "When it began.", JournalChapter::startedAt);
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
        var checkpointRows = part.optional(
                "checkpointRows",
                ScalarCodecs.SEQ,
                "The number of rows in its checkpoint; absent until all are written.",
                JournalChapter::checkpointRows);
        var excludedSites = part.<List<SiteId>>defaulted(
                "excludedSites",
                new ListCodec<>(IdCodecs.SITE, TopicCatalogue.MAX_SITES),
                List.of(),
                "Unreadable sites: the checkpoint has no rows of them.",
                JournalChapter::excludedSites);
        var previous = part.optional(
                "previous",
                start(),
                "The newest earlier chapter with a complete checkpoint.",
                JournalChapter::previous);
        return part.build(v -> new JournalChapter(
                v.get(seq),
                v.get(startedAt),
                v.get(bytes),
                v.get(offset),
                v.get(checkpointRows),
                v.get(excludedSites),
                v.get(previous)));
    }

    private static JsonCodec<JournalChapter.ChapterStart> start() {
        var part = JsonObjectCodec.<JournalChapter.ChapterStart>of("chapter-start", "The beginning of a chapter.");
        var seq = part.required(
                "seq", ScalarCodecs.SEQ, "The seq of the record that began it.", JournalChapter.ChapterStart::seq);
        var offset = part.required(
                "offset", ScalarCodecs.SEQ, "The offset of that record.", JournalChapter.ChapterStart::offset);
        var checkpointRows = part.required(
                "checkpointRows",
                ScalarCodecs.SEQ,
                "The number of rows in its checkpoint.",
                JournalChapter.ChapterStart::checkpointRows);
        return part.build(v -> new JournalChapter.ChapterStart(v.get(seq), v.get(offset), v.get(checkpointRows)));
    }
}
