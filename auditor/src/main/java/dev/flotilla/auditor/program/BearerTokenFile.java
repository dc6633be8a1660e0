package dev.flotilla.auditor.program;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/**
 * The bearer token of clients, read from its file at each request; if the file cannot be read, no client is authorized.
 */
final class BearerTokenFile {
    private static final int MIN_LENGTH = 16;
    private static final int MAX_LENGTH = 4096;
    private static final String SCHEME = "Bearer ";

    private final Path file;

    private BearerTokenFile(Path file) {
        this.file = file;
    }

    /** Reads the token; fails if the file has none, or one that is too short. */
    static BearerTokenFile readFrom(Path file) throws IOException {
        read(file);
        return new BearerTokenFile(file);
    }

    private static byte[] read(Path file) throws IOException {
        String token = Files.readString(file, StandardCharsets.UTF_8).strip();
        if (token.length() < MIN_LENGTH
                || token.length() > MAX_LENGTH
                || !token.chars().allMatch(c -> c > ' ' && c < 127)) {
            throw new IOException(
                    file + " must hold one line of " + MIN_LENGTH + " to " + MAX_LENGTH + " visible ASCII characters");
        }
        return token.getBytes(StandardCharsets.US_ASCII);
    }

    /** Whether the header {@code Authorization} has the token. The comparison takes constant time. */
    boolean matches(@Nullable String authorization) {
        if (authorization == null || !authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return false;
        }
        byte[] received = authorization.substring(SCHEME.length()).strip().getBytes(StandardCharsets.UTF_8);
        try {
            return MessageDigest.isEqual(read(file), received);
        } catch (IOException e) {
            return false;
        }
    }
}
