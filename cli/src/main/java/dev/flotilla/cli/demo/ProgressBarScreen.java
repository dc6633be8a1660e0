package dev.flotilla.cli.demo;

import dev.flotilla.cli.terminal.ProgressBar;
import dev.flotilla.cli.terminal.Terminal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Shows a progress bar for each wave, redrawn below the events. */
final class ProgressBarScreen implements DemoScreen {
    private static final int BESIDE_THE_BAR = 40;
    private static final double EVERY_SECONDS = 0.2;

    private final Terminal terminal;
    private final ProgressBar progressBar;
    private final DemoEventFormatter lines = new DemoEventFormatter();
    private final List<String> above = new ArrayList<>();
    private int drawn;
    private double next;

    ProgressBarScreen(Terminal terminal) {
        this.terminal = terminal;
        this.progressBar = new ProgressBar(terminal, BESIDE_THE_BAR);
    }

    @Override
    public void preparing(String what, double seconds) {
        terminal.note(DemoEventFormatter.clock(seconds) + "  " + what);
    }

    @Override
    public void begin(DemoProgress demoProgress) {
        draw(demoProgress, 0);
    }

    @Override
    public void showEvent(DemoEvent event, double seconds) {
        String line = lines.format(event, seconds);
        if (line != null) {
            above.add(line.length() > terminal.width() ? line.substring(0, terminal.width()) : line);
        }
    }

    @Override
    public void show(Supplier<DemoProgress> look, double seconds) {
        if (seconds >= next) {
            next = seconds + EVERY_SECONDS;
            draw(look.get(), seconds);
        }
    }

    @Override
    public void end(DemoProgress demoProgress, double seconds) {
        draw(demoProgress, seconds);
    }

    @Override
    public void interrupted() {
        terminal.err().print(ProgressBar.PLAIN);
        terminal.note("interrupted");
    }

    private void draw(DemoProgress demoProgress, double seconds) {
        StringBuilder text = new StringBuilder();
        text.append(ProgressBar.up(drawn));
        above.forEach(line -> text.append(line).append('\n'));
        above.clear();
        List<DemoWaveProgress> waves = demoProgress.waves();
        waves.forEach(wave -> text.append(bar(wave)).append('\n'));
        text.append(DemoEventFormatter.clock(seconds))
                .append("  ")
                .append(demoProgress.inFlight())
                .append(" of at most ");
        text.append(demoProgress.cap()).append(" machines in flight\n");
        drawn = waves.size() + 1;
        terminal.err().print(text);
        terminal.err().flush();
    }

    private String bar(DemoWaveProgress wave) {
        return String.format("%-8s", wave.name())
                + progressBar.render(wave.machines(), wave.succeeded(), wave.quarantined(), wave.inFlight()) + " "
                + wave.succeeded() + "/" + wave.machines()
                + (wave.quarantined() > 0 ? ", " + wave.quarantined() + " quarantined" : "");
    }
}
