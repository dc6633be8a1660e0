package dev.flotilla.auditor.check;

import dev.flotilla.auditor.wire.AttemptProgress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** Orders workers' reports between the decisions, by their append time. */
final class WorkerReportQueue {
    private static final class QueuedReport {
        private final AttemptProgress attemptProgress;
        private final long append;
        private final long order;
        private final boolean live;
        private long missedSince = Long.MIN_VALUE;

        QueuedReport(AttemptProgress attemptProgress, long append, long order, boolean live) {
            this.attemptProgress = attemptProgress;
            this.append = append;
            this.order = order;
            this.live = live;
        }
    }

    private final RefreshCallRules rules;
    private final AttemptHistories attemptHistories;
    private final PriorityQueue<QueuedReport> waiting = new PriorityQueue<>(
            Comparator.<QueuedReport>comparingLong(report -> report.append).thenComparingLong(report -> report.order));
    private long nextOrder;

    WorkerReportQueue(RefreshCallRules rules, AttemptHistories attemptHistories) {
        this.rules = rules;
        this.attemptHistories = attemptHistories;
    }

    void addReport(AttemptProgress attemptProgress, long append, boolean live) {
        waiting.add(new QueuedReport(attemptProgress, append, nextOrder++, live));
        attemptHistories.recordReport(attemptProgress.id(), attemptProgress.attemptId());
    }

    /** The journal is at a decision with this append time: all reports before it are checked. */
    void checkReportsBefore(long append, long journalSeq) {
        List<QueuedReport> early = new ArrayList<>();
        while (!waiting.isEmpty() && waiting.element().append < append) {
            QueuedReport report = waiting.remove();
            if (report.attemptProgress.attemptId() > journalSeq) {
                early.add(report);
            } else {
                checkReport(report, journalSeq);
            }
        }
        waiting.addAll(early);
    }

    /** All of the journal has been read. A report about an attempt that it does not know yet is kept for a while. */
    void caughtUp(long now, long journalSeq) {
        List<QueuedReport> early = new ArrayList<>();
        while (!waiting.isEmpty()) {
            QueuedReport report = waiting.remove();
            boolean known = report.attemptProgress.attemptId() <= journalSeq;
            if (known || (report.missedSince != Long.MIN_VALUE && now - report.missedSince >= ExpectedRecords.GRACE)) {
                checkReport(report, journalSeq);
            } else {
                report.missedSince = report.missedSince == Long.MIN_VALUE ? now : report.missedSince;
                early.add(report);
            }
        }
        waiting.addAll(early);
    }

    private void checkReport(QueuedReport report, long journalSeq) {
        rules.checkReport(report.attemptProgress, report.append, journalSeq, report.live);
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }
}
