package dev.flotilla.orchestrator.journal;

import dev.flotilla.core.DecisionEvent;
import dev.flotilla.core.DecisionInput;
import dev.flotilla.core.term.OrchestratorPartitions;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.TimeZoneRules;
import dev.flotilla.schemas.topic.TablePartition;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the brain was asked when it decided what a record of the journal tells. */
final class JournaledInputReader {
    /** What was read again is a row that stands already: the journal says only that it is no longer refused. */
    private static final String READABLE_AGAIN = "readable again";

    private static final Set<DecisionEvent> WORDS = EnumSet.of(
            DecisionEvent.ATTEMPT_STEP_REACHED,
            DecisionEvent.ATTEMPT_SUCCEEDED,
            DecisionEvent.ATTEMPT_FAILED,
            DecisionEvent.ATTEMPT_CANCELLED,
            DecisionEvent.ATTEMPT_LEASE_EXPIRED,
            DecisionEvent.ATTEMPT_DEFERRED,
            DecisionEvent.ATTEMPT_UNKNOWN,
            DecisionEvent.MACHINE_QUARANTINED,
            DecisionEvent.OUT_OF_BAND_REFRESH);

    private JournaledInputReader() {}

    /** The input; null where the journal does not tell it. */
    static @Nullable DecisionInput toDecisionInput(JournalRecord record) {
        DecisionEvent event = event(record.event());
        if (event == DecisionEvent.CHAPTER_STARTED
                || event == DecisionEvent.CHECKPOINT_PART_WRITTEN
                || event == DecisionEvent.CHAPTER_COMPLETED) {
            return null;
        }
        Instant at = record.decidedAt();
        RejectedRecord rejectedRecord = one(record, RejectedRecord.class);
        for (RowChange rowChange : record.changes()) {
            if (OrchestratorPartitions.isInput(rowChange.rowKey().table())) {
                return arrived(rowChange, event == DecisionEvent.REJECTED ? rejectedRecord : null, at);
            }
        }
        if (event == null) {
            return new DecisionInput.TimePassed(at);
        }
        if (record.reason().equals(READABLE_AGAIN)) {
            return null;
        }
        return switch (event) {
            case LEADER_ELECTED -> new DecisionInput.LeaderElected(at);
            case CLOCK_SYNC_CHANGED ->
                new DecisionInput.ClockCompared(record.reason().equals("agrees"), at);
            case TIME_ZONE_UPDATED -> {
                TimeZoneRules rules = one(record, TimeZoneRules.class);
                yield rules == null ? null : new DecisionInput.TimeZoneRead(rules, at);
            }
            case REJECTED -> rejectedRecord == null ? null : new DecisionInput.RecordUnreadable(rejectedRecord, at);
            case SITE_CHANGED -> site(record, at);
            default -> new DecisionInput.TimePassed(at);
        };
    }

    /** Whether it may follow from what a worker said. The journal has no word of workers, but what became of it. */
    static boolean mayBeReport(JournalRecord record) {
        DecisionEvent event = event(record.event());
        return event != null && WORDS.contains(event);
    }

    /** Where a row stood is told only of one that was refused; of the others nothing is decided by it. */
    private static DecisionInput arrived(RowChange rowChange, @Nullable RejectedRecord rejectedRecord, Instant at) {
        return rejectedRecord == null
                ? new DecisionInput.RecordReceived(rowChange, place(rowChange).partition(), 0, at)
                : new DecisionInput.RecordReceived(
                        rowChange, rejectedRecord.key().partition(), rejectedRecord.offset(), flaw(rejectedRecord), at);
    }

    /** Bad values are found by whoever reads, never by what decides. */
    private static @Nullable RejectedRecord flaw(RejectedRecord rejectedRecord) {
        return rejectedRecord.readable() && rejectedRecord.reason() == RejectionReason.BAD_VALUE
                ? rejectedRecord
                : null;
    }

    private static TablePartition place(RowChange rowChange) {
        return OrchestratorPartitions.partitionOf(rowChange.rowKey());
    }

    private static @Nullable DecisionInput site(JournalRecord record, Instant at) {
        SiteHead head = one(record, SiteHead.class);
        if (head == null) {
            return null;
        }
        SiteId site = head.site();
        int words = record.reason().indexOf(':');
        return switch (words < 0 ? record.reason() : record.reason().substring(0, words)) {
            case "heard" -> new DecisionInput.HeartbeatResumed(site, at);
            case "silent" -> new DecisionInput.HeartbeatLost(site, at);
            case "reachable" -> new DecisionInput.SiteReachable(site, at);
            case "unreachable" ->
                new DecisionInput.SiteUnreachable(site, head.unreachableReason(), head.lostTables(), at);
            default -> null;
        };
    }

    private static <T extends RowChange> @Nullable T one(JournalRecord record, Class<T> type) {
        for (RowChange rowChange : record.changes()) {
            if (type.isInstance(rowChange)) {
                return type.cast(rowChange);
            }
        }
        return null;
    }

    private static @Nullable DecisionEvent event(String label) {
        for (DecisionEvent event : DecisionEvent.values()) {
            if (event.label().equals(label)) {
                return event;
            }
        }
        return null;
    }
}
