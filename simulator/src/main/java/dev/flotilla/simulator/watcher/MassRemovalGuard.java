package dev.flotilla.simulator.watcher;

import dev.flotilla.schemas.id.MachineKey;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Withholds tombstones if too many machines vanish at once, because the list of machines may be wrong. */
final class MassRemovalGuard {
    private static final long WINDOW = 10 * 60_000L;
    private static final int MIN_LIMIT = 10;
    private static final int LIMIT_PERCENT = 5;

    private final Deque<Long> removed = new ArrayDeque<>();
    private final Map<MachineKey, Long> vanished = new LinkedHashMap<>();
    private final Set<MachineKey> accepted = new LinkedHashSet<>();
    private boolean withholding;
    private @Nullable String lastAccepted;

    void reset() {
        removed.clear();
        vanished.clear();
        accepted.clear();
        withholding = false;
    }

    int withheldRemovals() {
        return withholding ? vanished.size() : 0;
    }

    void recordPresent(MachineKey key) {
        vanished.remove(key);
        accepted.remove(key);
        if (vanished.isEmpty()) {
            withholding = false;
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
        int limit = Math.max(MIN_LIMIT, known * LIMIT_PERCENT / 100);
        if (withholding || removed.size() + vanished.size() > limit) {
            withholding = true;
            return false;
        }
        vanished.remove(key);
        removed.addLast(now);
        return true;
    }

    /** Accepts an order that confirms the withheld deletions. Each order counts once. */
    boolean accept(String order) {
        if (order.equals(lastAccepted)) {
            return false;
        }
        lastAccepted = order;
        if (!withholding) {
            return false;
        }
        accepted.addAll(vanished.keySet());
        vanished.clear();
        withholding = false;
        return true;
    }
}
