package dev.flotilla.auditor.check;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The books of attempts: of all that are open, and of those that ended last. */
final class Attempts {
    /** A late word is judged for so many attempts that have ended; of older ones nothing is known any more. */
    private static final int ENDED_KEPT = 50_000;

    private final Map<Long, AttemptBook> open = new HashMap<>();
    private final Map<Long, AttemptBook> ended = new LinkedHashMap<>();
    private final Map<String, Long> newestWord = new HashMap<>();
    private long unknownBelow;

    void open(AttemptBook book) {
        open.put(book.number, book);
    }

    void end(AttemptBook book) {
        open.remove(book.number);
        ended.put(book.number, book);
        if (ended.size() > ENDED_KEPT) {
            long oldest = ended.keySet().iterator().next();
            ended.remove(oldest);
            forgotten(oldest + 1);
        }
    }

    /** Of attempts below a number nothing may be known. */
    void forgotten(long below) {
        unknownBelow = Math.max(unknownBelow, below);
    }

    boolean isForgotten(long number) {
        return number < unknownBelow;
    }

    @Nullable
    AttemptBook find(long number) {
        AttemptBook book = open.get(number);
        return book != null ? book : ended.get(number);
    }

    /** The newest word in a machine's progress is about this attempt. */
    void word(String machine, long number) {
        newestWord.put(machine, number);
    }

    /** Whether a word about an attempt may be gone, since a later one about the machine took its place. */
    boolean mayBeCompacted(AttemptBook book) {
        return newestWord.getOrDefault(book.machine, Long.MAX_VALUE) > book.number;
    }
}
