package dev.flotilla.cli.demo;

import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.simulator.play.Play;
import dev.flotilla.simulator.play.PlayEvent;
import dev.flotilla.simulator.play.WaveProgress;
import java.util.StringJoiner;

/** Lines for a log: events, and now and then how far it is. */
final class LineScreen implements Screen {
    private static final double EVERY_SECONDS = 5;

    private final Terminal terminal;
    private final EventLine lines = new EventLine();
    private double next = EVERY_SECONDS;

    LineScreen(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void begin(Play play) {}

    @Override
    public void happened(PlayEvent event, double seconds) {
        String line = lines.of(event, seconds);
        if (line != null) {
            terminal.note(line);
        }
    }

    @Override
    public void show(Play play, double seconds) {
        if (seconds >= next) {
            next = seconds + EVERY_SECONDS;
            StringJoiner waves = new StringJoiner(", ");
            for (WaveProgress wave : play.progress()) {
                waves.add(wave.name() + " " + wave.succeeded() + "/" + wave.machines());
            }
            terminal.note(EventLine.clock(seconds) + "  " + waves + "; " + play.refreshing() + " nodes refresh, "
                    + play.cap() + " may");
        }
    }

    @Override
    public void end(Play play, double seconds) {}

    @Override
    public void interrupted() {
        terminal.note("interrupted");
    }
}
