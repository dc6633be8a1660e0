package dev.flotilla.core.fleet.column;

import java.util.Arrays;

/** The numbers of rows in columns: one that was given back, or else the least that was never taken. */
public final class RowNumberAllocator {
    private int[] free = new int[0];
    private int frees;
    private int end;

    public RowNumberAllocator(int first) {
        end = first;
    }

    /** One more than the greatest that was ever taken. */
    public int end() {
        return end;
    }

    public int allocate() {
        return frees > 0 ? free[--frees] : end++;
    }

    public void release(int row) {
        if (frees == free.length) {
            free = Arrays.copyOf(free, Math.max(16, frees * 2));
        }
        free[frees++] = row;
    }
}
