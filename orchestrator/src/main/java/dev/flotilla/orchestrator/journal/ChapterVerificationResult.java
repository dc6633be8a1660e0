package dev.flotilla.orchestrator.journal;

import dev.flotilla.schemas.id.SiteId;
import java.time.Instant;
import java.util.List;

/**
 * What verifying a chapter came to.
 *
 * @param seq of the record that began it
 * @param rows in its checkpoint
 * @param comparison with the rows that the chapter before leads to
 * @param excusedRows rows that differ, of sites that could not be written or keys that cannot be read
 * @param differences rows that differ without excuse, as far as they are told
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
    /** How a checkpoint stands to the rows that the chapter before leads to. */
    public enum CheckpointComparison {
        /** There is nothing before that it could be compared with. */
        FIRST("first"),
        SAME("same"),
        DIFFERENT("different"),
        /** Its checkpoint was never finished, so it is none. */
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
