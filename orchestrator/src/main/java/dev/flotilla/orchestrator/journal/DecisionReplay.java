package dev.flotilla.orchestrator.journal;

import dev.flotilla.core.Decider;
import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.inventory.SiteState;
import dev.flotilla.core.fleet.time.CommandLeaseTimeouts;
import dev.flotilla.orchestrator.journal.DecisionDifference.Kind;
import dev.flotilla.orchestrator.journal.DecisionDifference.RowDifference;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.SiteHead;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes every decision of the journal again. The same inputs give the same decisions, unless this version decides
 * differently from the one that wrote them. Each decision is made on the state that really preceded it, so that one
 * difference does not cause others.
 */
public final class DecisionReplay {
    /** Limit of decisions that this version makes before a recorded one. */
    private static final int MAX_AHEAD = 1_000;

    /** A leader that has decided nothing for so long had nothing to decide. */
    private static final Duration IDLE = Duration.ofMinutes(1);

    private final Decider decider;
    private final Instant since;
    private final Consumer<DecisionDifference> differenceListener;
    private final HeldBackDecisions heldBack;
    private ReplayedState replayedState = new ReplayedState();
    private @Nullable FleetState knownState;
    private boolean isCertain;
    private @Nullable JournalRecord previous;
    private long replayedDecisions;
    private long skippedReports;
    private long uncertainDecisions;
    private long unknownStates;
    private long differentDecisions;

    public DecisionReplay(Decider decider, Consumer<DecisionDifference> differenceListener) {
        this(decider, Instant.MIN, differenceListener);
    }

    /** @param since the instant from which on decisions are made again; older ones are taken as recorded */
    public DecisionReplay(Decider decider, Instant since, Consumer<DecisionDifference> differenceListener) {
        this.decider = decider;
        this.since = since;
        this.differenceListener = differenceListener;
        this.heldBack = new HeldBackDecisions(decider);
    }

    /** Replays the journal's next record. */
    public void replayRecord(JournalRecord record) {
        FleetState before = replayedState.state();
        DecisionInput input = JournaledInputReader.toDecisionInput(record);
        if (!record.event().equals(DecisionEvent.LEADER_ELECTED.label())) {
            reportUndecided(record.decidedAt());
        }
        if (input != null && !record.decidedAt().isBefore(since)) {
            if (before == null) {
                unknownStates++;
            } else {
                heldBack.prepareDecision(before, record.subject());
                replayDecision(before, input, record);
            }
        }
        replayedState.applyRecord(record, true);
        previous = record;
        noteCertainty(record);
    }

    /** Ends the replay after the last record; {@code now} is when the journal was read. */
    public void finishReplay(Instant now) {
        reportUndecided(now);
    }

    /** Reports what this version decides where the leader has decided nothing until an instant. */
    private void reportUndecided(Instant until) {
        FleetState state = replayedState.state();
        JournalRecord last = previous;
        if (state == null
                || last == null
                || last.decidedAt().isBefore(since)
                || !isCertain
                || Duration.between(last.decidedAt(), until).compareTo(IDLE) < 0) {
            return;
        }
        heldBack.prepareDecision(state, "");
        List<Decision> undecided = new ArrayList<>();
        DecisionInput due = new DecisionInput.TimePassed(last.decidedAt());
        Decision now = tryDecide(last, () -> decider.decide(state, due));
        while (now != null
                && !now.isNothing()
                && now.event() != DecisionEvent.ATTEMPT_RENEWED
                && undecided.size() < MAX_AHEAD
                && heldBack.holdBack(state, now, due.at())) {
            undecided.add(now);
            now = tryDecide(last, () -> decider.decide(state, due));
        }
        List<Decision> unreported =
                undecided.stream().filter(heldBack::noteReported).toList();
        if (!unreported.isEmpty()) {
            report(new DecisionDifference(
                    last,
                    Kind.ANOTHER_AFTER,
                    describe(unreported.getFirst(), unreported.size() - 1) + " decided after it",
                    List.of()));
        }
    }

    /** Notes that a record is unreadable: the state is unknown until the next complete checkpoint. */
    public void skipUnreadableRecord() {
        replayedState = new ReplayedState(false);
        previous = null;
    }

    private void replayDecision(FleetState before, DecisionInput input, JournalRecord record) {
        boolean isDue = input instanceof DecisionInput.TimePassed;
        Decision now = tryDecide(record, () -> decide(before, input, record));
        if (now == null) {
            replayedDecisions++;
        } else if (isAbout(now, record) && findDifference(record, now) == null) {
            heldBack.noteDecided(now);
            replayedDecisions++;
        } else if (isDue && JournaledInputReader.mayBeReport(record)) {
            skippedReports++;
        } else if (!isCertain) {
            uncertainDecisions++;
        } else {
            replayedDecisions++;
            reportDifferences(before, input, record, now);
        }
    }

    private void reportDifferences(FleetState before, DecisionInput input, JournalRecord record, Decision first) {
        List<Decision> ahead = new ArrayList<>();
        Decision now = first;
        if (input instanceof DecisionInput.TimePassed) {
            while (!now.isNothing()
                    && !isAbout(now, record)
                    && ahead.size() < MAX_AHEAD
                    && heldBack.holdBack(before, now, input.at())) {
                ahead.add(now);
                Decision next = tryDecide(record, () -> decide(before, input, record));
                if (next == null) {
                    return;
                }
                now = next;
            }
        }
        List<Decision> unreported =
                ahead.stream().filter(heldBack::noteReported).toList();
        if (!isAbout(now, record) && heldBack.releaseNeighbours(before, record.subject())) {
            // A parked machine is unavailable, which may be what keeps its cluster's other machines from starting.
            Decision again = tryDecide(record, () -> decide(before, input, record));
            if (again == null) {
                return;
            }
            if (isAbout(again, record) || heldBack.isReported(again)) {
                uncertainDecisions++;
                return;
            }
        }
        if (!isAbout(now, record)) {
            Decision instead = ahead.isEmpty() ? now : ahead.getFirst();
            report(new DecisionDifference(
                    record,
                    Kind.NOT_DECIDED,
                    instead.isNothing()
                            ? "this version decides nothing"
                            : describe(instead, ahead.size() - 1) + " decided instead",
                    List.of()));
            return;
        }
        heldBack.noteDecided(now);
        if (!unreported.isEmpty()) {
            report(new DecisionDifference(
                    record,
                    Kind.ANOTHER_FIRST,
                    describe(unreported.getFirst(), unreported.size() - 1) + " decided first",
                    List.of()));
        }
        DecisionDifference difference = findDifference(record, now);
        if (difference != null) {
            report(difference);
        }
    }

    /** Decides, or reports that this version fails because of a bug, which must not hide the decisions after it. */
    private @Nullable Decision tryDecide(JournalRecord record, Supplier<Decision> decision) {
        try {
            return decision.get();
        } catch (RuntimeException bug) {
            report(new DecisionDifference(record, Kind.FAILURE, "this version fails: " + bug, List.of()));
            return null;
        }
    }

    private static String describe(Decision decision, int others) {
        return decision.event().label() + " " + decision.subject()
                + (others > 0 ? " and " + others + " more are" : " is");
    }

    private void report(DecisionDifference difference) {
        differentDecisions++;
        differenceListener.accept(difference);
    }

    /**
     * A leader that takes over while a site is unreachable does not know the site's rows, which the journal has, and
     * reads them again later. The next complete checkpoint with all sites has what the leader knows.
     */
    private void noteCertainty(JournalRecord record) {
        FleetState state = replayedState.state();
        if (state == null) {
            return;
        }
        boolean isNew = state != knownState;
        if (isNew || record.event().equals(DecisionEvent.LEADER_ELECTED.label())) {
            isCertain = (isNew || isCertain) && state.sites().stream().noneMatch(DecisionReplay::isUnreachable);
        }
        knownState = state;
    }

    private static boolean isUnreachable(SiteState site) {
        SiteHead head = site.head();
        return head != null && head.unreachableSince() != null;
    }

    /**
     * A leader that could not renew a command lease in time tries again some seconds later; the journal does not say
     * when.
     */
    private Decision decide(FleetState before, DecisionInput input, JournalRecord record) {
        List<MachineStatus> postponed = new ArrayList<>();
        Decision now = decider.decide(before, input);
        while (input instanceof DecisionInput.TimePassed due && isEarlyRenewal(now, record)) {
            MachineView machine = now.subject() instanceof MachineKey key ? before.machine(key) : null;
            MachineStatus status = machine == null ? null : machine.status();
            if (machine == null || status == null) {
                break;
            }
            before.dueWork().recheckAttemptAt(machine, due.at().plus(CommandLeaseTimeouts.GRACE));
            postponed.add(status);
            now = decider.decide(before, input);
        }
        postponed.forEach(before::put);
        return now;
    }

    private static boolean isEarlyRenewal(Decision now, JournalRecord record) {
        return !now.isNothing() && now.event() == DecisionEvent.ATTEMPT_RENEWED && !isAbout(now, record);
    }

    private static boolean isAbout(Decision now, JournalRecord record) {
        return !now.isNothing()
                && now.event().label().equals(record.event())
                && String.valueOf(now.subject()).equals(record.subject());
    }

    /** The difference between two decisions of one event and subject; null if there is none. */
    private static @Nullable DecisionDifference findDifference(JournalRecord record, Decision now) {
        List<RowDifference> rows = findRowDifferences(withoutHead(record.changes()), withoutHead(now.changes()));
        if (rows.isEmpty()) {
            return now.reason().equals(record.reason())
                    ? null
                    : new DecisionDifference(
                            record, Kind.OTHER_REASON, "the reason is \"" + now.reason() + "\"", List.of());
        }
        RowDifference first = rows.getFirst();
        RowChange changed = first.now() == null ? first.recorded() : first.now();
        return new DecisionDifference(
                record, Kind.OTHER_ROWS, "row " + (changed == null ? "" : changed.rowKey()) + " differs", rows);
    }

    private static List<RowDifference> findRowDifferences(List<RowChange> recorded, List<RowChange> now) {
        Map<RowKey, RowChange> newRows = new LinkedHashMap<>();
        now.forEach(rowChange -> newRows.put(rowChange.rowKey(), rowChange));
        List<RowDifference> differences = new ArrayList<>();
        Map<RowKey, RowChange> recordedRows = new LinkedHashMap<>();
        recorded.forEach(rowChange -> recordedRows.put(rowChange.rowKey(), rowChange));
        recordedRows.forEach((key, rowChange) -> {
            RowChange newRow = newRows.remove(key);
            if (!rowChange.equals(newRow)) {
                differences.add(new RowDifference(rowChange, newRow));
            }
        });
        newRows.values().forEach(rowChange -> differences.add(new RowDifference(null, rowChange)));
        return differences;
    }

    private static List<RowChange> withoutHead(List<RowChange> changes) {
        return changes.stream()
                .filter(rowChange -> !(rowChange instanceof FleetHead))
                .map(rowChange -> rowChange instanceof SiteHead site ? site.withoutReadPosition() : rowChange)
                .toList();
    }

    /** How many decisions were made again; those before the first known state are not counted. */
    public long replayedDecisions() {
        return replayedDecisions;
    }

    /**
     * How many decisions followed from a worker's report. The journal has their result and not the report, so they are
     * applied as they are.
     */
    public long skippedReports() {
        return skippedReports;
    }

    /**
     * How many decisions are made in another way, perhaps only because their leader had taken over while a site was
     * unreachable and did not know the site's rows, or because of an earlier difference in their cluster. They are
     * applied as they are.
     */
    public long uncertainDecisions() {
        return uncertainDecisions;
    }

    /** How many decisions could not be made again, because the journal does not have the state before them. */
    public long decisionsWithoutState() {
        return unknownStates;
    }

    /** How many of the decisions that were made again differ. */
    public long differentDecisions() {
        return differentDecisions;
    }
}
