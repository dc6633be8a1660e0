package dev.flotilla.orchestrator.journal;

import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.RowChange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A decision of the journal that this version does not make in the same way.
 *
 * @param record the journal's record
 * @param newDecision describes the decision of this version
 * @param rows the rows that differ; empty if the decision itself is another
 */
public record DecisionDifference(JournalRecord record, Kind kind, String newDecision, List<RowDifference> rows) {
    /** What differs. */
    public enum Kind {
        /** This version does not make the recorded decision. */
        NOT_DECIDED("not-decided"),
        /** This version makes another decision before the recorded one. */
        ANOTHER_FIRST("another-first"),
        /** This version makes another decision after the recorded one, where the journal has none. */
        ANOTHER_AFTER("another-after"),
        /** This version writes other rows. */
        OTHER_ROWS("other-rows"),
        /** This version writes the same rows and gives another reason. */
        OTHER_REASON("other-reason"),
        /** This version fails because of a bug. */
        FAILURE("failure");

        private final String label;

        Kind(String label) {
            this.label = label;
        }

        public String label() {
            return label;
        }
    }

    /**
     * A row that differs.
     *
     * @param recorded as the journal has it; null if the journal does not change it
     * @param now as this version decides; null if this version does not change it
     */
    public record RowDifference(
            @Nullable RowChange recorded, @Nullable RowChange now) {}

    public DecisionDifference {
        rows = List.copyOf(rows);
    }
}
