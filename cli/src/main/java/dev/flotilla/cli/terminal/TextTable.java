package dev.flotilla.cli.terminal;

import java.util.ArrayList;
import java.util.List;

/** Text in columns, each as wide as its widest cell; the last column is not padded. */
public final class TextTable {
    private static final String GAP = "  ";

    private final List<List<String>> rows = new ArrayList<>();
    private final int[] widths;

    public TextTable(String... header) {
        widths = new int[header.length];
        row(header);
    }

    public TextTable row(String... cells) {
        widen(cells);
        rows.add(List.of(cells));
        return this;
    }

    public List<String> lines() {
        return rows.stream().map(this::format).toList();
    }

    /** Formats a row that comes when the lines above it are printed already, and does not keep it. */
    public String formatLater(String... cells) {
        widen(cells);
        return format(List.of(cells));
    }

    private void widen(String... cells) {
        for (int i = 0; i < widths.length; i++) {
            widths[i] = Math.max(widths[i], cells[i].length());
        }
    }

    private String format(List<String> row) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            String cell = row.get(i);
            line.append(cell);
            if (i < widths.length - 1) {
                line.append(" ".repeat(widths[i] - cell.length())).append(GAP);
            }
        }
        return line.toString().stripTrailing();
    }
}
