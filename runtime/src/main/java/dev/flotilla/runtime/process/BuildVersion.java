package dev.flotilla.runtime.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Version of this program, read from the file that the build writes. */
public final class BuildVersion {
    private BuildVersion() {}

    /** Returns the version, such as {@code 0.1.0+1a2b3c4d}, which ends with the commit where the build was given it. */
    public static String number() {
        try (InputStream text = BuildVersion.class.getResourceAsStream("version.txt")) {
            if (text == null) {
                throw new IllegalStateException(
                        "version.txt is missing beside " + BuildVersion.class + ": the build must write it");
            }
            return new String(text.readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new UncheckedIOException("version.txt", e);
        }
    }
}
