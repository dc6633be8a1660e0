package dev.flotilla.cli.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** What came of reading a file's text. */
public sealed interface TextFileResult {
    /** More than any document that is taken; a larger one is refused without being read. */
    int MAX_BYTES = 8 * 1024 * 1024;

    /** The name that stands for what is piped in. */
    String STDIN = "-";

    /** The text. */
    record FileText(String text) implements TextFileResult {}

    /** Why there is none. */
    record UnreadableFile(String problem) implements TextFileResult {}

    static TextFileResult read(String name) {
        try {
            if (name.equals(STDIN)) {
                return text(name, System.in.readNBytes(MAX_BYTES + 1));
            }
            Path path = Path.of(name);
            if (Files.isDirectory(path)) {
                return new UnreadableFile(name + ": is a folder, not a file");
            }
            return Files.size(path) > MAX_BYTES ? tooLarge(name) : text(name, Files.readAllBytes(path));
        } catch (NoSuchFileException e) {
            return new UnreadableFile(name + ": there is no such file");
        } catch (CharacterCodingException e) {
            return new UnreadableFile(name + ": is not UTF-8 text");
        } catch (IOException e) {
            return new UnreadableFile(name + ": cannot be read: " + e.getMessage());
        }
    }

    private static TextFileResult text(String name, byte[] bytes) throws CharacterCodingException {
        return bytes.length > MAX_BYTES
                ? tooLarge(name)
                : new FileText(StandardCharsets.UTF_8
                        .newDecoder()
                        .decode(ByteBuffer.wrap(bytes))
                        .toString());
    }

    private static TextFileResult tooLarge(String name) {
        return new UnreadableFile(name + ": is larger than " + MAX_BYTES / 1024 / 1024 + " MiB");
    }
}
