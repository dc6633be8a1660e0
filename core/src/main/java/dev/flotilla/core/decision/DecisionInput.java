package dev.flotilla.core.decision;

import dev.flotilla.schemas.id.EntityKey;
import dev.flotilla.schemas.id.RejectedRecordKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.TimeZoneRules;
import dev.flotilla.schemas.topic.RecordKeyFormat;
import dev.flotilla.schemas.topic.Topic;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An input of a decision. It carries the time; the core never reads a clock. */
public sealed interface DecisionInput {
    Instant at();

    /**
     * A row of an input table was written or deleted, at a partition and offset.
     *
     * @param defect the rejected record that says what is wrong with the row; null if nothing is known to be wrong
     */
    record RecordReceived(
            RowChange change,
            int partition,
            long offset,
            @Nullable RejectedRecord defect,
            Instant at) implements DecisionInput {
        /** A row with no known defect. */
        public RecordReceived(RowChange rowChange, int partition, long offset, Instant at) {
            this(rowChange, partition, offset, null, at);
        }

        /** The key that the record has in table {@code rejected} if it is rejected. */
        public RejectedRecordKey rejectedRecordKey() {
            RowKey rowKey = change.rowKey();
            String key = RecordKeyFormat.print(rowKey);
            return new RejectedRecordKey(
                    new Topic(rowKey.table(), RecordKeyFormat.siteOf(rowKey)).name(),
                    partition,
                    key == null ? "" : key);
        }
    }

    /** A record of an input table is unreadable. */
    record RecordUnreadable(RejectedRecord rejected, Instant at) implements DecisionInput {}

    /** The due work of a subject failed more than once because of a bug. */
    record SubjectParked(EntityKey subject, String problem, Instant at) implements DecisionInput {}

    /** A site sent a heartbeat, for the first time or after a silence. */
    record HeartbeatResumed(SiteId site, Instant at) implements DecisionInput {}

    /** A site has not sent a heartbeat for the timeout. */
    record HeartbeatLost(SiteId site, Instant at) implements DecisionInput {}

    /** A site's topics can be read and written again. */
    record SiteReachable(SiteId site, Instant at) implements DecisionInput {}

    /**
     * A site's topics cannot be used.
     *
     * @param reason why, for people; null if unknown
     * @param lostTables the site's tables that were created again or lost records; they cannot be used until they
     *     are adopted
     */
    record SiteUnreachable(SiteId site, @Nullable String reason, List<Table> lostTables, Instant at)
            implements DecisionInput {
        public SiteUnreachable {
            lostTables = List.copyOf(lostTables);
        }

        /** The site's topics cannot be read or written now. */
        public SiteUnreachable(SiteId site, Instant at) {
            this(site, null, List.of(), at);
        }
    }

    /** The clocks of leader and broker were compared. */
    record ClockCompared(boolean agrees, Instant at) implements DecisionInput {}

    /** The rules of a time zone were read, as far as this host knows them. */
    record TimeZoneRead(TimeZoneRules rules, Instant at) implements DecisionInput {}

    /** A leader starts its term: all rows are read and nothing has been decided since. */
    record LeaderElected(Instant at) implements DecisionInput {}

    /** The journal must start a chapter; the rows of the excluded sites cannot be read for its checkpoint. */
    record ChapterDue(List<SiteId> excludedSites, Instant at) implements DecisionInput {}

    /** Rows of the checkpoint were read. They are written only to the journal, because the tables already have them. */
    record CheckpointPartRead(Instant at) implements DecisionInput {}

    /** All rows of the checkpoint are in the journal. */
    record CheckpointCompleted(long checkpointRows, Instant at) implements DecisionInput {}

    /** Asks for due work; repeated until none is left. */
    record TimePassed(Instant at) implements DecisionInput {}
}
