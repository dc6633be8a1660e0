package dev.flotilla.cli.demo;

import dev.flotilla.cli.terminal.Terminal;
import java.util.function.Supplier;

/** What a person sees while it runs. */
interface DemoScreen {
    static DemoScreen of(Terminal terminal) {
        return terminal.interactive() ? new ProgressBarScreen(terminal) : new LogLineScreen(terminal);
    }

    /** Something is being done before it begins. */
    void preparing(String what, double seconds);

    void begin(DemoProgress demoProgress);

    void showEvent(DemoEvent event, double seconds);

    /** Looks, if it is time to. */
    void show(Supplier<DemoProgress> glance, double seconds);

    void end(DemoProgress demoProgress, double seconds);

    /** Somebody has had enough. */
    void interrupted();
}
