package dev.flotilla.orchestrator.journal;

import dev.flotilla.schemas.id.SiteId;
import java.time.Instant;
import java.util.List;

/**
 * What verifying a chapter came to.
 *
 * @param seq of the record that began it
 * @param rows in its checkpoint
 * @param compared with the rows that the chapter before leads to
 * @param excused rows that differ, of sites that could not be written or keys that cannot be read
 * @param differences rows that differ without excuse, as far as they are told
 */
public record ChapterReport(
        long seq,
        Instant begun,
        long offset,
        long rows,
        Compared compared,
        List<SiteId> without,
        long excused,
        long different,
        List<String> differences) {
    /** How a checkpoint stands to the rows that the chapter before leads to. */
    public enum Compared {
        /** There is nothing before that it could be compared with. */
        FIRST("first"),
        SAME("same"),
        DIFFERENT("different"),
        /** Its checkpoint was never finished, so it is none. */
        INCOMPLETE("incomplete");

        private final String label;

        Compared(String label) {
            this.label = label;
        }

        public String label() {
            return label;
        }
    }

    public ChapterReport {
        without = List.copyOf(without);
        differences = List.copyOf(differences);
    }
}
