package dev.flotilla.cli.demo;

import dev.flotilla.cli.terminal.Terminal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** A bar for each wave, drawn over and over below the events. */
final class BarScreen implements Screen {
    private static final String GREEN = "\u001b[32m";
    private static final String YELLOW = "\u001b[33m";
    private static final String RED = "\u001b[31m";
    private static final String PLAIN = "\u001b[0m";
    private static final int LONGEST_BAR = 60;
    private static final int BESIDE_THE_BAR = 40;
    private static final double EVERY_SECONDS = 0.2;

    private final Terminal terminal;
    private final EventLine lines = new EventLine();
    private final List<String> above = new ArrayList<>();
    private int drawn;
    private double next;

    BarScreen(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void preparing(String what, double seconds) {
        terminal.note(EventLine.clock(seconds) + "  " + what);
    }

    @Override
    public void begin(Glance glance) {
        draw(glance, 0);
    }

    @Override
    public void happened(DemoEvent event, double seconds) {
        String line = lines.of(event, seconds);
        if (line != null) {
            above.add(line.length() > terminal.width() ? line.substring(0, terminal.width()) : line);
        }
    }

    @Override
    public void show(Supplier<Glance> look, double seconds) {
        if (seconds >= next) {
            next = seconds + EVERY_SECONDS;
            draw(look.get(), seconds);
        }
    }

    @Override
    public void end(Glance glance, double seconds) {
        draw(glance, seconds);
    }

    @Override
    public void interrupted() {
        terminal.err().print(PLAIN);
        terminal.note("interrupted");
    }

    private void draw(Glance glance, double seconds) {
        StringBuilder text = new StringBuilder();
        if (drawn > 0) {
            // Up to the first bar, and clear from there on.
            text.append("\u001b[").append(drawn).append("A\u001b[J");
        }
        above.forEach(line -> text.append(line).append('\n'));
        above.clear();
        List<WaveProgress> waves = glance.waves();
        waves.forEach(wave -> text.append(bar(wave)).append('\n'));
        text.append(EventLine.clock(seconds))
                .append("  ")
                .append(glance.inFlight())
                .append(" machines in flight, ");
        text.append(glance.cap()).append(" may\n");
        drawn = waves.size() + 1;
        terminal.err().print(text);
        terminal.err().flush();
    }

    private String bar(WaveProgress wave) {
        int width = Math.max(10, Math.min(LONGEST_BAR, terminal.width() - BESIDE_THE_BAR));
        int done = part(wave.succeeded(), wave, width);
        int bad = part(wave.quarantined(), wave, width);
        int doing = Math.min(width - done - bad, part(wave.inFlight(), wave, width));
        String rest = " ".repeat(Math.max(0, width - done - bad - doing));
        return String.format("%-8s", wave.name())
                + "[" + painted(GREEN, "#".repeat(done)) + painted(RED, "x".repeat(bad))
                + painted(YELLOW, "-".repeat(Math.max(0, doing))) + rest + "] "
                + wave.succeeded() + "/" + wave.machines()
                + (wave.quarantined() > 0 ? ", " + wave.quarantined() + " quarantined" : "");
    }

    private static int part(int count, WaveProgress wave, int width) {
        return wave.machines() == 0 || count == 0 ? 0 : Math.max(1, count * width / wave.machines());
    }

    private String painted(String colour, String text) {
        return terminal.colour() && !text.isEmpty() ? colour + text + PLAIN : text;
    }
}
