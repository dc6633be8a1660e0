package dev.flotilla.orchestrator.journal;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What verifying a journal came to.
 *
 * @param from the first record that was verified; what was deleted before it was not
 * @param firstBroken the first record at which the chain does not hold; null where it holds
 * @param why it does not
 * @param problems with its chapters
 */
public record JournalVerdict(
        long records,
        long from,
        long to,
        @Nullable Long firstBroken,
        String why,
        List<ChapterReport> chapters,
        List<String> problems) {
    public JournalVerdict {
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
