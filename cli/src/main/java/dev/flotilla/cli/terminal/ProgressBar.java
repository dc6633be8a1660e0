package dev.flotilla.cli.terminal;

/** Progress bar that fills the terminal's width beside its text. */
public final class ProgressBar {
    private static final String GREEN = "\u001b[32m";
    private static final String YELLOW = "\u001b[33m";
    private static final String RED = "\u001b[31m";
    private static final int LONGEST = 60;
    private static final int SHORTEST = 10;

    /** Escape sequence that ends a colour. */
    public static final String PLAIN = "\u001b[0m";

    private final Terminal terminal;
    private final int width;

    /**
     * Makes bars for a terminal.
     *
     * @param beside columns of the text beside the bar
     */
    public ProgressBar(Terminal terminal, int beside) {
        this.terminal = terminal;
        this.width = Math.max(SHORTEST, Math.min(LONGEST, terminal.width() - beside));
    }

    /** Renders how many of all are done, failed or in progress; the rest has not started. */
    public String render(int all, int done, int bad, int doing) {
        int green = columns(done, all);
        int red = Math.min(width - green, columns(bad, all));
        int yellow = Math.min(width - green - red, columns(doing, all));
        return "[" + colored(GREEN, "#".repeat(green)) + colored(RED, "x".repeat(red))
                + colored(YELLOW, "-".repeat(yellow)) + " ".repeat(width - green - red - yellow) + "]";
    }

    private int columns(int count, int all) {
        return all == 0 || count <= 0 ? 0 : Math.min(width, Math.max(1, count * width / all));
    }

    private String colored(String colour, String text) {
        return terminal.colour() && !text.isEmpty() ? colour + text + PLAIN : text;
    }

    /** Escape sequence that moves up by some lines and clears the screen from there. */
    public static String up(int lines) {
        return lines > 0 ? "\u001b[" + lines + "A\u001b[J" : "";
    }
}
