package dev.flotilla.auditor.program;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** Version of the auditor, read from the file that the build writes. */
final class AuditorVersion {
    static final String NUMBER = read();

    private AuditorVersion() {}

    private static String read() {
        try (InputStream text = AuditorVersion.class.getResourceAsStream("version.txt")) {
            return new String(Objects.requireNonNull(text, "version.txt").readAllBytes(), StandardCharsets.UTF_8)
                    .strip();
        } catch (IOException e) {
            throw new UncheckedIOException("version.txt", e);
        }
    }
}
