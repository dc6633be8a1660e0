package dev.flotilla.orchestrator.journal;

import dev.flotilla.core.Event;
import dev.flotilla.core.Input;
import dev.flotilla.core.term.Places;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.TimeZoneRules;
import dev.flotilla.schemas.topic.TablePartition;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the brain was asked when it decided what a record of the journal tells. */
final class Asked {
    /** What was read again is a row that stands already: the journal says only that it is no longer refused. */
    private static final String READABLE_AGAIN = "readable again";

    private static final Set<Event> WORDS = EnumSet.of(
            Event.ATTEMPT_STEPPED,
            Event.ATTEMPT_SUCCEEDED,
            Event.ATTEMPT_FAILED,
            Event.ATTEMPT_CANCELLED,
            Event.ATTEMPT_EXPIRED,
            Event.ATTEMPT_NOT_NOW,
            Event.ATTEMPT_UNKNOWN,
            Event.MACHINE_QUARANTINED,
            Event.OUT_OF_BAND);

    private Asked() {}

    /** The input; null where the journal does not tell it. */
    static @Nullable Input input(JournalRecord record) {
        Event event = event(record.event());
        if (event == Event.CHAPTER_BEGUN || event == Event.CHECKPOINTED || event == Event.CHAPTER_COMPLETED) {
            return null;
        }
        Instant at = record.decidedAt();
        RejectedRecord rejectedRecord = one(record, RejectedRecord.class);
        for (RowChange rowChange : record.changes()) {
            if (Places.isInput(rowChange.rowKey().table())) {
                return arrived(rowChange, event == Event.REJECTED ? rejectedRecord : null, at);
            }
        }
        if (event == null) {
            return new Input.Due(at);
        }
        if (record.reason().equals(READABLE_AGAIN)) {
            return null;
        }
        return switch (event) {
            case TOOK_OVER -> new Input.TookOver(at);
            case CLOCK_CHANGED -> new Input.ClockCompared(record.reason().equals("agrees"), at);
            case ZONE_READ -> {
                TimeZoneRules rules = one(record, TimeZoneRules.class);
                yield rules == null ? null : new Input.ZoneRead(rules, at);
            }
            case REJECTED -> rejectedRecord == null ? null : new Input.Unreadable(rejectedRecord, at);
            case SITE_CHANGED -> site(record, at);
            default -> new Input.Due(at);
        };
    }

    /** Whether it may follow from what a worker said. The journal has no word of workers, but what became of it. */
    static boolean mayBeAWord(JournalRecord record) {
        Event event = event(record.event());
        return event != null && WORDS.contains(event);
    }

    /** Where a row stood is told only of one that was refused; of the others nothing is decided by it. */
    private static Input arrived(RowChange rowChange, @Nullable RejectedRecord rejectedRecord, Instant at) {
        return rejectedRecord == null
                ? new Input.Arrived(rowChange, place(rowChange).partition(), 0, at)
                : new Input.Arrived(rowChange, rejectedRecord.key().partition(), rejectedRecord.offset(), flaw(rejectedRecord), at);
    }

    /** Bad values are found by whoever reads, never by what decides. */
    private static @Nullable RejectedRecord flaw(RejectedRecord rejectedRecord) {
        return rejectedRecord.readable() && rejectedRecord.reason() == RejectionReason.BAD_VALUE ? rejectedRecord : null;
    }

    private static TablePartition place(RowChange rowChange) {
        return Places.placeOf(rowChange.rowKey());
    }

    private static @Nullable Input site(JournalRecord record, Instant at) {
        SiteHead head = one(record, SiteHead.class);
        if (head == null) {
            return null;
        }
        SiteId site = head.site();
        int words = record.reason().indexOf(':');
        return switch (words < 0 ? record.reason() : record.reason().substring(0, words)) {
            case "heard" -> new Input.SiteHeard(site, at);
            case "silent" -> new Input.SiteSilent(site, at);
            case "reachable" -> new Input.SiteReachable(site, at);
            case "unreachable" -> new Input.SiteUnreachable(site, head.unreachableReason(), head.lostTables(), at);
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

    private static @Nullable Event event(String label) {
        for (Event event : Event.values()) {
            if (event.label().equals(label)) {
                return event;
            }
        }
        return null;
    }
}
