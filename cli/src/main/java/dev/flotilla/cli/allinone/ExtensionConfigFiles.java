package dev.flotilla.cli.allinone;

import dev.flotilla.runtime.config.HostPort;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;

/** Writes the files with which Cluster API's extension is started. */
final class ExtensionConfigFiles {
    private static final int TOKEN_BYTES = 24;

    private final Path folder;

    ExtensionConfigFiles(Path folder) {
        this.folder = folder;
    }

    /**
     * Writes the settings and the process's config, and returns the latter's file. Other machines that can reach the extension need a token
     * for its metrics; the hooks need none.
     */
    Path write(HostPort listen, String settings) throws IOException {
        Path settingsFile = folder.resolve("cluster-api-settings.yaml");
        Path configFile = folder.resolve("cluster-api-extension.yaml");
        Files.writeString(settingsFile, settings);
        Files.writeString(
                configFile,
                "settingsFile: " + settingsFile + "\n"
                        + (listen.isLoopback() ? "" : "server:\n  tokenFile: " + createToken() + "\n"));
        return configFile;
    }

    /** Creates a token once, in a file that nobody else may read. */
    private Path createToken() throws IOException {
        Path file = folder.resolve("cluster-api-extension.token");
        if (!Files.exists(file)) {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        }
        // Empty after a stop between the creation and the write.
        if (Files.size(file) == 0) {
            byte[] token = new byte[TOKEN_BYTES];
            new SecureRandom().nextBytes(token);
            Files.write(file, HexFormat.of().formatHex(token).getBytes(StandardCharsets.US_ASCII));
        }
        return file;
    }
}
