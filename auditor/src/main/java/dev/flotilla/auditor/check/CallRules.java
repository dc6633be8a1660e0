package dev.flotilla.auditor.check;

import dev.flotilla.auditor.wire.Progress;
import dev.flotilla.auditor.wire.Report;

/**
 * Invariants 3, 4, 7 and 9 of what workers say. A call itself leaves no record; a licence does, before it, and a word of
 * what came of it after. So a licence that should not have been written is wrong once a word tells of its call.
 */
final class CallRules {
    /** From the commit to the last call of a worker that reads its topic. */
    private static final long COMMAND_DELAY = 2000;
    /** Worker and broker may differ by so much before the gate {@code clock} would close for a leader. */
    private static final long CLOCKS_APART = 5000;

    private final Findings findings;
    private final Attempts attempts;

    CallRules(Findings findings, Attempts attempts) {
        this.findings = findings;
        this.attempts = attempts;
    }

    /**
     * A worker's word, at its place between the decisions.
     *
     * @param live whether all words before it have been read as well
     */
    void said(Progress progress, long append, long journalSeq, boolean live) {
        AttemptBook book = attempts.find(progress.attempt());
        if (book == null) {
            if (attempts.isForgotten(progress.attempt())) {
                findings.unverified("words about attempts that ended long ago");
            } else {
                findings.broken(
                        Invariant.ZOMBIE,
                        progress.id() + " is said to be at attempt " + progress.attempt()
                                + ", which nobody has admitted up to seq " + journalSeq);
            }
            return;
        }
        findings.require(
                book.machine.equals(progress.id()) && book.uid.equals(progress.uid()),
                Invariant.ZOMBIE,
                progress.id() + " of uid " + progress.uid() + " is said to be at attempt " + book.number + ", which is "
                        + book.machine + "'s of uid " + book.uid);
        if (book.said.isEmpty() && !live) {
            book.partial = true;
        }
        Report report = progress.report();
        if (report.isStep(Report.STARTING)) {
            licence(book, append);
        } else {
            step(book, report);
        }
        book.said.add(AttemptBook.word(report));
        book.ended |= report.ends();
        if (report.says().equals("succeeded")) {
            success(book, report);
        }
    }

    private void licence(AttemptBook book, long append) {
        findings.require(
                !book.called && !book.outcomeUnknown && !book.ended,
                Invariant.ONE_CALL,
                book + " gets another licence after a call that may have been made");
        if (book.licensed && !book.called) {
            // It may have grown too old unused, or its call was certainly refused: then another is right. Its records
            // do
            // not tell, since a licence's age counts from before it is written, and writing it may take any time.
            findings.unverified("second licences of attempts whose first call nobody told of");
        }
        if (book.withdrawnBefore(append - COMMAND_DELAY)) {
            book.suspect = (append - book.withdrawn) + " ms after its command was taken back";
        } else if (append > book.notAfter + CLOCKS_APART) {
            book.suspect = (append - book.notAfter) + " ms after its command's end";
        } else {
            book.suspect = null;
        }
        book.licensed = true;
    }

    private void step(AttemptBook book, Report report) {
        String change = report.changeId();
        if (report.tellsOfCall()) {
            findings.require(book.licensed || book.partial, Invariant.ONE_CALL, book + " was called without a licence");
            findings.require(
                    book.suspect == null, Invariant.STOP, book + " was called under a licence of " + book.suspect);
            book.suspect = null;
            book.called = true;
        } else if (!report.ends()) {
            findings.require(
                    !book.called, Invariant.ONE_CALL, book + " begins again at " + report.step() + " after its call");
        }
        findings.require(
                change == null || book.changeId == null || change.equals(book.changeId),
                Invariant.ONE_CALL,
                book + " has two changes on its node, " + book.changeId + " and " + change);
        book.changeId = change == null ? book.changeId : change;
        book.outcomeUnknown |= report.says().equals("outcome-unknown");
        if (report.ends() && book.suspect != null) {
            book.suspect = null;
        }
    }

    private void success(AttemptBook book, Report report) {
        book.success = report;
        String problem = book.versions.isEmpty() ? null : Proof.problem(book, report);
        if (book.versions.isEmpty()) {
            findings.unverified("successes of attempts whose commands were not seen");
        } else {
            findings.require(
                    problem == null, Invariant.PROOF, book + " counts as " + report.how() + ", but " + problem);
        }
    }
}
