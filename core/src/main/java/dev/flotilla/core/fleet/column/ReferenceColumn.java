package dev.flotilla.core.fleet.column;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** One object or null for each machine, in pages; empty pages are not allocated. */
public final class ReferenceColumn<T> {
    private @Nullable Object[] @Nullable [] pages = new Object[0][];

    @SuppressWarnings("unchecked")
    public @Nullable T get(int row) {
        int page = row >>> IntColumn.PAGE_BITS;
        if (page >= pages.length) {
            return null;
        }
        @Nullable Object[] values = pages[page];
        int place = row & IntColumn.MASK;
        return values != null && place < values.length ? (T) values[place] : null;
    }

    public void set(int row, @Nullable T value) {
        int page = row >>> IntColumn.PAGE_BITS;
        if (page >= pages.length) {
            if (value == null) {
                return;
            }
            pages = Arrays.copyOf(pages, page + 1);
        }
        @Nullable Object[] values = pages[page];
        int place = row & IntColumn.MASK;
        if (values == null || place >= values.length) {
            if (value == null) {
                return;
            }
            int length = IntColumn.pageLength(row);
            values = values == null ? new Object[length] : Arrays.copyOf(values, length);
            pages[page] = values;
        }
        values[place] = value;
    }
}
