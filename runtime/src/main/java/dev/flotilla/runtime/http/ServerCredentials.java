package dev.flotilla.runtime.http;

import dev.flotilla.runtime.config.HttpServerConfig;
import dev.flotilla.runtime.config.ServerTlsConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The certificate, key, client CAs and token of a server, as read from their files at one instant.
 *
 * @param certificateExpiresAt when the first certificate of the chain expires; null without TLS
 * @param fileHash the hash of the files, to detect changes; the secrets themselves are not kept
 */
record ServerCredentials(
        @Nullable BearerTokenVerifier token, @Nullable Instant certificateExpiresAt, String fileHash) {
    static ServerCredentials read(HttpServerConfig config) throws IOException {
        // Compute the hash first: a file that is replaced while it is read is detected as new the next time.
        return read(config, fileHash(files(config)));
    }

    private static ServerCredentials read(HttpServerConfig config, String print) throws IOException {
        ServerTlsConfig tls = config.tls();
        Instant expiresAt = tls == null ? null : TlsKeyPairValidator.validateKeyPair(tls);
        Path file = config.tokenFile();
        return new ServerCredentials(file == null ? null : BearerTokenVerifier.readFrom(file), expiresAt, print);
    }

    /** Returns these credentials, or new ones if the files have changed. */
    ServerCredentials reload(HttpServerConfig config) throws IOException {
        String now = fileHash(files(config));
        return now.equals(fileHash) ? this : read(config, now);
    }

    /** Whether there is any file that may be replaced. */
    static boolean isReloadable(HttpServerConfig config) {
        return !files(config).isEmpty();
    }

    /** Whether other credentials were read from the same content. */
    boolean hasSameContent(ServerCredentials other) {
        return fileHash.equals(other.fileHash);
    }

    private static List<Path> files(HttpServerConfig config) {
        List<Path> files = new ArrayList<>();
        if (config.tokenFile() != null) {
            files.add(config.tokenFile());
        }
        ServerTlsConfig tls = config.tls();
        if (tls != null) {
            files.add(tls.certFile());
            files.add(tls.keyFile());
            if (tls.clientCaFile() != null) {
                files.add(tls.clientCaFile());
            }
        }
        return files;
    }

    private static String fileHash(List<Path> files) throws IOException {
        StringBuilder print = new StringBuilder();
        for (Path file : files) {
            print.append(HexFormat.of().formatHex(BearerTokenVerifier.sha256(Files.readAllBytes(file))));
        }
        return print.toString();
    }
}
