package dev.flotilla.cli.demo;

import dev.flotilla.cli.terminal.Terminal;
import java.util.function.Supplier;

/** Shows the progress of a demonstration. */
interface DemoScreen {
    static DemoScreen of(Terminal terminal) {
        return terminal.interactive() ? new ProgressBarScreen(terminal) : new LogLineScreen(terminal);
    }

    /** Shows a step of the preparation. */
    void preparing(String what, double seconds);

    void begin(DemoProgress demoProgress);

    void showEvent(DemoEvent event, double seconds);

    /** Shows the progress if a refresh is due. */
    void show(Supplier<DemoProgress> glance, double seconds);

    void end(DemoProgress demoProgress, double seconds);

    /** Shows that the user has interrupted the demonstration. */
    void interrupted();
}
