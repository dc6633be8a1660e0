package dev.flotilla.orchestrator.journal;

import dev.flotilla.core.Decider;
import dev.flotilla.core.Decision;
import dev.flotilla.core.DecisionEvent;
import dev.flotilla.core.DecisionInput;
import dev.flotilla.core.fleet.CommandLeaseTimeouts;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.MachineView;
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
 * Decides everything again that the journal tells of: the same inputs give the same decisions, or this version decides otherwise
 * than the one that wrote it. Each is asked about on what had really happened before it, so that one difference does not make
 * others.
 */
public final class DecisionReplay {
    private final Decider decider;
    private final Consumer<DecisionDifference> differs;
    private final ReplayedState told = new ReplayedState();
    private long replayedDecisions;
    private long skippedReports;
    private long differentDecisions;

    /**
     * A decision that is another one now.
     *
     * @param record what the journal tells
     * @param newDecision the same in words
     */
    public record DecisionDifference(JournalRecord record, String newDecision) {}

    public DecisionReplay(Decider decider, Consumer<DecisionDifference> differs) {
        this.decider = decider;
        this.differs = differs;
    }

    /** Takes the journal's next record. */
    public void replayRecord(JournalRecord record) {
        FleetState before = told.state();
        DecisionInput input = before == null ? null : JournaledInputReader.toDecisionInput(record);
        if (before != null && input != null) {
            String otherwise = otherwise(record, decide(before, input, record));
            if (otherwise.isEmpty()) {
                replayedDecisions++;
            } else if (input instanceof DecisionInput.TimePassed && JournaledInputReader.mayBeReport(record)) {
                skippedReports++;
            } else {
                replayedDecisions++;
                differentDecisions++;
                differs.accept(new DecisionDifference(record, otherwise));
            }
        }
        told.applyRecord(record, true);
    }

    /** A leader that could not renew a licence in time looks at it again some seconds later, and nothing tells when that is. */
    private Decision decide(FleetState before, DecisionInput input, JournalRecord record) {
        List<MachineStatus> later = new ArrayList<>();
        Decision now = decider.decide(before, input);
        while (input instanceof DecisionInput.TimePassed due && isEarlyRenewal(now, record)) {
            MachineView machine = now.subject() instanceof MachineKey key ? before.machine(key) : null;
            MachineStatus status = machine == null ? null : machine.status();
            if (machine == null || status == null) {
                break;
            }
            before.recheckAttemptAt(machine, due.at().plus(CommandLeaseTimeouts.GRACE));
            later.add(status);
            now = decider.decide(before, input);
        }
        later.forEach(before::put);
        return now;
    }

    private static boolean isEarlyRenewal(Decision now, JournalRecord record) {
        return !now.isNothing() && now.event() == DecisionEvent.ATTEMPT_RENEWED && !isAbout(now, record);
    }

    private static boolean isAbout(Decision now, JournalRecord record) {
        return now.event().label().equals(record.event())
                && String.valueOf(now.subject()).equals(record.subject());
    }

    private static String otherwise(JournalRecord record, Decision now) {
        if (now.isNothing()) {
            return "nothing is decided";
        }
        if (!isAbout(now, record)) {
            return now.event().label() + " " + now.subject() + " is decided";
        }
        List<RowChange> then = new ArrayList<>(withoutHead(record.changes()));
        List<RowChange> again = new ArrayList<>(withoutHead(now.changes()));
        then.removeAll(withoutHead(now.changes()));
        again.removeAll(withoutHead(record.changes()));
        if (then.isEmpty() && again.isEmpty()) {
            return now.reason().equals(record.reason()) ? "" : "the reason is \"" + now.reason() + "\"";
        }
        RowChange first = again.isEmpty() ? then.getFirst() : again.getFirst();
        return "another row " + first.rowKey() + " is written";
    }

    private static List<RowChange> withoutHead(List<RowChange> facts) {
        return facts.stream()
                .filter(rowChange -> !(rowChange instanceof FleetHead))
                .map(rowChange -> rowChange instanceof SiteHead site ? site.withoutReadPosition() : rowChange)
                .toList();
    }

    /** How many decisions were made again; those before the first state that is known are not. */
    public long replayedDecisions() {
        return replayedDecisions;
    }

    /** How many followed from a worker's word. The journal has what became of it, and not the word: it is taken as it was. */
    public long skippedReports() {
        return skippedReports;
    }

    /** How many of those that were made again are others now. */
    public long differentDecisions() {
        return differentDecisions;
    }
}
