package dev.flotilla.testkit.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChromiumTest {
    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private final PrintStream err = new PrintStream(output, true, StandardCharsets.UTF_8);

    @Test
    void reportsThatChromiumIsMissing(@TempDir Path empty) {
        assertThat(Chromium.present(Map.of("PATH", empty.toString()), err)).isFalse();
        assertThat(output.toString(StandardCharsets.UTF_8)).contains("SKIPPED", "apt-get install chromium");
    }

    @Test
    void failsIfARequiredChromiumIsMissing(@TempDir Path empty) {
        assertThatThrownBy(
                        () -> Chromium.present(Map.of("PATH", empty.toString(), "FLOTILLA_BROWSER", "required"), err))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("FLOTILLA_BROWSER=required");
    }

    @Test
    void findsChromiumOnThePath(@TempDir Path folder) throws Exception {
        Path program = Files.writeString(folder.resolve("chromium"), "");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        assertThat(Chromium.present(Map.of("PATH", "/nowhere:" + folder), err)).isTrue();
        assertThat(output.size()).isZero();
    }
}
