package dev.flotilla.testkit.canonical;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Records which nodes were asked to refresh, and by whom. Two controllers that upgrade the same node conflict here. */
public final class RefreshRequestLedger {
    /** A refresh requested by the controllers ends after this many polls. */
    private static final int POLLS = 3;

    private final int polls;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<RefreshRequest> calls = new ArrayList<>();
    private final Map<String, RunningRefresh> running = new HashMap<>();
    private int conflicts;

    public RefreshRequestLedger() {
        this(POLLS);
    }

    private RefreshRequestLedger(int polls) {
        this.polls = polls;
    }

    /** A ledger in which a refresh continues until {@link #finish}. */
    public static RefreshRequestLedger blockingLedger() {
        return new RefreshRequestLedger(Integer.MAX_VALUE);
    }

    /** A request to refresh a node. */
    public record RefreshRequest(String machine, String option, String requester) {}

    private static final class RunningRefresh {
        private final String changeId;
        private int polls;

        RunningRefresh(String changeId) {
            this.changeId = changeId;
        }
    }

    /** Requests a refresh. Returns the id of its change; null if the node is already refreshing. */
    public @Nullable String refresh(String machine, String option, String by) {
        lock.lock();
        try {
            if (running.containsKey(machine)) {
                conflicts++;
                return null;
            }
            calls.add(new RefreshRequest(machine, option, by));
            RunningRefresh change = new RunningRefresh(Integer.toString(calls.size()));
            running.put(machine, change);
            return change.changeId;
        } finally {
            lock.unlock();
        }
    }

    /** Whether a node's change has ended, as of this poll. */
    boolean pollRefresh(String machine, String changeId) {
        lock.lock();
        try {
            RunningRefresh change = running.get(machine);
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

    /** Ends a node's refresh. */
    public void finish(String machine) {
        lock.lock();
        try {
            running.remove(machine);
        } finally {
            lock.unlock();
        }
    }

    /** How many nodes of a set are refreshing. */
    public long running(Predicate<String> machines) {
        lock.lock();
        try {
            return running.keySet().stream().filter(machines).count();
        } finally {
            lock.unlock();
        }
    }

    /** All accepted requests, in order. */
    public List<RefreshRequest> calls() {
        lock.lock();
        try {
            return List.copyOf(calls);
        } finally {
            lock.unlock();
        }
    }

    /** How many requests met a node that was already refreshing. */
    public int conflicts() {
        lock.lock();
        try {
            return conflicts;
        } finally {
            lock.unlock();
        }
    }
}
