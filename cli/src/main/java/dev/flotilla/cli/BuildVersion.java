package dev.flotilla.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Which version this is, as the build wrote it down. */
public final class BuildVersion {
    private BuildVersion() {}

    public static String number() {
        try (InputStream text = BuildVersion.class.getResourceAsStream("version.txt")) {
            if (text == null) {
                throw new IllegalStateException("the file version.txt is not beside " + BuildVersion.class);
            }
            return new String(text.readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new UncheckedIOException("version.txt", e);
        }
    }

    static String[] lines() {
        return new String[] {"flotilla " + number()};
    }
}
