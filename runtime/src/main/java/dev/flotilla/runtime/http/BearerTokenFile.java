package dev.flotilla.runtime.http;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file with the token that another server wants. */
public final class BearerTokenFile {
    private BearerTokenFile() {}

    /** The file has no token. The message neither names the file nor says what is in it. */
    public static final class InvalidTokenException extends IOException {
        private static final long serialVersionUID = 1;

        private InvalidTokenException() {
            super("must contain one line of ASCII characters");
        }
    }

    /**
     * Reads the token.
     *
     * @throws InvalidTokenException if it would not be one header
     */
    public static String read(Path file) throws IOException {
        String token = Files.readString(file).strip();
        if (token.isEmpty() || !token.chars().allMatch(character -> character >= ' ' && character <= '~')) {
            throw new InvalidTokenException();
        }
        return token;
    }
}
