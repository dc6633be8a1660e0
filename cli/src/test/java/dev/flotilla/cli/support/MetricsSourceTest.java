package dev.flotilla.cli.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MetricsSourceTest {
    @TempDir
    private Path folder;

    @Test
    void readsTheTokenWithoutTheEndOfItsLine() throws Exception {
        try (MetricsSource source = MetricsSource.open(Files.writeString(folder.resolve("token"), "a-token\n"), null)) {
            assertThat(source.token()).isEqualTo("a-token");
        }
    }

    @Test
    void fileWithoutATokenIsNamedWithoutItsContent() throws Exception {
        Path twoLines = Files.writeString(folder.resolve("token"), "secret\nX-Other: 1\n");
        assertThatThrownBy(() -> MetricsSource.open(twoLines, null))
                .isInstanceOf(IOException.class)
                .hasMessage(twoLines + " must contain one line of ASCII characters");
        Path absent = folder.resolve("absent");
        assertThatThrownBy(() -> MetricsSource.open(absent, null)).hasMessage(absent + " does not exist");
        Path blank = Files.writeString(folder.resolve("blank"), "\n");
        assertThatThrownBy(() -> MetricsSource.open(blank, null)).hasMessageContaining("one line");
    }
}
