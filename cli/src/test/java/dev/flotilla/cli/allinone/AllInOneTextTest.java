package dev.flotilla.cli.allinone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class AllInOneTextTest {
    @Test
    void readmeShowsWhatAFirstStartSaysOfMissingTemplates() throws IOException {
        assertThat(Files.readAllLines(Path.of("..", "README.md"))).contains(AllInOneText.NEEDS_TEMPLATE);
    }
}
