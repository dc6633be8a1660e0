package dev.flotilla.core.fleet.column;

import java.util.Arrays;

/** Allocates row numbers of columns: a freed number first, otherwise the lowest unused one. */
public final class RowNumberAllocator {
    private int[] free = new int[0];
    private int frees;
    private int end;

    public RowNumberAllocator(int first) {
        end = first;
    }

    /** The number after the highest ever allocated. */
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
