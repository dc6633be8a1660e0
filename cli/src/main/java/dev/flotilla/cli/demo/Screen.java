package dev.flotilla.cli.demo;

import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.simulator.play.Play;
import dev.flotilla.simulator.play.PlayEvent;

/** What a person sees while it runs. */
interface Screen {
    static Screen of(Terminal terminal) {
        return terminal.interactive() ? new BarScreen(terminal) : new LineScreen(terminal);
    }

    void begin(Play play);

    void happened(PlayEvent event, double seconds);

    void show(Play play, double seconds);

    void end(Play play, double seconds);

    /** Somebody has had enough. */
    void interrupted();
}
