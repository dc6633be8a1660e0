package dev.flotilla.runtime.http;

import dev.flotilla.runtime.config.ServerConfig;
import dev.flotilla.runtime.config.TlsConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a server proves itself by and knows its clients by, as its files hold it at one instant.
 *
 * @param print tells whether files say anything else by now; the secrets themselves are not kept
 */
record Credentials(@Nullable BearerToken token, String print) {
    static Credentials read(ServerConfig config) throws IOException {
        // First: what is replaced while it is read is found to be new the next time.
        return read(config, print(files(config)));
    }

    private static Credentials read(ServerConfig config, String print) throws IOException {
        TlsConfig tls = config.tls();
        if (tls != null) {
            Identity.check(tls);
        }
        Path file = config.tokenFile();
        return new Credentials(file == null ? null : BearerToken.in(file), print);
    }

    /** These, or what is in the files by now. */
    Credentials readAgain(ServerConfig config) throws IOException {
        String now = print(files(config));
        return now.equals(print) ? this : read(config, now);
    }

    /** Whether there is any file that could be replaced. */
    static boolean mayChange(ServerConfig config) {
        return !files(config).isEmpty();
    }

    /** Whether the same is in the files. */
    boolean sameAs(Credentials other) {
        return print.equals(other.print);
    }

    private static List<Path> files(ServerConfig config) {
        List<Path> files = new ArrayList<>();
        if (config.tokenFile() != null) {
            files.add(config.tokenFile());
        }
        TlsConfig tls = config.tls();
        if (tls != null) {
            files.add(tls.certFile());
            files.add(tls.keyFile());
            if (tls.clientCaFile() != null) {
                files.add(tls.clientCaFile());
            }
        }
        return files;
    }

    private static String print(List<Path> files) throws IOException {
        StringBuilder print = new StringBuilder();
        for (Path file : files) {
            print.append(HexFormat.of().formatHex(BearerToken.sha256(Files.readAllBytes(file))));
        }
        return print.toString();
    }
}
