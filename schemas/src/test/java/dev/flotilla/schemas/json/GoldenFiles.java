package dev.flotilla.schemas.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Generated files that are committed and compared; {@code -Dflotilla.rewrite=true} writes them again. */
final class GoldenFiles {
    static final Path SCHEMAS = Path.of("src/main/resources/dev/flotilla/schemas");
    static final Path EXAMPLES = Path.of("src/test/resources/dev/flotilla/schemas/examples");

    private GoldenFiles() {}

    static void check(Path file, String content) {
        if (Boolean.getBoolean("flotilla.rewrite")) {
            write(file, content);
        }
        assertThat(file)
                .as("regenerate it with -Dflotilla.rewrite=true")
                .content()
                .isEqualTo(content);
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(Path file, String content) {
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
