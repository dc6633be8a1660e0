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
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final PrintStream loud = new PrintStream(said, true, StandardCharsets.UTF_8);

    @Test
    void whereThereIsNoneItSaysSoLoudly(@TempDir Path empty) {
        assertThat(Chromium.present(Map.of("PATH", empty.toString()), loud)).isFalse();
        assertThat(said.toString(StandardCharsets.UTF_8)).contains("SKIPPED", "apt-get install chromium");
    }

    @Test
    void whereOneIsRequiredItsAbsenceFails(@TempDir Path empty) {
        assertThatThrownBy(
                        () -> Chromium.present(Map.of("PATH", empty.toString(), "FLOTILLA_BROWSER", "required"), loud))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("FLOTILLA_BROWSER=required");
    }

    @Test
    void isFoundOnThePath(@TempDir Path folder) throws Exception {
        Path program = Files.writeString(folder.resolve("chromium"), "");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        assertThat(Chromium.present(Map.of("PATH", "/nowhere:" + folder), loud)).isTrue();
        assertThat(said.size()).isZero();
    }
}
