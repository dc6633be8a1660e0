package dev.flotilla.auditor.check;

import dev.flotilla.auditor.wire.Progress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** Workers' words on their way to their place between the decisions: by when the broker took them. */
final class Words {
    private static final class Word {
        private final Progress progress;
        private final long append;
        private final long order;
        private final boolean live;
        private long missedSince = Long.MIN_VALUE;

        Word(Progress progress, long append, long order, boolean live) {
            this.progress = progress;
            this.append = append;
            this.order = order;
            this.live = live;
        }
    }

    private final CallRules rules;
    private final Attempts attempts;
    private final PriorityQueue<Word> waiting = new PriorityQueue<>(
            Comparator.<Word>comparingLong(word -> word.append).thenComparingLong(word -> word.order));
    private long taken;

    Words(CallRules rules, Attempts attempts) {
        this.rules = rules;
        this.attempts = attempts;
    }

    void heard(Progress progress, long append, boolean live) {
        waiting.add(new Word(progress, append, taken++, live));
        attempts.word(progress.id(), progress.attempt());
    }

    /** The journal is at a decision that the broker took at this instant: all words before it are judged. */
    void before(long append, long journalSeq) {
        List<Word> early = new ArrayList<>();
        while (!waiting.isEmpty() && waiting.element().append < append) {
            Word word = waiting.remove();
            if (word.progress.attempt() > journalSeq) {
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
            boolean known = word.progress.attempt() <= journalSeq;
            if (known || (word.missedSince != Long.MIN_VALUE && now - word.missedSince >= Awaited.GRACE)) {
                judge(word, journalSeq);
            } else {
                word.missedSince = word.missedSince == Long.MIN_VALUE ? now : word.missedSince;
                early.add(word);
            }
        }
        waiting.addAll(early);
    }

    private void judge(Word word, long journalSeq) {
        rules.said(word.progress, word.append, journalSeq, word.live);
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }
}
