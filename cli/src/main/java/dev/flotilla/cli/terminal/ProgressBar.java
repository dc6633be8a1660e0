package dev.flotilla.cli.terminal;

/** A bar of how far something is, as wide as a terminal has room for beside what is said of it. */
public final class ProgressBar {
    private static final String GREEN = "\u001b[32m";
    private static final String YELLOW = "\u001b[33m";
    private static final String RED = "\u001b[31m";
    private static final int LONGEST = 60;
    private static final int SHORTEST = 10;

    /** What ends a colour. */
    public static final String PLAIN = "\u001b[0m";

    private final Terminal terminal;
    private final int width;

    /**
     * Bars of a terminal.
     *
     * @param beside columns of what stands beside them
     */
    public ProgressBar(Terminal terminal, int beside) {
        this.terminal = terminal;
        this.width = Math.max(SHORTEST, Math.min(LONGEST, terminal.width() - beside));
    }

    /** So many of all are done, have gone badly, or are under way; the rest has not begun. */
    public String render(int all, int done, int bad, int doing) {
        int green = part(done, all);
        int red = Math.min(width - green, part(bad, all));
        int yellow = Math.min(width - green - red, part(doing, all));
        return "[" + painted(GREEN, "#".repeat(green)) + painted(RED, "x".repeat(red))
                + painted(YELLOW, "-".repeat(yellow)) + " ".repeat(width - green - red - yellow) + "]";
    }

    private int part(int count, int all) {
        return all == 0 || count <= 0 ? 0 : Math.min(width, Math.max(1, count * width / all));
    }

    private String painted(String colour, String text) {
        return terminal.colour() && !text.isEmpty() ? colour + text + PLAIN : text;
    }

    /** Goes so many lines up, and clears from there on. */
    public static String up(int lines) {
        return lines > 0 ? "\u001b[" + lines + "A\u001b[J" : "";
    }
}
