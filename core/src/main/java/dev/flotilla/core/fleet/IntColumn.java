package dev.flotilla.core.fleet;

import java.util.Arrays;

/** An int for each machine, in pages, so that growing copies nothing. */
final class IntColumn {
    static final int PAGE_BITS = 12;
    static final int PAGE = 1 << PAGE_BITS;
    static final int MASK = PAGE - 1;

    private int[][] pages = new int[0][];

    int get(int row) {
        int page = row >>> PAGE_BITS;
        return page < pages.length && pages[page] != null ? pages[page][row & MASK] : 0;
    }

    void set(int row, int value) {
        int page = row >>> PAGE_BITS;
        if (page >= pages.length) {
            pages = Arrays.copyOf(pages, Math.max(page + 1, pages.length + (pages.length >> 2) + 1));
        }
        if (pages[page] == null) {
            pages[page] = new int[PAGE];
        }
        pages[page][row & MASK] = value;
    }
}
