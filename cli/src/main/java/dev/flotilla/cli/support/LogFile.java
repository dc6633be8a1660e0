package dev.flotilla.cli.support;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads the end of a log file. */
final class LogFile {
    private static final int MOST_BYTES = 10 * 1024 * 1024;
    private static final int MIB = 1024 * 1024;

    private LogFile() {}

    static SupportBundle.PartText readEnd(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new IOException(file + (Files.exists(file) ? " is not a regular file" : " does not exist"));
        }
        try (SeekableByteChannel channel = Files.newByteChannel(file)) {
            long size = channel.size();
            channel.position(Math.max(0, size - MOST_BYTES));
            ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(size, MOST_BYTES));
            while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
                // Reads on until the buffer is full or the file ends.
            }
            String text = new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
            return size <= MOST_BYTES
                    ? SupportBundle.PartText.of(text)
                    // The first line is cut, so that a secret at its beginning may not be recognised.
                    : new SupportBundle.PartText(
                            text.substring(text.indexOf('\n') + 1), "the last " + MOST_BYTES / MIB + " MiB");
        }
    }
}
