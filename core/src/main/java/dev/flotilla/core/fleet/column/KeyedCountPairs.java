package dev.flotilla.core.fleet.column;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Two counts for each of a few keys, such as one cluster has. Keys are found by linear search, and counting again
 * allocates nothing, because it happens whenever a cluster changes.
 */
public final class KeyedCountPairs {
    private static final int FEW = 4;

    private long[] keys = new long[FEW];
    private int[] mores = new int[FEW];
    private int[] firsts = new int[FEW];
    private int[] seconds = new int[FEW];
    private int size;

    /** Receives the differences. */
    public interface CountChangeListener {
        /**
         * Called for each changed key.
         *
         * @param more the rest of the key
         * @param came positive for a new key, negative for a removed key
         */
        void of(long key, int more, int came, int first, int second);
    }

    public void clear() {
        size = 0;
    }

    public void add(long key, int more, int first, int second) {
        int at = find(key, more);
        if (at < 0) {
            at = nextFreeSlot();
            keys[at] = key;
            mores[at] = more;
            firsts[at] = 0;
            seconds[at] = 0;
        }
        firsts[at] += first;
        seconds[at] += second;
    }

    /** Reports how each count differs from earlier counts; returns whether any does. */
    public boolean since(@Nullable KeyedCountPairs before, CountChangeListener difference) {
        boolean differs = false;
        for (int i = 0; i < size; i++) {
            int at = before == null ? -1 : before.find(keys[i], mores[i]);
            int first = firsts[i] - (at < 0 || before == null ? 0 : before.firsts[at]);
            int second = seconds[i] - (at < 0 || before == null ? 0 : before.seconds[at]);
            if (at < 0 || first != 0 || second != 0) {
                difference.of(keys[i], mores[i], at < 0 ? 1 : 0, first, second);
                differs = true;
            }
        }
        for (int i = 0; before != null && i < before.size; i++) {
            if (find(before.keys[i], before.mores[i]) < 0) {
                difference.of(before.keys[i], before.mores[i], -1, -before.firsts[i], -before.seconds[i]);
                differs = true;
            }
        }
        return differs;
    }

    /** Copies these counts into others, or into new ones if there are none yet, and returns them. */
    public KeyedCountPairs copyTo(@Nullable KeyedCountPairs others) {
        KeyedCountPairs copy = others == null ? new KeyedCountPairs() : others;
        copy.become(this);
        return copy;
    }

    /** Copies the counts of another. */
    void become(KeyedCountPairs other) {
        if (keys.length < other.size) {
            grow(other.size);
        }
        for (int i = 0; i < other.size; i++) {
            keys[i] = other.keys[i];
            mores[i] = other.mores[i];
            firsts[i] = other.firsts[i];
            seconds[i] = other.seconds[i];
        }
        size = other.size;
    }

    private int find(long key, int more) {
        for (int i = 0; i < size; i++) {
            if (keys[i] == key && mores[i] == more) {
                return i;
            }
        }
        return -1;
    }

    private int nextFreeSlot() {
        if (size == keys.length) {
            grow(2 * size);
        }
        return size++;
    }

    private void grow(int length) {
        keys = Arrays.copyOf(keys, length);
        mores = Arrays.copyOf(mores, length);
        firsts = Arrays.copyOf(firsts, length);
        seconds = Arrays.copyOf(seconds, length);
    }
}
