package dev.flotilla.orchestrator.journal;

import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.leader.OrchestratorPartitions;
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

/** Reads from a journal record the input that the core decided on. */
final class JournaledInputReader {
    /** This row was accepted already: the journal only says that its record is no longer rejected. */
    private static final String READABLE_AGAIN = "readable again";

    private static final Set<DecisionEvent> REPORT_EVENTS = EnumSet.of(
            DecisionEvent.ATTEMPT_STEP_REACHED,
            DecisionEvent.ATTEMPT_SUCCEEDED,
            DecisionEvent.ATTEMPT_FAILED,
            DecisionEvent.ATTEMPT_CANCELLED,
            DecisionEvent.ATTEMPT_ABORTED,
            DecisionEvent.ATTEMPT_LEASE_EXPIRED,
            DecisionEvent.ATTEMPT_DEFERRED,
            DecisionEvent.ATTEMPT_UNKNOWN,
            DecisionEvent.PREPARATION_SUCCEEDED,
            DecisionEvent.PREPARATION_FAILED,
            DecisionEvent.MACHINE_QUARANTINED,
            DecisionEvent.OUT_OF_BAND_REFRESH);

    private JournaledInputReader() {}

    /** The input; null if the journal does not have it. */
    static @Nullable DecisionInput toDecisionInput(JournalRecord record) {
        DecisionEvent event = eventOf(record.event());
        if (event == DecisionEvent.CHAPTER_STARTED
                || event == DecisionEvent.CHECKPOINT_PART_WRITTEN
                || event == DecisionEvent.CHAPTER_COMPLETED) {
            return null;
        }
        Instant at = record.decidedAt();
        RejectedRecord rejectedRecord = findRow(record, RejectedRecord.class);
        for (RowChange rowChange : record.changes()) {
            if (OrchestratorPartitions.isInput(rowChange.rowKey().table())) {
                return recordReceived(rowChange, event == DecisionEvent.REJECTED ? rejectedRecord : null, at);
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
                TimeZoneRules rules = findRow(record, TimeZoneRules.class);
                yield rules == null ? null : new DecisionInput.TimeZoneRead(rules, at);
            }
            case REJECTED -> rejectedRecord == null ? null : new DecisionInput.RecordUnreadable(rejectedRecord, at);
            case SITE_CHANGED -> siteInput(record, at);
            default -> new DecisionInput.TimePassed(at);
        };
    }

    /**
     * Whether the decision may follow from a worker's report. The journal has the result of reports and not the
     * reports.
     */
    static boolean mayBeReport(JournalRecord record) {
        DecisionEvent event = eventOf(record.event());
        return event != null && REPORT_EVENTS.contains(event);
    }

    /** The journal has partition and offset of a rejected row only; for others no decision depends on them. */
    private static DecisionInput recordReceived(
            RowChange rowChange, @Nullable RejectedRecord rejectedRecord, Instant at) {
        return rejectedRecord == null
                ? new DecisionInput.RecordReceived(
                        rowChange, partitionOf(rowChange).partition(), 0, at)
                : new DecisionInput.RecordReceived(
                        rowChange,
                        rejectedRecord.key().partition(),
                        rejectedRecord.offset(),
                        defectOf(rejectedRecord),
                        at);
    }

    /** The reader finds bad values, not the core. */
    private static @Nullable RejectedRecord defectOf(RejectedRecord rejectedRecord) {
        return rejectedRecord.readable() && rejectedRecord.reason() == RejectionReason.BAD_VALUE
                ? rejectedRecord
                : null;
    }

    private static TablePartition partitionOf(RowChange rowChange) {
        return OrchestratorPartitions.partitionOf(rowChange.rowKey());
    }

    private static @Nullable DecisionInput siteInput(JournalRecord record, Instant at) {
        SiteHead head = findRow(record, SiteHead.class);
        if (head == null) {
            return null;
        }
        SiteId site = head.site();
        int colon = record.reason().indexOf(':');
        return switch (colon < 0 ? record.reason() : record.reason().substring(0, colon)) {
            case "connected" -> new DecisionInput.HeartbeatResumed(site, at);
            case "silent" -> new DecisionInput.HeartbeatLost(site, at);
            case "reachable" -> new DecisionInput.SiteReachable(site, at);
            case "unreachable" ->
                new DecisionInput.SiteUnreachable(site, head.unreachableReason(), head.lostTables(), at);
            default -> null;
        };
    }

    private static <T extends RowChange> @Nullable T findRow(JournalRecord record, Class<T> type) {
        for (RowChange rowChange : record.changes()) {
            if (type.isInstance(rowChange)) {
                return type.cast(rowChange);
            }
        }
        return null;
    }

    private static @Nullable DecisionEvent eventOf(String label) {
        for (DecisionEvent event : DecisionEvent.values()) {
            if (event.label().equals(label)) {
                return event;
            }
        }
        return null;
    }
}
