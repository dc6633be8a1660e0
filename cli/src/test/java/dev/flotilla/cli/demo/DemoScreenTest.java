package dev.flotilla.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.cli.terminal.Terminal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

class DemoScreenTest {
    private static final DemoProgress GLANCE = new DemoProgress(
            List.of(new DemoWaveProgress("canary", 10, 5, 1, 2), new DemoWaveProgress("rest", 90, 0, 0, 0)), 2, 10);

    @Test
    void drawsBarsOnATerminal() {
        assertThat(shown(100))
                .contains("canary", "[#", "5/10, 1 quarantined", "2 of at most 10 machines in flight", "\u001b[");
    }

    @Test
    void printsLinesToALog() {
        assertThat(shown(0))
                .contains("canary 5/10, rest 0/90; 2 of at most 10 machines in flight")
                .contains("KILLED the broker (broker)")
                .contains("wave up/canary is closed: enough of its machines have succeeded")
                .doesNotContain("\u001b[", "\r");
    }

    private static String shown(int width) {
        StringWriter err = new StringWriter();
        DemoScreen screen = DemoScreen.of(
                new Terminal(new PrintWriter(new StringWriter()), new PrintWriter(err), width, false, false, null));
        screen.begin(GLANCE);
        screen.showEvent(new DemoEvent("killed", "broker", "the broker"), 6);
        screen.showEvent(new DemoEvent("wave-closed", "up/canary", ""), 6.5);
        screen.show(() -> GLANCE, 7);
        screen.end(GLANCE, 8);
        return err.toString();
    }
}
