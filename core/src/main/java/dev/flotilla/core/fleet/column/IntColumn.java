package dev.flotilla.core.fleet.column;

import java.util.Arrays;

/** One int for each machine, in pages, so that growing copies only the first page. */
public final class IntColumn {
    static final int PAGE_BITS = 12;
    static final int MASK = (1 << PAGE_BITS) - 1;

    private static final int SMALLEST = 64;

    private int[][] pages = new int[0][];

    public int get(int row) {
        int page = row >>> PAGE_BITS;
        int[] values = page < pages.length ? pages[page] : null;
        int place = row & MASK;
        return values != null && place < values.length ? values[place] : 0;
    }

    public void set(int row, int value) {
        int page = row >>> PAGE_BITS;
        if (page >= pages.length) {
            pages = Arrays.copyOf(pages, page + 1);
        }
        int[] values = pages[page];
        int place = row & MASK;
        if (values == null || place >= values.length) {
            int length = pageLength(row);
            values = values == null ? new int[length] : Arrays.copyOf(values, length);
            pages[page] = values;
        }
        values[place] = value;
    }

    /**
     * The length of a page that holds a row. Only the first page can be shorter: simulations have many small fleets,
     * each restored again and again.
     */
    public static int pageLength(int row) {
        return row > MASK ? MASK + 1 : Math.max(SMALLEST, Integer.highestOneBit(row) << 1);
    }
}
