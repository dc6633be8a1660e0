package dev.flotilla.cli.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Result of reading a file's text. */
public sealed interface TextFileResult {
    /** Largest size that is read; it exceeds every document limit. */
    int MAX_BYTES = 8 * 1024 * 1024;

    /** File name that means stdin. */
    String STDIN = "-";

    /** The text. */
    record FileText(String text) implements TextFileResult {}

    /** Why the file cannot be read. */
    record UnreadableFile(String problem) implements TextFileResult {}

    static TextFileResult read(String name) {
        try {
            if (name.equals(STDIN)) {
                return text(name, System.in.readNBytes(MAX_BYTES + 1));
            }
            Path path = Path.of(name);
            if (Files.isDirectory(path)) {
                return new UnreadableFile(name + " is a folder: name a file in it");
            }
            return Files.size(path) > MAX_BYTES ? tooLarge(name) : text(name, Files.readAllBytes(path));
        } catch (NoSuchFileException e) {
            return new UnreadableFile(name + " does not exist");
        } catch (CharacterCodingException e) {
            return new UnreadableFile(name + " is not UTF-8 text: save it as UTF-8");
        } catch (IOException e) {
            return new UnreadableFile(name + " cannot be read: " + e.getMessage());
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
        return new UnreadableFile(name + " is larger than the limit of " + MAX_BYTES / 1024 / 1024 + " MiB");
    }
}
