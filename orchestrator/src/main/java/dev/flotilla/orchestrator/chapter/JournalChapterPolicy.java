package dev.flotilla.orchestrator.chapter;

import java.time.Duration;

/**
 * When the journal begins a chapter.
 *
 * @param maxAge so long after the last one
 * @param maxBytes or after so much of the journal, checkpoints left out
 * @param retryAfter so long after a checkpoint that could not be read
 */
public record JournalChapterPolicy(Duration maxAge, long maxBytes, Duration retryAfter) {
    public static final Duration DAILY = Duration.ofDays(1);
    public static final int MEBIBYTES = 1_024;
    private static final Duration RETRY = Duration.ofSeconds(30);
    private static final long MEBIBYTE = 1_024L * 1_024;

    public static final JournalChapterPolicy USUAL = of(DAILY, MEBIBYTES);

    /** As an operator says it. */
    public static JournalChapterPolicy of(Duration every, int mebibytes) {
        return new JournalChapterPolicy(every, mebibytes * MEBIBYTE, RETRY);
    }
}
