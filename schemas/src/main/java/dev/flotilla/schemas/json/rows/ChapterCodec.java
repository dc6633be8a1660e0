package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.codec.Codec;
import dev.flotilla.schemas.json.codec.Lists;
import dev.flotilla.schemas.json.codec.RecordCodec;
import dev.flotilla.schemas.json.codec.Scalars;
import dev.flotilla.schemas.row.Chapter;
import dev.flotilla.schemas.topic.Topics;
import java.util.List;

/** Where the journal's newest chapter stands. */
final class ChapterCodec {
    static final Codec<Chapter> CHAPTER = chapter();

    private ChapterCodec() {}

    private static Codec<Chapter> chapter() {
        var part = RecordCodec.<Chapter>of(
                "chapter", "A chapter of the journal: a checkpoint of all rows after one record, and what follows it.");
        var seq = part.required("seq", Scalars.SEQ, "The record that began it.", Chapter::seq);
        var begun = part.required("begun", Scalars.INSTANT, "When that was.", Chapter::begun);
        var bytes = part.required(
                "bytes", Scalars.SEQ, "Of the journal's records since, without the checkpoint.", Chapter::bytes);
        var offset = part.optional(
                "offset", Scalars.SEQ, "Where that record stands; absent until it is committed.", Chapter::offset);
        var rows =
                part.optional("rows", Scalars.SEQ, "In its checkpoint; absent until all are written.", Chapter::rows);
        var without = part.<List<SiteId>>defaulted(
                "without",
                new Lists<>(Ids.SITE, Topics.MAX_SITES),
                List.of(),
                "Sites that could not be read: the checkpoint has no rows of them.",
                Chapter::without);
        var before = part.optional(
                "before", begin(), "The newest chapter before it whose checkpoint is whole.", Chapter::before);
        return part.build(v -> new Chapter(
                v.get(seq), v.get(begun), v.get(bytes), v.get(offset), v.get(rows), v.get(without), v.get(before)));
    }

    private static Codec<Chapter.Begin> begin() {
        var part = RecordCodec.<Chapter.Begin>of("chapter-begin", "Where a chapter begins.");
        var seq = part.required("seq", Scalars.SEQ, "The record that began it.", Chapter.Begin::seq);
        var offset = part.required("offset", Scalars.SEQ, "Where that record stands.", Chapter.Begin::offset);
        var rows = part.required("rows", Scalars.SEQ, "In its checkpoint.", Chapter.Begin::rows);
        return part.build(v -> new Chapter.Begin(v.get(seq), v.get(offset), v.get(rows)));
    }
}
