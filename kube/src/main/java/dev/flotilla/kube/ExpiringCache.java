package dev.flotilla.kube;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A cache whose entries expire after a fixed time. If it is full, it removes the least recently used entry. */
public final class ExpiringCache<K, V> {
    private record CacheEntry<V>(V value, long at) {}

    private final int maxEntries;
    private final long lifetimeNanos;
    private final LongSupplier ticks;
    private final ReentrantLock lock = new ReentrantLock();
    private final LinkedHashMap<K, CacheEntry<V>> entries = new LinkedHashMap<>(16, 0.75f, true);

    public ExpiringCache(int most, long nanos, LongSupplier ticks) {
        this.maxEntries = most;
        this.lifetimeNanos = nanos;
        this.ticks = ticks;
    }

    /** Returns the value of a key; null if there is none or it has expired. */
    public @Nullable V get(K key) {
        lock.lock();
        try {
            CacheEntry<V> found = entries.get(key);
            if (found == null) {
                return null;
            }
            if (ticks.getAsLong() - found.at() > lifetimeNanos) {
                entries.remove(key);
                return null;
            }
            return found.value();
        } finally {
            lock.unlock();
        }
    }

    /** Adds or replaces the value of a key. */
    public void put(K key, V value) {
        lock.lock();
        try {
            entries.put(key, new CacheEntry<>(value, ticks.getAsLong()));
            if (entries.size() > maxEntries) {
                Map.Entry<K, CacheEntry<V>> eldest =
                        entries.entrySet().iterator().next();
                entries.remove(eldest.getKey());
            }
        } finally {
            lock.unlock();
        }
    }

    /** Removes the value of a key. */
    public void remove(K key) {
        lock.lock();
        try {
            entries.remove(key);
        } finally {
            lock.unlock();
        }
    }
}
