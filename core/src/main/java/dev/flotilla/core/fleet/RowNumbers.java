package dev.flotilla.core.fleet;

import java.util.Arrays;

/** The numbers of rows in columns: one that was given back, or else the least that was never taken. */
final class RowNumbers {
    private int[] free = new int[0];
    private int frees;
    private int end;

    RowNumbers(int first) {
        end = first;
    }

    /** One more than the greatest that was ever taken. */
    int end() {
        return end;
    }

    int take() {
        return frees > 0 ? free[--frees] : end++;
    }

    void giveBack(int row) {
        if (frees == free.length) {
            free = Arrays.copyOf(free, Math.max(16, frees * 2));
        }
        free[frees++] = row;
    }
}
