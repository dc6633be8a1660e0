package dev.flotilla.cli.demo;

import dev.flotilla.cli.terminal.Terminal;
import java.util.function.Supplier;

/** What a person sees while it runs. */
interface Screen {
    static Screen of(Terminal terminal) {
        return terminal.interactive() ? new BarScreen(terminal) : new LineScreen(terminal);
    }

    /** Something is being done before it begins. */
    void preparing(String what, double seconds);

    void begin(Glance glance);

    void happened(DemoEvent event, double seconds);

    /** Looks, if it is time to. */
    void show(Supplier<Glance> glance, double seconds);

    void end(Glance glance, double seconds);

    /** Somebody has had enough. */
    void interrupted();
}
