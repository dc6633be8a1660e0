package dev.flotilla.cli.demo;

import dev.flotilla.cli.terminal.Terminal;
import java.util.StringJoiner;
import java.util.function.Supplier;

/** Shows the demonstration as log lines: events, and the progress every 5 s. */
final class LogLineScreen implements DemoScreen {
    private static final double EVERY_SECONDS = 5;

    private final Terminal terminal;
    private final DemoEventFormatter lines = new DemoEventFormatter();
    private double next = EVERY_SECONDS;

    LogLineScreen(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void preparing(String what, double seconds) {
        terminal.note(DemoEventFormatter.clock(seconds) + "  " + what);
    }

    @Override
    public void begin(DemoProgress demoProgress) {}

    @Override
    public void showEvent(DemoEvent event, double seconds) {
        String line = lines.format(event, seconds);
        if (line != null) {
            terminal.note(line);
        }
    }

    @Override
    public void show(Supplier<DemoProgress> look, double seconds) {
        if (seconds >= next) {
            next = seconds + EVERY_SECONDS;
            DemoProgress demoProgress = look.get();
            StringJoiner waves = new StringJoiner(", ");
            for (DemoWaveProgress wave : demoProgress.waves()) {
                waves.add(wave.name() + " " + wave.succeeded() + "/" + wave.machines());
            }
            terminal.note(DemoEventFormatter.clock(seconds) + "  " + waves + "; " + demoProgress.inFlight() + " of at"
                    + " most "
                    + demoProgress.cap() + " machines in flight");
        }
    }

    @Override
    public void end(DemoProgress demoProgress, double seconds) {}

    @Override
    public void interrupted() {
        terminal.note("interrupted");
    }
}
