package dev.flotilla.orchestrator.journal;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of verifying a journal.
 *
 * @param firstSeq the first record that was verified; deleted records before it were not
 * @param firstBroken the first record at which the hash chain is broken; null if it is intact
 * @param brokenReason why it is broken
 * @param problems problems of its chapters
 */
public record JournalVerificationResult(
        long records,
        long firstSeq,
        long lastSeq,
        @Nullable Long firstBroken,
        String brokenReason,
        List<ChapterVerificationResult> chapters,
        List<String> problems) {
    public JournalVerificationResult {
        chapters = List.copyOf(chapters);
        problems = List.copyOf(problems);
    }

    public boolean isIntact() {
        return firstBroken == null;
    }

    /** Whether the chain and all chapters are valid. */
    public boolean holds() {
        return isIntact() && problems.isEmpty();
    }
}
