package dev.flotilla.cli.terminal;

import java.util.Locale;

/** Progress of a long operation: one line that is redrawn on a terminal, and a line every 10 s elsewhere. */
public final class ProgressLine {
    private static final int WIDTH = 40;
    private static final long TERMINAL_NANOS = 100_000_000L;
    private static final long LOG_NANOS = 10_000_000_000L;

    private final Terminal terminal;
    private final String what;
    private final long total;
    private long last = System.nanoTime();
    private boolean drawn;

    public ProgressLine(Terminal terminal, String what, long total) {
        this.terminal = terminal;
        this.what = what;
        this.total = total;
    }

    /** Shows how many are done. Any number of calls is fine, by one thread. */
    public void update(long done) {
        long now = System.nanoTime();
        if (now - last < (terminal.interactive() ? TERMINAL_NANOS : LOG_NANOS)) {
            return;
        }
        last = now;
        if (terminal.interactive()) {
            int filled = (int) (WIDTH * done / Math.max(1, total));
            terminal.err().print("\r[" + "#".repeat(filled) + " ".repeat(WIDTH - filled) + "] " + counts(done));
            terminal.err().flush();
            drawn = true;
        } else {
            terminal.note(counts(done));
        }
    }

    /** Erases the line on a terminal. */
    public void end() {
        if (drawn) {
            terminal.err().print("\r" + " ".repeat(Math.min(terminal.width() - 1, WIDTH * 2)) + "\r");
            terminal.err().flush();
        }
    }

    private String counts(long done) {
        return String.format(Locale.ROOT, "%,d of %,d %s", done, total, what);
    }
}
