package dev.flotilla.auditor.check;

import dev.flotilla.auditor.model.Fleet;
import dev.flotilla.auditor.wire.Attempt;
import dev.flotilla.auditor.wire.Entry;
import dev.flotilla.auditor.wire.Fact;
import dev.flotilla.auditor.wire.JournalRecord;
import dev.flotilla.auditor.wire.MachineRow;
import dev.flotilla.auditor.wire.MachineStatus;
import dev.flotilla.auditor.wire.Place;
import dev.flotilla.auditor.wire.Report;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Invariants 4 and 5: an attempt ends by a decision that says so, and by its worker's word about this very attempt. */
final class EndRules {
    /** Which word of the worker each event needs. */
    private static final Map<String, String> WORDS = Map.of(
            "attempt-succeeded", "succeeded",
            "attempt-failed", "failed",
            "machine-quarantined", "failed",
            "attempt-cancelled", "cancelled",
            "attempt-expired", "expired",
            "attempt-not-now", "not-now");

    private final Fleet fleet;
    private final Findings findings;
    private final Attempts attempts;
    private final Awaited awaited;
    private boolean live;

    EndRules(Fleet fleet, Findings findings, Attempts attempts, Awaited awaited) {
        this.fleet = fleet;
        this.findings = findings;
        this.attempts = attempts;
        this.awaited = awaited;
    }

    /** From here on nothing can have been compacted before it was read. */
    void live() {
        live = true;
    }

    void ended(
            JournalRecord decision, long append, MachineStatus before, Attempt attempt, @Nullable MachineStatus after) {
        String what = before.id() + " attempt " + attempt.number();
        AttemptBook known = attempts.find(attempt.number());
        AttemptBook book = known != null ? known : new AttemptBook(attempt.number(), before.id(), before.uid());
        book.withdraw(append);
        attempts.end(book);
        commandGoes(decision, before.id(), what);
        if (decision.event().equals("attempt-vanished")) {
            vanished(decision, before, what);
            return;
        }
        String word = WORDS.get(decision.event());
        findings.require(
                word != null && decision.seq() != attempt.number(),
                Invariant.NOTHING_LOST,
                what + " is open no more after decision " + decision.seq() + " (" + decision.event()
                        + "), which does not end it");
        Entry entry = after == null ? null : after.entry(attempt.driver());
        boolean success = "succeeded".equals(word);
        findings.require(
                success || entry == null || !entry.atTarget() || atTarget(before, attempt),
                Invariant.PROOF,
                what + " is at its target by " + decision.event());
        if (word == null || (!success && isLost(attempt, after))) {
            return;
        }
        expect(decision, book, success ? Invariant.PROOF : Invariant.NOTHING_LOST, word, () -> {
            Report told = book.success;
            return book.said.contains(word)
                    && (!success || (told != null && told.how().equals(decision.reason())));
        });
    }

    private static boolean atTarget(MachineStatus status, Attempt attempt) {
        Entry entry = status.entry(attempt.driver());
        return entry != null && entry.atTarget();
    }

    /** Nobody's word: it was waited for long enough, or its site was given up. */
    private static boolean isLost(Attempt attempt, @Nullable MachineStatus after) {
        MachineStatus.Failure failure = after == null ? null : after.lastFailure();
        return failure != null
                && failure.attempt() == attempt.number()
                && ((failure.reason().equals("no-word") && attempt.state().equals("unknown"))
                        || failure.reason().equals("written-off"));
    }

    /** A step that the journal takes over must have been told. */
    void stepped(JournalRecord decision, MachineStatus after, Attempt attempt) {
        AttemptBook book = attempts.find(attempt.number());
        if (book != null) {
            String word = "stepped " + attempt.step();
            expect(decision, book, Invariant.ZOMBIE, word, () -> book.said.contains(word));
        } else {
            findings.unverified("steps of attempts from before the base: " + after.site());
        }
    }

    private void expect(
            JournalRecord decision, AttemptBook book, Invariant invariant, String word, BooleanSupplier settled) {
        boolean compacted = !live;
        awaited.expect(
                invariant,
                book + ": decision " + decision.seq() + " (" + decision.event() + ") goes by the word \"" + word
                        + "\", which no worker has said",
                decision.seq(),
                decision.time(),
                settled,
                () -> compacted && (invariant == Invariant.ZOMBIE || attempts.mayBeCompacted(book)));
    }

    private void commandGoes(JournalRecord decision, String machine, String what) {
        boolean gone = false;
        for (Fact fact : decision.facts()) {
            Place place = fact.place();
            gone |= place.topic().is("commands") && place.object().equals(machine) && fact.row() == null;
        }
        findings.require(gone, Invariant.STOP, what + " has ended, and its command stays");
    }

    private void vanished(JournalRecord decision, MachineStatus before, String what) {
        MachineRow row = fleet.machine(before.id());
        boolean gone = row == null || !row.uid().equals(before.uid());
        for (Fact fact : decision.facts()) {
            Place place = fact.place();
            if (place.topic().is("inventory")
                    && place.isMachine()
                    && place.object().equals(before.id())) {
                gone = !(fact.row() instanceof MachineRow next && next.uid().equals(before.uid()));
            }
        }
        findings.require(gone, Invariant.NOTHING_LOST, what + " is said to have vanished, and its machine is there");
    }
}
