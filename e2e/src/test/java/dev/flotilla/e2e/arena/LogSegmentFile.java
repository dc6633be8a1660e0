package dev.flotilla.e2e.arena;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A segment file of a partition's log, whose broker is down: a sequence of record batches. */
public final class LogSegmentFile {
    /** A batch begins with its offset (8 bytes) and the length of the rest (4 bytes). */
    private static final int LENGTH_AT = 8;

    private static final int PREFIX = 12;

    private final Path file;

    private LogSegmentFile(Path file) {
        this.file = file;
    }

    /** The newest segment of a partition that is not empty. */
    public static LogSegmentFile lastOf(Path folder, String partition) {
        try (Stream<Path> files = Files.walk(folder)) {
            return new LogSegmentFile(files.filter(file ->
                            String.valueOf(file.getParent().getFileName()).equals(partition)
                                    && file.toString().endsWith(".log")
                                    && file.toFile().length() > 0)
                    .max(Path::compareTo)
                    .orElseThrow(() -> new AssertionError("no segment of " + partition + " in " + folder)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Cuts off the last batches, as a restored disk would have lost them, and deletes files that the broker derives
     * from the log.
     */
    public void cutLastBatches(int count) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            List<Long> begins = new ArrayList<>();
            ByteBuffer prefix = ByteBuffer.allocate(PREFIX);
            long at = 0;
            while (at + PREFIX <= channel.size() && channel.read(prefix.clear(), at) == PREFIX) {
                int length = prefix.getInt(LENGTH_AT);
                if (length <= 0) {
                    break;
                }
                begins.add(at);
                at += PREFIX + length;
            }
            if (begins.size() <= count) {
                throw new AssertionError(file + " has only " + begins.size() + " batches");
            }
            channel.truncate(begins.get(begins.size() - count));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        deleteDerivedFiles();
    }

    private void deleteDerivedFiles() {
        try (Stream<Path> beside = Files.list(file.getParent())) {
            for (Path each : beside.filter(path -> path.toString()
                            .matches(".*\\.(index|timeindex|txnindex|snapshot)|.*leader-epoch-checkpoint"))
                    .toList()) {
                Files.delete(each);
            }
            Files.deleteIfExists(file.getParent().resolveSibling(".kafka_cleanshutdown"));
            Files.deleteIfExists(file.getParent().resolveSibling("recovery-point-offset-checkpoint"));
            Files.deleteIfExists(file.getParent().resolveSibling("replication-offset-checkpoint"));
            Files.deleteIfExists(file.getParent().resolveSibling("log-start-offset-checkpoint"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
