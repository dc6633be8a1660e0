package dev.flotilla.cli.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** What came of reading a file's text. */
public sealed interface TextFile {
    /** More than any document that is taken; a larger one is refused without being read. */
    int MAX_BYTES = 8 * 1024 * 1024;

    /** The name that stands for what is piped in. */
    String STDIN = "-";

    /** The text. */
    record Text(String text) implements TextFile {}

    /** Why there is none. */
    record Missing(String problem) implements TextFile {}

    static TextFile read(String name) {
        try {
            if (name.equals(STDIN)) {
                return text(name, System.in.readNBytes(MAX_BYTES + 1));
            }
            Path path = Path.of(name);
            if (Files.isDirectory(path)) {
                return new Missing(name + ": is a folder, not a file");
            }
            return Files.size(path) > MAX_BYTES ? tooLarge(name) : text(name, Files.readAllBytes(path));
        } catch (NoSuchFileException e) {
            return new Missing(name + ": there is no such file");
        } catch (CharacterCodingException e) {
            return new Missing(name + ": is not UTF-8 text");
        } catch (IOException e) {
            return new Missing(name + ": cannot be read: " + e.getMessage());
        }
    }

    private static TextFile text(String name, byte[] bytes) throws CharacterCodingException {
        return bytes.length > MAX_BYTES
                ? tooLarge(name)
                : new Text(StandardCharsets.UTF_8
                        .newDecoder()
                        .decode(ByteBuffer.wrap(bytes))
                        .toString());
    }

    private static TextFile tooLarge(String name) {
        return new Missing(name + ": is larger than " + MAX_BYTES / 1024 / 1024 + " MiB");
    }
}
