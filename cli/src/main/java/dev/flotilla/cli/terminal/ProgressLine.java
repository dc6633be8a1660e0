package dev.flotilla.cli.terminal;

import java.util.Locale;

/** How far something long is: one line that is drawn over on a terminal, a line now and then elsewhere. */
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

    /** So many are done. May be called as often as one likes, by one thread. */
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

    /** Leaves no trace of it on a terminal. */
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
