package dev.flotilla.auditor.check;

import dev.flotilla.auditor.wire.AttemptProgress;
import dev.flotilla.auditor.wire.AttemptReport;

/**
 * Invariants 3, 4, 7 and 9 of what workers say. A call itself leaves no record; a licence does, before it, and a word of
 * what came of it after. So a licence that should not have been written is wrong once a word tells of its call.
 */
final class RefreshCallRules {
    /** From the commit to the last call of a worker that reads its topic. */
    private static final long COMMAND_DELAY = 2000;
    /** Worker and broker may differ by so much before the gate {@code clock} would close for a leader. */
    private static final long CLOCKS_APART = 5000;

    private final AuditFindings auditFindings;
    private final AttemptHistories attemptHistories;

    RefreshCallRules(AuditFindings auditFindings, AttemptHistories attemptHistories) {
        this.auditFindings = auditFindings;
        this.attemptHistories = attemptHistories;
    }

    /**
     * A worker's word, at its place between the decisions.
     *
     * @param live whether all words before it have been read as well
     */
    void checkReport(AttemptProgress attemptProgress, long append, long journalSeq, boolean live) {
        AttemptHistory book = attemptHistories.findHistory(attemptProgress.attemptId());
        if (book == null) {
            if (attemptHistories.isForgotten(attemptProgress.attemptId())) {
                auditFindings.reportUnverified("words about attempts that ended long ago");
            } else {
                auditFindings.reportViolation(
                        AuditInvariant.ZOMBIE,
                        attemptProgress.id() + " is said to be at attempt " + attemptProgress.attemptId()
                                + ", which nobody has admitted up to seq " + journalSeq);
            }
            return;
        }
        auditFindings.require(
                book.machine.equals(attemptProgress.id()) && book.uid.equals(attemptProgress.uid()),
                AuditInvariant.ZOMBIE,
                attemptProgress.id() + " of uid " + attemptProgress.uid() + " is said to be at attempt " + book.number
                        + ", which is " + book.machine + "'s of uid " + book.uid);
        if (book.said.isEmpty() && !live) {
            book.partial = true;
        }
        AttemptReport attemptReport = attemptProgress.report();
        if (attemptReport.isStep(AttemptReport.STARTING)) {
            licence(book, append);
        } else {
            step(book, attemptReport);
        }
        book.said.add(AttemptHistory.labelOf(attemptReport));
        book.ended |= attemptReport.isFinal();
        if (attemptReport.type().equals("succeeded")) {
            success(book, attemptReport);
        }
    }

    private void licence(AttemptHistory book, long append) {
        auditFindings.require(
                !book.called && !book.outcomeUnknown && !book.ended,
                AuditInvariant.ONE_CALL,
                book + " gets another licence after a call that may have been made");
        if (book.licensed && !book.called) {
            // It may have grown too old unused, or its call was certainly refused: then another is right. Its records
            // do
            // not tell, since a licence's age counts from before it is written, and writing it may take any time.
            auditFindings.reportUnverified("second licences of attempts whose first call nobody told of");
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

    private void step(AttemptHistory book, AttemptReport attemptReport) {
        String change = attemptReport.changeId();
        if (attemptReport.impliesCall()) {
            auditFindings.require(
                    book.licensed || book.partial, AuditInvariant.ONE_CALL, book + " was called without a licence");
            auditFindings.require(
                    book.suspect == null, AuditInvariant.STOP, book + " was called under a licence of " + book.suspect);
            book.suspect = null;
            book.called = true;
        } else if (!attemptReport.isFinal()) {
            auditFindings.require(
                    !book.called,
                    AuditInvariant.ONE_CALL,
                    book + " begins again at " + attemptReport.step() + " after its call");
        }
        auditFindings.require(
                change == null || book.changeId == null || change.equals(book.changeId),
                AuditInvariant.ONE_CALL,
                book + " has two changes on its node, " + book.changeId + " and " + change);
        book.changeId = change == null ? book.changeId : change;
        book.outcomeUnknown |= attemptReport.type().equals("outcome-unknown");
        if (attemptReport.isFinal() && book.suspect != null) {
            book.suspect = null;
        }
    }

    private void success(AttemptHistory book, AttemptReport attemptReport) {
        book.success = attemptReport;
        String problem = book.versions.isEmpty() ? null : SuccessProofRules.findProblem(book, attemptReport);
        if (book.versions.isEmpty()) {
            auditFindings.reportUnverified("successes of attempts whose commands were not seen");
        } else {
            auditFindings.require(
                    problem == null,
                    AuditInvariant.PROOF,
                    book + " counts as " + attemptReport.proof() + ", but " + problem);
        }
    }
}
