package dev.flotilla.core.fleet.column;

import java.util.Arrays;

/** One long for each machine, in pages, so that growing copies only the first page. */
public final class LongColumn {

    private long[][] pages = new long[0][];

    public long get(int row) {
        int page = row >>> IntColumn.PAGE_BITS;
        long[] values = page < pages.length ? pages[page] : null;
        int place = row & IntColumn.MASK;
        return values != null && place < values.length ? values[place] : 0;
    }

    public void set(int row, long value) {
        int page = row >>> IntColumn.PAGE_BITS;
        if (page >= pages.length) {
            pages = Arrays.copyOf(pages, page + 1);
        }
        long[] values = pages[page];
        int place = row & IntColumn.MASK;
        if (values == null || place >= values.length) {
            int length = IntColumn.pageLength(row);
            values = values == null ? new long[length] : Arrays.copyOf(values, length);
            pages[page] = values;
        }
        values[place] = value;
    }
}
