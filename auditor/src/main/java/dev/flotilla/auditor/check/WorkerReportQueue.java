package dev.flotilla.auditor.check;

import dev.flotilla.auditor.wire.AttemptProgress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** Workers' words on their way to their place between the decisions: by when the broker took them. */
final class WorkerReportQueue {
    private static final class Word {
        private final AttemptProgress attemptProgress;
        private final long append;
        private final long order;
        private final boolean live;
        private long missedSince = Long.MIN_VALUE;

        Word(AttemptProgress attemptProgress, long append, long order, boolean live) {
            this.attemptProgress = attemptProgress;
            this.append = append;
            this.order = order;
            this.live = live;
        }
    }

    private final RefreshCallRules rules;
    private final AttemptHistories attemptHistories;
    private final PriorityQueue<Word> waiting = new PriorityQueue<>(
            Comparator.<Word>comparingLong(word -> word.append).thenComparingLong(word -> word.order));
    private long taken;

    WorkerReportQueue(RefreshCallRules rules, AttemptHistories attemptHistories) {
        this.rules = rules;
        this.attemptHistories = attemptHistories;
    }

    void addReport(AttemptProgress attemptProgress, long append, boolean live) {
        waiting.add(new Word(attemptProgress, append, taken++, live));
        attemptHistories.recordReport(attemptProgress.id(), attemptProgress.attemptId());
    }

    /** The journal is at a decision that the broker took at this instant: all words before it are judged. */
    void checkReportsBefore(long append, long journalSeq) {
        List<Word> early = new ArrayList<>();
        while (!waiting.isEmpty() && waiting.element().append < append) {
            Word word = waiting.remove();
            if (word.attemptProgress.attemptId() > journalSeq) {
                early.add(word);
            } else {
                judge(word, journalSeq);
            }
        }
        waiting.addAll(early);
    }

    /** All of the journal has been read. A word about an attempt that it does not know yet is given a while. */
    void caughtUp(long now, long journalSeq) {
        List<Word> early = new ArrayList<>();
        while (!waiting.isEmpty()) {
            Word word = waiting.remove();
            boolean known = word.attemptProgress.attemptId() <= journalSeq;
            if (known || (word.missedSince != Long.MIN_VALUE && now - word.missedSince >= ExpectedRecords.GRACE)) {
                judge(word, journalSeq);
            } else {
                word.missedSince = word.missedSince == Long.MIN_VALUE ? now : word.missedSince;
                early.add(word);
            }
        }
        waiting.addAll(early);
    }

    private void judge(Word word, long journalSeq) {
        rules.checkReport(word.attemptProgress, word.append, journalSeq, word.live);
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }
}
