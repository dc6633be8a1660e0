package dev.flotilla.orchestrator.journal;

import dev.flotilla.core.Decider;
import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.time.CommandLeaseTimeouts;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.SiteHead;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Makes every decision of the journal again. The same inputs give the same decisions, unless this version decides
 * differently from the one that wrote them. Each decision is made on the state that really preceded it, so that one
 * difference does not cause others.
 */
public final class DecisionReplay {
    private final Decider decider;
    private final Consumer<DecisionDifference> differenceListener;
    private final ReplayedState replayedState = new ReplayedState();
    private long replayedDecisions;
    private long skippedReports;
    private long differentDecisions;

    /**
     * A decision that differs.
     *
     * @param record the journal's record
     * @param newDecision describes the decision of this version
     */
    public record DecisionDifference(JournalRecord record, String newDecision) {}

    public DecisionReplay(Decider decider, Consumer<DecisionDifference> differenceListener) {
        this.decider = decider;
        this.differenceListener = differenceListener;
    }

    /** Replays the journal's next record. */
    public void replayRecord(JournalRecord record) {
        FleetState before = replayedState.state();
        DecisionInput input = before == null ? null : JournaledInputReader.toDecisionInput(record);
        if (before != null && input != null) {
            String difference = describeDifference(record, decide(before, input, record));
            if (difference.isEmpty()) {
                replayedDecisions++;
            } else if (input instanceof DecisionInput.TimePassed && JournaledInputReader.mayBeReport(record)) {
                skippedReports++;
            } else {
                replayedDecisions++;
                differentDecisions++;
                differenceListener.accept(new DecisionDifference(record, difference));
            }
        }
        replayedState.applyRecord(record, true);
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
        return now.event().label().equals(record.event())
                && String.valueOf(now.subject()).equals(record.subject());
    }

    private static String describeDifference(JournalRecord record, Decision now) {
        if (now.isNothing()) {
            return "this version decides nothing";
        }
        if (!isAbout(now, record)) {
            return now.event().label() + " " + now.subject() + " is decided instead";
        }
        List<RowChange> recordedRows = new ArrayList<>(withoutHead(record.changes()));
        List<RowChange> newRows = new ArrayList<>(withoutHead(now.changes()));
        recordedRows.removeAll(withoutHead(now.changes()));
        newRows.removeAll(withoutHead(record.changes()));
        if (recordedRows.isEmpty() && newRows.isEmpty()) {
            return now.reason().equals(record.reason()) ? "" : "the reason is \"" + now.reason() + "\"";
        }
        RowChange first = newRows.isEmpty() ? recordedRows.getFirst() : newRows.getFirst();
        return "row " + first.rowKey() + " differs";
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

    /** How many of the decisions that were made again differ. */
    public long differentDecisions() {
        return differentDecisions;
    }
}
