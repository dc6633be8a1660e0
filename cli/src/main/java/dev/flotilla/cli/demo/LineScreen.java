package dev.flotilla.cli.demo;

import dev.flotilla.cli.terminal.Terminal;
import java.util.StringJoiner;
import java.util.function.Supplier;

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
    public void preparing(String what, double seconds) {
        terminal.note(EventLine.clock(seconds) + "  " + what);
    }

    @Override
    public void begin(Glance glance) {}

    @Override
    public void happened(DemoEvent event, double seconds) {
        String line = lines.of(event, seconds);
        if (line != null) {
            terminal.note(line);
        }
    }

    @Override
    public void show(Supplier<Glance> look, double seconds) {
        if (seconds >= next) {
            next = seconds + EVERY_SECONDS;
            Glance glance = look.get();
            StringJoiner waves = new StringJoiner(", ");
            for (WaveProgress wave : glance.waves()) {
                waves.add(wave.name() + " " + wave.succeeded() + "/" + wave.machines());
            }
            terminal.note(EventLine.clock(seconds) + "  " + waves + "; " + glance.inFlight() + " machines in flight, "
                    + glance.cap() + " may");
        }
    }

    @Override
    public void end(Glance glance, double seconds) {}

    @Override
    public void interrupted() {
        terminal.note("interrupted");
    }
}
