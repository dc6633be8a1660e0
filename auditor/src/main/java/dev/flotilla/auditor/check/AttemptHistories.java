package dev.flotilla.auditor.check;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The books of attempts: of all that are open, and of those that ended last. */
final class AttemptHistories {
    /** A late word is judged for so many attempts that have ended; of older ones nothing is known any more. */
    private static final int ENDED_KEPT = 50_000;

    private final Map<Long, AttemptHistory> openHistory = new HashMap<>();
    private final Map<Long, AttemptHistory> ended = new LinkedHashMap<>();
    private final Map<String, Long> newestWord = new HashMap<>();
    private long unknownBelow;

    void openHistory(AttemptHistory book) {
        openHistory.put(book.number, book);
    }

    void endHistory(AttemptHistory book) {
        openHistory.remove(book.number);
        ended.put(book.number, book);
        if (ended.size() > ENDED_KEPT) {
            long oldest = ended.keySet().iterator().next();
            ended.remove(oldest);
            forgetBelow(oldest + 1);
        }
    }

    /** Of attempts below a number nothing may be known. */
    void forgetBelow(long below) {
        unknownBelow = Math.max(unknownBelow, below);
    }

    boolean isForgotten(long number) {
        return number < unknownBelow;
    }

    @Nullable
    AttemptHistory findHistory(long number) {
        AttemptHistory book = openHistory.get(number);
        return book != null ? book : ended.get(number);
    }

    /** The newest word in a machine's progress is about this attempt. */
    void recordReport(String machine, long number) {
        newestWord.put(machine, number);
    }

    /** Whether a word about an attempt may be gone, since a later one about the machine took its place. */
    boolean mayBeCompacted(AttemptHistory book) {
        return newestWord.getOrDefault(book.machine, Long.MAX_VALUE) > book.number;
    }
}
