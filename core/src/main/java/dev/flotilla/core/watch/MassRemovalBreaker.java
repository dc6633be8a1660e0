package dev.flotilla.core.watch;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Withholds tombstones when too many machines disappear within ten minutes, because the list may be wrong. They stay
 * withheld until all machines are back, or until an order accepts the removal, also after the watcher has restarted.
 */
public final class MassRemovalBreaker {
    private static final long WINDOW_MILLIS = 10 * 60_000L;
    private static final int MIN_BOUND = 10;
    private static final int MAX_PERCENT = 5;

    private final Deque<Long> removalTimes = new ArrayDeque<>();
    private final Set<MachineKey> accepted = new LinkedHashSet<>();
    private Set<MachineKey> withheld = new LinkedHashSet<>();

    /** How many removals an earlier watcher withheld; zero once its missing machines were evaluated here. */
    private int withheldBefore;

    private boolean hasEvaluated;
    private @Nullable String appliedOrder;

    /**
     * @param last the site's last heartbeat; null for none
     * @param order the order to accept a mass removal that the site's status names; null for none
     */
    public MassRemovalBreaker(@Nullable WatcherHeartbeat last, @Nullable String order) {
        // An order that was given while no watcher ran still counts; one that was applied does not.
        this.appliedOrder = last == null ? order : last.appliedRemovalOrder();
        this.withheldBefore = last == null ? 0 : last.withheldRemovals();
    }

    /** Records a removal. Must be called in the order of time. */
    public void recordRemoval(long at) {
        removalTimes.addLast(at);
    }

    /** Returns how many removals are withheld. */
    public int countWithheld() {
        return withheldBefore > 0 ? withheldBefore : withheld.size();
    }

    /**
     * Returns which missing machines may be removed now.
     *
     * @param missing every machine that has a row and does not exist any more
     * @param known number of machines with a row
     */
    public Set<MachineKey> selectRemovable(Collection<MachineKey> missing, int known, long now) {
        while (!removalTimes.isEmpty() && removalTimes.peekFirst() < now - WINDOW_MILLIS) {
            removalTimes.removeFirst();
        }
        accepted.retainAll(missing);
        Set<MachineKey> removable = new LinkedHashSet<>(accepted);
        accepted.clear();
        Set<MachineKey> others = new LinkedHashSet<>(missing);
        others.removeAll(removable);
        boolean stillWithheld = countWithheld() > 0 && !others.isEmpty();
        withheldBefore = 0;
        hasEvaluated = true;
        if (stillWithheld || removalTimes.size() + others.size() > maxRemovals(known)) {
            withheld = others;
            return removable;
        }
        withheld = new LinkedHashSet<>();
        others.forEach(key -> removalTimes.addLast(now));
        removable.addAll(others);
        return removable;
    }

    private static int maxRemovals(int known) {
        return Math.max(MIN_BOUND, (int) ((long) known * MAX_PERCENT / 100));
    }

    /**
     * Accepts the removals that are withheld, if this order was not applied before; returns whether it did. An order
     * that arrives while nothing is withheld counts as applied, so that it does not accept later removals.
     */
    public boolean applyOrder(@Nullable String order) {
        if (order == null || order.equals(appliedOrder) || !hasEvaluated) {
            return false;
        }
        appliedOrder = order;
        if (withheld.isEmpty()) {
            return false;
        }
        accepted.addAll(withheld);
        withheld = new LinkedHashSet<>();
        return true;
    }

    /**
     * Returns the applied order, for the heartbeat; one that is given while nothing is withheld counts as applied. It
     * is remembered while the site has no status row, because the row may return with it.
     */
    public @Nullable String settleOrder(@Nullable String order) {
        if (order != null && countWithheld() == 0) {
            appliedOrder = order;
        }
        return appliedOrder;
    }
}
