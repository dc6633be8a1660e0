package dev.flotilla.orchestrator.journal;

import dev.flotilla.schemas.id.SiteId;
import java.time.Instant;
import java.util.List;

/**
 * The result of verifying a chapter.
 *
 * @param seq number of the record that starts it
 * @param rows rows in its checkpoint
 * @param comparison comparison with the rows that the chapter before leads to
 * @param excusedRows rows that differ because their site could not be written or their key is unreadable
 * @param differences rows that differ without such a reason; only the first ones are listed
 */
public record ChapterVerificationResult(
        long seq,
        Instant begunAt,
        long offset,
        long rows,
        CheckpointComparison comparison,
        List<SiteId> excludedSites,
        long excusedRows,
        long differentRows,
        List<String> differences) {
    /** How a checkpoint compares with the rows that the chapter before leads to. */
    public enum CheckpointComparison {
        /** There is no earlier chapter to compare it with. */
        FIRST("first"),
        SAME("same"),
        DIFFERENT("different"),
        /** The checkpoint was never completed. */
        INCOMPLETE("incomplete");

        private final String label;

        CheckpointComparison(String label) {
            this.label = label;
        }

        public String label() {
            return label;
        }
    }

    public ChapterVerificationResult {
        excludedSites = List.copyOf(excludedSites);
        differences = List.copyOf(differences);
    }
}
