package dev.flotilla.kube;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** What was read a moment ago. Bounded in time and in number: the one that was not used for longest goes first. */
public final class ExpiringCache<K, V> {
    private record Kept<V>(V value, long at) {}

    private final int most;
    private final long nanos;
    private final LongSupplier ticks;
    private final ReentrantLock lock = new ReentrantLock();
    private final LinkedHashMap<K, Kept<V>> kept = new LinkedHashMap<>(16, 0.75f, true);

    public ExpiringCache(int most, long nanos, LongSupplier ticks) {
        this.most = most;
        this.nanos = nanos;
        this.ticks = ticks;
    }

    /** What is kept and still new enough; null where nothing is. */
    public @Nullable V get(K key) {
        lock.lock();
        try {
            Kept<V> found = kept.get(key);
            if (found == null) {
                return null;
            }
            if (ticks.getAsLong() - found.at() > nanos) {
                kept.remove(key);
                return null;
            }
            return found.value();
        } finally {
            lock.unlock();
        }
    }

    /** Keeps it for a while. */
    public void put(K key, V value) {
        lock.lock();
        try {
            kept.put(key, new Kept<>(value, ticks.getAsLong()));
            if (kept.size() > most) {
                Map.Entry<K, Kept<V>> eldest = kept.entrySet().iterator().next();
                kept.remove(eldest.getKey());
            }
        } finally {
            lock.unlock();
        }
    }

    /** Keeps it no longer. */
    public void remove(K key) {
        lock.lock();
        try {
            kept.remove(key);
        } finally {
            lock.unlock();
        }
    }
}
