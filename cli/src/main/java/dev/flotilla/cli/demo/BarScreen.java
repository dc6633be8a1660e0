package dev.flotilla.cli.demo;

import dev.flotilla.cli.terminal.Bar;
import dev.flotilla.cli.terminal.Terminal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** A bar for each wave, drawn over and over below the events. */
final class BarScreen implements Screen {
    private static final int BESIDE_THE_BAR = 40;
    private static final double EVERY_SECONDS = 0.2;

    private final Terminal terminal;
    private final Bar bar;
    private final EventLine lines = new EventLine();
    private final List<String> above = new ArrayList<>();
    private int drawn;
    private double next;

    BarScreen(Terminal terminal) {
        this.terminal = terminal;
        this.bar = new Bar(terminal, BESIDE_THE_BAR);
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
        terminal.err().print(Bar.PLAIN);
        terminal.note("interrupted");
    }

    private void draw(Glance glance, double seconds) {
        StringBuilder text = new StringBuilder();
        text.append(Bar.up(drawn));
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
        return String.format("%-8s", wave.name())
                + bar.of(wave.machines(), wave.succeeded(), wave.quarantined(), wave.inFlight()) + " "
                + wave.succeeded() + "/" + wave.machines()
                + (wave.quarantined() > 0 ? ", " + wave.quarantined() + " quarantined" : "");
    }
}
