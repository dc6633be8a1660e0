package dev.flotilla.auditor.check;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The histories of all open attempts, and of the last attempts that ended. */
final class AttemptHistories {
    /** Ended attempts whose late reports can be checked; nothing is known about older ones. */
    private static final int MAX_ENDED = 50_000;

    private final Map<Long, AttemptHistory> open = new HashMap<>();
    private final Map<Long, AttemptHistory> ended = new LinkedHashMap<>();
    private final Map<String, Long> newestReports = new HashMap<>();
    private long forgottenBelow;

    void openHistory(AttemptHistory history) {
        open.put(history.id, history);
    }

    void endHistory(AttemptHistory history) {
        open.remove(history.id);
        ended.put(history.id, history);
        if (ended.size() > MAX_ENDED) {
            long oldest = ended.keySet().iterator().next();
            ended.remove(oldest);
            forgetBelow(oldest + 1);
        }
    }

    /** The decision that ended an attempt or revoked its command is lost, and no worker has read it. */
    void reopenHistory(long number, boolean cancelled) {
        AttemptHistory history = ended.remove(number);
        if (history != null) {
            open.put(number, history);
        }
        AttemptHistory reopened = open.get(number);
        if (reopened != null && !cancelled) {
            reopened.forgetRevocation();
        }
    }

    /** Nothing may be known about attempts with smaller ids. */
    void forgetBelow(long below) {
        forgottenBelow = Math.max(forgottenBelow, below);
    }

    boolean isForgotten(long number) {
        return number < forgottenBelow;
    }

    @Nullable
    AttemptHistory findHistory(long number) {
        AttemptHistory history = open.get(number);
        return history != null ? history : ended.get(number);
    }

    /** Records that the newest report of a machine is about this attempt. */
    void recordReport(String machine, long number) {
        newestReports.put(machine, number);
    }

    /**
     * Whether compaction may have removed a report about an attempt, because a later report about the machine replaced
     * it.
     */
    boolean mayBeCompacted(AttemptHistory history) {
        return newestReports.getOrDefault(history.machine, Long.MAX_VALUE) > history.id;
    }
}
