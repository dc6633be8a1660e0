package dev.flotilla.runtime.http;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;

/** Verifies the bearer token of clients. It keeps only a hash of the token and compares in constant time. */
final class BearerTokenVerifier {
    private static final int MIN_LENGTH = 16;
    private static final int MAX_LENGTH = 4_096;
    private static final String SCHEME = "bearer ";

    private final byte[] hash;

    private BearerTokenVerifier(byte[] hash) {
        this.hash = hash;
    }

    /** Reads the token from a file. A token that could be guessed is rejected. */
    static BearerTokenVerifier readFrom(Path file) throws IOException {
        String token = Files.readString(file, StandardCharsets.UTF_8).strip();
        if (token.length() < MIN_LENGTH
                || token.length() > MAX_LENGTH
                || !token.chars().allMatch(c -> c > ' ' && c < 127)) {
            throw new IOException("token file " + file + " must have one line of " + MIN_LENGTH + " to " + MAX_LENGTH
                    + " visible ASCII characters");
        }
        return new BearerTokenVerifier(hash(token));
    }

    /** Whether an {@code Authorization} header has this token. */
    boolean matches(@Nullable String authorization) {
        return authorization != null
                && authorization.length() <= MAX_LENGTH + SCHEME.length()
                && authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                && MessageDigest.isEqual(
                        hash, hash(authorization.substring(SCHEME.length()).strip()));
    }

    private static byte[] hash(String token) {
        return sha256(token.getBytes(StandardCharsets.UTF_8));
    }

    static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
