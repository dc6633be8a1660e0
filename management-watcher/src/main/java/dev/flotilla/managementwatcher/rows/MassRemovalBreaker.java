package dev.flotilla.managementwatcher.rows;

import dev.flotilla.schemas.id.MachineKey;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Holds tombstones back when too many machines vanish within ten minutes: it may be the list that is wrong. Once it holds, it
 * holds until they are all back, or until somebody has said that they are really gone.
 */
public final class MassRemovalBreaker {
    private static final long WINDOW_MILLIS = 10 * 60_000L;
    private static final int AT_LEAST = 10;
    private static final int PERCENT = 5;

    private final Deque<Long> removed = new ArrayDeque<>();
    private final Set<MachineKey> accepted = new LinkedHashSet<>();
    private Set<MachineKey> countWithheld = new LinkedHashSet<>();

    /** One was removed, in the order of time. */
    public void recordRemoval(long at) {
        removed.addLast(at);
    }

    /** How many are held back. */
    public int countWithheld() {
        return countWithheld.size();
    }

    /**
     * Which of those that are missing may be removed now.
     *
     * @param missing every machine that has a row and is not there
     * @param known how many have a row
     */
    public Set<MachineKey> selectRemovable(Collection<MachineKey> missing, int known, long now) {
        while (!removed.isEmpty() && removed.peekFirst() < now - WINDOW_MILLIS) {
            removed.removeFirst();
        }
        accepted.retainAll(missing);
        Set<MachineKey> may = new LinkedHashSet<>(accepted);
        accepted.clear();
        Set<MachineKey> others = new LinkedHashSet<>(missing);
        others.removeAll(may);
        boolean holds = !countWithheld.isEmpty() && !others.isEmpty();
        if (holds || removed.size() + others.size() > bound(known)) {
            countWithheld = others;
            return may;
        }
        countWithheld = new LinkedHashSet<>();
        others.forEach(key -> removed.addLast(now));
        may.addAll(others);
        return may;
    }

    private static int bound(int known) {
        return Math.max(AT_LEAST, (int) ((long) known * PERCENT / 100));
    }

    /** Somebody says that those held back are really gone. */
    public void acceptWithheld() {
        accepted.addAll(countWithheld);
        countWithheld = new LinkedHashSet<>();
    }
}
