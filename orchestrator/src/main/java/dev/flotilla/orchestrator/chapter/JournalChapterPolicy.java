package dev.flotilla.orchestrator.chapter;

import java.time.Duration;

/**
 * When the leader starts a new journal chapter.
 *
 * @param maxAge after this time since the last chapter started
 * @param maxBytes or after this size of the journal, not counting checkpoints
 * @param retryAfter wait after a checkpoint that could not be read
 */
public record JournalChapterPolicy(Duration maxAge, long maxBytes, Duration retryAfter) {
    public static final Duration DAILY = Duration.ofDays(1);
    public static final int MEBIBYTES = 1_024;
    private static final Duration RETRY = Duration.ofSeconds(30);
    private static final long MEBIBYTE = 1_024L * 1_024;

    public static final JournalChapterPolicy DEFAULT = of(DAILY, MEBIBYTES);

    /** The policy from the settings that an operator gives. */
    public static JournalChapterPolicy of(Duration every, int mebibytes) {
        return new JournalChapterPolicy(every, mebibytes * MEBIBYTE, RETRY);
    }
}
