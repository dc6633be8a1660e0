package dev.flotilla.core;

import dev.flotilla.schemas.id.EntityKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.TimeZoneRules;
import dev.flotilla.schemas.topic.Table;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a decision is asked about. Time comes with it; nothing in the core looks at a clock. */
public sealed interface DecisionInput {
    Instant at();

    /**
     * An input table's row is new, or gone. The partition and offset say where it stands.
     *
     * @param defect what whoever read it knows to be wrong with it, as the row that says so; null for nothing
     */
    record RecordReceived(
            RowChange change,
            int partition,
            long offset,
            @Nullable RejectedRecord defect,
            Instant at) implements DecisionInput {
        /** One with which nothing is known to be wrong. */
        public RecordReceived(RowChange rowChange, int partition, long offset, Instant at) {
            this(rowChange, partition, offset, null, at);
        }
    }

    /** A record of an input table cannot be read. */
    record RecordUnreadable(RejectedRecord rejected, Instant at) implements DecisionInput {}

    /** What is due about something could not be decided, by a bug, more than once. */
    record SubjectParked(EntityKey subject, String problem, Instant at) implements DecisionInput {}

    /** A site's heartbeat came, after it had been missed or for the first time. */
    record HeartbeatResumed(SiteId site, Instant at) implements DecisionInput {}

    /** A site's heartbeat has been missed for too long. */
    record HeartbeatLost(SiteId site, Instant at) implements DecisionInput {}

    /** A site's topics can be read and written again. */
    record SiteReachable(SiteId site, Instant at) implements DecisionInput {}

    /**
     * A site's topics cannot be used.
     *
     * @param reason why, in words; null where nobody says
     * @param lostTables those of its tables that were created again or lost records: they cannot be used before they are adopted
     */
    record SiteUnreachable(SiteId site, @Nullable String reason, List<Table> lostTables, Instant at)
            implements DecisionInput {
        public SiteUnreachable {
            lostTables = List.copyOf(lostTables);
        }

        /** Its topics cannot be read or written now. */
        public SiteUnreachable(SiteId site, Instant at) {
            this(site, null, List.of(), at);
        }
    }

    /** The leader's clock and the broker's were compared. */
    record ClockCompared(boolean agrees, Instant at) implements DecisionInput {}

    /** What the clocks of a time zone show, as far as that is known here. */
    record TimeZoneRead(TimeZoneRules rules, Instant at) implements DecisionInput {}

    /** A leader begins its term: the rows are all read, nothing has been decided since. */
    record LeaderElected(Instant at) implements DecisionInput {}

    /** The journal is to begin a chapter; the rows of these sites cannot be read into its checkpoint. */
    record ChapterDue(List<SiteId> excludedSites, Instant at) implements DecisionInput {}

    /** Rows of the checkpoint have been read. They go into the journal alone: they stand in the tables already. */
    record CheckpointPartRead(Instant at) implements DecisionInput {}

    /** All rows of the checkpoint are in the journal. */
    record CheckpointCompleted(long checkpointRows, Instant at) implements DecisionInput {}

    /** Is there anything to do by itself by now? Asked again and again until there is not. */
    record TimePassed(Instant at) implements DecisionInput {}
}
