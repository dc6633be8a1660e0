package dev.flotilla.core.fleet;

import java.util.Arrays;

/** The numbers of rows in columns: one that was given back, or else the least that was never taken. */
final class RowNumberAllocator {
    private int[] free = new int[0];
    private int frees;
    private int end;

    RowNumberAllocator(int first) {
        end = first;
    }

    /** One more than the greatest that was ever taken. */
    int end() {
        return end;
    }

    int allocate() {
        return frees > 0 ? free[--frees] : end++;
    }

    void release(int row) {
        if (frees == free.length) {
            free = Arrays.copyOf(free, Math.max(16, frees * 2));
        }
        free[frees++] = row;
    }
}
