package dev.flotilla.auditor.program;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/** What a client must show, as its file says it at the moment: where that cannot be read, nobody is let in. */
final class BearerTokenFile {
    private static final int SHORTEST = 16;
    private static final int LONGEST = 4096;
    private static final String SCHEME = "Bearer ";

    private final Path file;

    private BearerTokenFile(Path file) {
        this.file = file;
    }

    /** Throws where the file holds none, or one that could be guessed. */
    static BearerTokenFile readFrom(Path file) throws IOException {
        read(file);
        return new BearerTokenFile(file);
    }

    private static byte[] read(Path file) throws IOException {
        String token = Files.readString(file, StandardCharsets.UTF_8).strip();
        if (token.length() < SHORTEST
                || token.length() > LONGEST
                || !token.chars().allMatch(c -> c > ' ' && c < 127)) {
            throw new IOException(
                    file + " must hold one line of " + SHORTEST + " to " + LONGEST + " visible ASCII characters");
        }
        return token.getBytes(StandardCharsets.US_ASCII);
    }

    /** Whether the header {@code Authorization} shows it. It takes the same time to refuse any other. */
    boolean matches(@Nullable String authorization) {
        if (authorization == null || !authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return false;
        }
        byte[] shown = authorization.substring(SCHEME.length()).strip().getBytes(StandardCharsets.UTF_8);
        try {
            return MessageDigest.isEqual(read(file), shown);
        } catch (IOException e) {
            return false;
        }
    }
}
