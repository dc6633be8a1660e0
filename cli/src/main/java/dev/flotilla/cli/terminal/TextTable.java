package dev.flotilla.cli.terminal;

import java.util.ArrayList;
import java.util.List;

/** Text in columns, each as wide as its widest cell; the last column is not padded. */
public final class TextTable {
    private static final String GAP = "  ";

    private final List<List<String>> rows = new ArrayList<>();

    public TextTable(String... header) {
        rows.add(List.of(header));
    }

    public TextTable row(String... cells) {
        rows.add(List.of(cells));
        return this;
    }

    public List<String> lines() {
        int columns = rows.get(0).size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < columns; i++) {
                String cell = row.get(i);
                line.append(cell);
                if (i < columns - 1) {
                    line.append(" ".repeat(widths[i] - cell.length())).append(GAP);
                }
            }
            lines.add(line.toString().stripTrailing());
        }
        return lines;
    }
}
