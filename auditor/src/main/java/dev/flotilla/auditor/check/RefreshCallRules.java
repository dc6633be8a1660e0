package dev.flotilla.auditor.check;

import dev.flotilla.auditor.wire.AttemptProgress;
import dev.flotilla.auditor.wire.AttemptReport;

/**
 * Invariants 3, 4, 7 and 9 for workers' reports. A call itself leaves no record; a call permit is written before it,
 * and a report of its result after it. So a permit that should not have been written is a violation once a report shows
 * its call.
 */
final class RefreshCallRules {
    /** From a commit to the last call of a worker that reads its topic. */
    private static final long COMMAND_DELAY = 2000;
    /**
     * The difference between the worker's and the broker's clock up to which gate {@code clock} stays open for a
     * leader.
     */
    private static final long MAX_CLOCK_DIFFERENCE = 5000;

    private final AuditFindings auditFindings;
    private final AttemptHistories attemptHistories;

    RefreshCallRules(AuditFindings auditFindings, AttemptHistories attemptHistories) {
        this.auditFindings = auditFindings;
        this.attemptHistories = attemptHistories;
    }

    /**
     * Checks a worker's report at its position between the decisions.
     *
     * @param live whether all reports before it have been read, too
     */
    void checkReport(AttemptProgress attemptProgress, long append, long journalSeq, boolean live) {
        AttemptHistory history = attemptHistories.findHistory(attemptProgress.attemptId());
        if (history == null) {
            if (attemptHistories.isForgotten(attemptProgress.attemptId())) {
                auditFindings.reportUnverified("reports about attempts that ended long ago");
            } else {
                auditFindings.reportViolation(
                        AuditInvariant.ZOMBIE,
                        attemptProgress.id() + " has a report about attempt " + attemptProgress.attemptId()
                                + ", which no decision up to " + journalSeq + " admitted");
            }
            return;
        }
        auditFindings.require(
                history.machine.equals(attemptProgress.id()) && history.uid.equals(attemptProgress.uid()),
                AuditInvariant.ZOMBIE,
                attemptProgress.id() + " of uid " + attemptProgress.uid() + " has a report about attempt " + history.id
                        + ", which is " + history.machine + "'s of uid " + history.uid);
        if (history.reports.isEmpty() && !live) {
            history.partial = true;
        }
        AttemptReport attemptReport = attemptProgress.report();
        if (history.isPreparation) {
            auditFindings.require(
                    !attemptReport.impliesCall() && !attemptReport.isStep(AttemptReport.STARTING),
                    AuditInvariant.ONE_CALL,
                    history + " only prepares, but its worker reports " + AttemptHistory.labelOf(attemptReport));
            return;
        }
        if (attemptReport.isStep(AttemptReport.STARTING)) {
            checkPermit(history, append);
        } else {
            checkStep(history, attemptReport);
        }
        history.reports.add(AttemptHistory.labelOf(attemptReport));
        history.ended |= attemptReport.isFinal();
        if (attemptReport.type().equals("succeeded")) {
            checkSuccess(history, attemptReport);
        }
    }

    private void checkPermit(AttemptHistory history, long append) {
        auditFindings.require(
                !history.called && !history.outcomeUnknown && !history.ended,
                AuditInvariant.ONE_CALL,
                history + " gets another call permit after a call that may have been made");
        if (history.hasCallPermit && !history.called) {
            // The permit may have expired unused, or its call was certainly rejected: then another permit is allowed.
            // The records do not show it, since a permit's age counts from before it is written, and writing it may
            // take any time.
            auditFindings.reportUnverified("attempts with a second call permit but no report of the first call");
        }
        if (history.wasRevokedBefore(append - COMMAND_DELAY)) {
            history.permitProblem = (append - history.revokedAt) + " ms after its command lease was revoked";
        } else if (append > history.leaseExpiresAt + MAX_CLOCK_DIFFERENCE) {
            history.permitProblem = (append - history.leaseExpiresAt) + " ms after the end of its command lease";
        } else {
            history.permitProblem = null;
        }
        history.hasCallPermit = true;
    }

    private void checkStep(AttemptHistory history, AttemptReport attemptReport) {
        String change = attemptReport.changeId();
        if (attemptReport.impliesCall()) {
            auditFindings.require(
                    history.hasCallPermit || history.partial,
                    AuditInvariant.ONE_CALL,
                    history + " was called without a call permit");
            auditFindings.require(
                    history.permitProblem == null,
                    AuditInvariant.STOP,
                    history + " was called with a call permit that was written " + history.permitProblem);
            history.permitProblem = null;
            history.called = true;
        } else if (!attemptReport.isFinal()) {
            auditFindings.require(
                    !history.called,
                    AuditInvariant.ONE_CALL,
                    history + " starts again at " + attemptReport.step() + " after its call");
        }
        auditFindings.require(
                change == null || history.changeId == null || change.equals(history.changeId),
                AuditInvariant.ONE_CALL,
                history + " has two changes on its node, " + history.changeId + " and " + change);
        String nodeUpgrade = history.nodeUpgradeName();
        auditFindings.require(
                change == null || nodeUpgrade == null || change.equals(nodeUpgrade),
                AuditInvariant.ONE_CALL,
                history + " has NodeUpgrade " + change + ", but its only one is " + nodeUpgrade);
        history.changeId = change == null ? history.changeId : change;
        history.outcomeUnknown |= attemptReport.type().equals("outcome-unknown");
        if (attemptReport.isFinal() && history.permitProblem != null) {
            history.permitProblem = null;
        }
    }

    private void checkSuccess(AttemptHistory history, AttemptReport attemptReport) {
        history.success = attemptReport;
        String problem = history.versions.isEmpty() ? null : SuccessProofRules.findProblem(history, attemptReport);
        if (history.versions.isEmpty()) {
            auditFindings.reportUnverified("successes of attempts whose commands were not seen");
        } else {
            auditFindings.require(
                    problem == null,
                    AuditInvariant.PROOF,
                    history + " counts as " + attemptReport.proof() + ", but " + problem);
        }
    }
}
