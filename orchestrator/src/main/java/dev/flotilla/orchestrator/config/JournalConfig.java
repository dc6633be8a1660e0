package dev.flotilla.orchestrator.config;

import dev.flotilla.orchestrator.chapter.JournalChapterPolicy;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import java.time.Duration;

/**
 * How the journal is divided into chapters. Replicas may differ: the leader uses its own setting.
 *
 * @param chapterMebibytes journal size without checkpoints
 */
public record JournalConfig(Duration chapterEvery, int chapterMebibytes) {
    public static final JournalConfig DEFAULT =
            new JournalConfig(JournalChapterPolicy.DAILY, JournalChapterPolicy.MEBIBYTES);
    static final JsonCodec<JournalConfig> CODEC = codec();
    private static final int MAX_MEBIBYTES = 1_024 * 1_024;

    private static JsonCodec<JournalConfig> codec() {
        var it = JsonObjectCodec.<JournalConfig>of("journal", "How the journal is divided into chapters.");
        var every = it.defaulted(
                "chapterEvery",
                ScalarCodecs.duration(Duration.ofMinutes(1), Duration.ofDays(366)),
                DEFAULT.chapterEvery(),
                "Start a chapter, which begins with a checkpoint of all rows, this long after the last one.",
                JournalConfig::chapterEvery);
        var mebibytes = it.defaulted(
                "chapterMebibytes",
                ScalarCodecs.integer(1, MAX_MEBIBYTES),
                DEFAULT.chapterMebibytes(),
                "Or after this many MiB of decisions since the last one, whichever comes first.",
                JournalConfig::chapterMebibytes);
        return it.build(v -> new JournalConfig(v.get(every), v.get(mebibytes)));
    }

    public JournalChapterPolicy chapterPolicy() {
        return JournalChapterPolicy.of(chapterEvery, chapterMebibytes);
    }
}
