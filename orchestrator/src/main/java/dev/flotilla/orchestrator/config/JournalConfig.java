package dev.flotilla.orchestrator.config;

import dev.flotilla.orchestrator.chapter.JournalChapterPolicy;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import java.time.Duration;

/**
 * How the journal is cut into chapters. It may differ between replicas: whoever leads keeps to its own.
 *
 * @param chapterMebibytes of the journal, checkpoints left out
 */
public record JournalConfig(Duration chapterEvery, int chapterMebibytes) {
    public static final JournalConfig DEFAULT =
            new JournalConfig(JournalChapterPolicy.DAILY, JournalChapterPolicy.MEBIBYTES);
    static final JsonCodec<JournalConfig> CODEC = codec();
    private static final int MOST_MEBIBYTES = 1_024 * 1_024;

    private static JsonCodec<JournalConfig> codec() {
        var it = JsonObjectCodec.<JournalConfig>of("journal", "How the journal is cut into chapters.");
        var every = it.defaulted(
                "chapterEvery",
                ScalarCodecs.duration(Duration.ofMinutes(1), Duration.ofDays(366)),
                DEFAULT.chapterEvery(),
                "A chapter begins so long after the last one: a checkpoint of all rows, and what follows.",
                JournalConfig::chapterEvery);
        var mebibytes = it.defaulted(
                "chapterMebibytes",
                ScalarCodecs.integer(1, MOST_MEBIBYTES),
                DEFAULT.chapterMebibytes(),
                "Or after so many MiB of decisions since, whichever comes first.",
                JournalConfig::chapterMebibytes);
        return it.build(v -> new JournalConfig(v.get(every), v.get(mebibytes)));
    }

    public JournalChapterPolicy chapterPolicy() {
        return JournalChapterPolicy.of(chapterEvery, chapterMebibytes);
    }
}
