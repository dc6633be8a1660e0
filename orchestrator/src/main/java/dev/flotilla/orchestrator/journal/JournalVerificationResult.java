package dev.flotilla.orchestrator.journal;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What verifying a journal came to.
 *
 * @param firstSeq the first record that was verified; what was deleted before it was not
 * @param firstBroken the first record at which the chain does not hold; null where it holds
 * @param brokenReason it does not
 * @param problems with its chapters
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

    /** Whether the chain and all chapters are as they should be. */
    public boolean holds() {
        return isIntact() && problems.isEmpty();
    }
}
