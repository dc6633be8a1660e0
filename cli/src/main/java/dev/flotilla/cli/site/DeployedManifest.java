package dev.flotilla.cli.site;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** A manifest of {@code deploy/} that is packaged in this build. */
public final class DeployedManifest {
    private static final String FOLDER = "/dev/flotilla/deploy/";

    private DeployedManifest() {}

    /** Reads the text of a manifest by its path below that folder. */
    public static String text(String path) {
        try (InputStream in = DeployedManifest.class.getResourceAsStream(FOLDER + path)) {
            if (in == null) {
                throw new IllegalStateException("this build has no manifest " + path);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
