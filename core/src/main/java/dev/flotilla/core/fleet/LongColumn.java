package dev.flotilla.core.fleet;

import java.util.Arrays;

/** A long for each machine, in pages, so that growing copies nothing. */
final class LongColumn {

    private long[][] pages = new long[0][];

    long get(int row) {
        int page = row >>> IntColumn.PAGE_BITS;
        return page < pages.length && pages[page] != null ? pages[page][row & IntColumn.MASK] : 0;
    }

    void set(int row, long value) {
        int page = row >>> IntColumn.PAGE_BITS;
        if (page >= pages.length) {
            pages = Arrays.copyOf(pages, Math.max(page + 1, pages.length + (pages.length >> 2) + 1));
        }
        if (pages[page] == null) {
            pages[page] = new long[IntColumn.PAGE];
        }
        pages[page][row & IntColumn.MASK] = value;
    }
}
