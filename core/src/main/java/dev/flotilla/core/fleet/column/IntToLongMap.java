package dev.flotilla.core.fleet.column;

import java.util.Arrays;

/** A map from non-negative ints to non-negative longs, by open addressing. */
public final class IntToLongMap {
    public static final int ABSENT = -1;

    private int[] keys;
    private long[] values;
    private int size;

    public IntToLongMap() {
        keys = new int[32];
        values = new long[32];
        Arrays.fill(keys, ABSENT);
    }

    public long get(int key) {
        int slot = find(key);
        return keys[slot] == key ? values[slot] : ABSENT;
    }

    public void put(int key, long value) {
        int slot = find(key);
        if (keys[slot] != key) {
            if (2 * (size + 1) > keys.length) {
                grow();
                slot = find(key);
            }
            keys[slot] = key;
            size++;
        }
        values[slot] = value;
    }

    /** Removes a key; returns its value, or {@link #ABSENT}. */
    public long remove(int key) {
        int slot = find(key);
        if (keys[slot] != key) {
            return ABSENT;
        }
        long value = values[slot];
        size--;
        int hole = slot;
        int next = (hole + 1) & (keys.length - 1);
        while (keys[next] != ABSENT) {
            int home = preferredSlot(keys[next]);
            boolean between = hole <= next ? home > hole && home <= next : home > hole || home <= next;
            if (!between) {
                keys[hole] = keys[next];
                values[hole] = values[next];
                hole = next;
            }
            next = (next + 1) & (keys.length - 1);
        }
        keys[hole] = ABSENT;
        return value;
    }

    private int find(int key) {
        int slot = preferredSlot(key);
        while (keys[slot] != ABSENT && keys[slot] != key) {
            slot = (slot + 1) & (keys.length - 1);
        }
        return slot;
    }

    private int preferredSlot(int key) {
        return (key * 0x9e3779b9) >>> Integer.numberOfLeadingZeros(keys.length - 1);
    }

    private void grow() {
        int[] oldKeys = keys;
        long[] oldValues = values;
        keys = new int[oldKeys.length * 2];
        values = new long[oldKeys.length * 2];
        Arrays.fill(keys, ABSENT);
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldKeys[i] != ABSENT) {
                int slot = find(oldKeys[i]);
                keys[slot] = oldKeys[i];
                values[slot] = oldValues[i];
            }
        }
    }
}
