package dev.flotilla.testkit.canonical;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What nodes are asked for, and by whom, whoever asks: the one book in which two who upgrade the same node would meet. */
public final class RefreshRequestLedger {
    /** A node of the controllers' is done when it was asked so often. */
    private static final int POLLS = 3;

    private final int polls;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<RefreshRequest> calls = new ArrayList<>();
    private final Map<String, Running> running = new HashMap<>();
    private int conflicts;

    public RefreshRequestLedger() {
        this(POLLS);
    }

    private RefreshRequestLedger(int polls) {
        this.polls = polls;
    }

    /** One in which a node of the controllers' is at it until {@link #finish}. */
    public static RefreshRequestLedger blockingLedger() {
        return new RefreshRequestLedger(Integer.MAX_VALUE);
    }

    /** A node was asked to refresh. */
    public record RefreshRequest(String machine, String option, String requester) {}

    private static final class Running {
        private final String changeId;
        private int polls;

        Running(String changeId) {
            this.changeId = changeId;
        }
    }

    /** Asks a node; the id of its change, or null where it is at one already. */
    public @Nullable String refresh(String machine, String option, String by) {
        lock.lock();
        try {
            if (running.containsKey(machine)) {
                conflicts++;
                return null;
            }
            calls.add(new RefreshRequest(machine, option, by));
            Running change = new Running(Integer.toString(calls.size()));
            running.put(machine, change);
            return change.changeId;
        } finally {
            lock.unlock();
        }
    }

    /** Whether a node's change is over, as a poll learns it. */
    boolean pollRefresh(String machine, String changeId) {
        lock.lock();
        try {
            Running change = running.get(machine);
            if (change == null || !change.changeId.equals(changeId)) {
                return true;
            }
            if (++change.polls < polls) {
                return false;
            }
            running.remove(machine);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** A node is done. */
    public void finish(String machine) {
        lock.lock();
        try {
            running.remove(machine);
        } finally {
            lock.unlock();
        }
    }

    /** How many nodes of some are at it just now. */
    public long running(Predicate<String> machines) {
        lock.lock();
        try {
            return running.keySet().stream().filter(machines).count();
        } finally {
            lock.unlock();
        }
    }

    /** Everything that was asked for, in order. */
    public List<RefreshRequest> calls() {
        lock.lock();
        try {
            return List.copyOf(calls);
        } finally {
            lock.unlock();
        }
    }

    /** How often a node was asked that was at it already. */
    public int conflicts() {
        lock.lock();
        try {
            return conflicts;
        } finally {
            lock.unlock();
        }
    }
}
