package dev.flotilla.cli.demo;

import dev.flotilla.cli.terminal.Terminal;

/** What a person sees while it runs. */
interface Screen {
    static Screen of(Terminal terminal) {
        return terminal.interactive() ? new BarScreen(terminal) : new LineScreen(terminal);
    }

    /** Processes are being started. */
    void starting(String what);

    void begin(Glance glance);

    void happened(DemoEvent event, double seconds);

    void show(Glance glance, double seconds);

    void end(Glance glance, double seconds);

    /** Somebody has had enough. */
    void interrupted();
}
