package dev.flotilla.simulator.watcher;

import dev.flotilla.schemas.id.MachineKey;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Holds tombstones back when too many machines vanish at once: it may be the list that is wrong. */
final class MassRemovalGuard {
    private static final long WINDOW = 10 * 60_000L;
    private static final int AT_LEAST = 10;
    private static final int PERCENT = 5;

    private final Deque<Long> removed = new ArrayDeque<>();
    private final Map<MachineKey, Long> vanished = new LinkedHashMap<>();
    private final Set<MachineKey> accepted = new LinkedHashSet<>();
    private boolean holding;
    private @Nullable String lastAccepted;

    void reset() {
        removed.clear();
        vanished.clear();
        accepted.clear();
        holding = false;
    }

    int withheldRemovals() {
        return holding ? vanished.size() : 0;
    }

    void isThere(MachineKey key) {
        vanished.remove(key);
        accepted.remove(key);
        if (vanished.isEmpty()) {
            holding = false;
        }
    }

    boolean mayRemove(MachineKey key, long now, int known) {
        while (!removed.isEmpty() && removed.peekFirst() < now - WINDOW) {
            removed.removeFirst();
        }
        if (accepted.remove(key)) {
            return true;
        }
        vanished.putIfAbsent(key, now);
        int bound = Math.max(AT_LEAST, known * PERCENT / 100);
        if (holding || removed.size() + vanished.size() > bound) {
            holding = true;
            return false;
        }
        vanished.remove(key);
        removed.addLast(now);
        return true;
    }

    /** An order says that what vanished is really gone. Each order counts once. */
    boolean accept(String order) {
        if (order.equals(lastAccepted)) {
            return false;
        }
        lastAccepted = order;
        if (!holding) {
            return false;
        }
        accepted.addAll(vanished.keySet());
        vanished.clear();
        holding = false;
        return true;
    }
}
