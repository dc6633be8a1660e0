package dev.flotilla.testkit.kafka;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** The data folder of brokers: a given one that is kept, or a temporary one that is deleted. */
record BrokerDataFolder(Path path, boolean temporary) implements AutoCloseable {

    static BrokerDataFolder of(@Nullable Path given) {
        try {
            return given == null
                    ? new BrokerDataFolder(Files.createTempDirectory("flotilla-kafka-"), true)
                    : new BrokerDataFolder(Files.createDirectories(given), false);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create a folder for Kafka's data", e);
        }
    }

    @Override
    public void close() {
        if (!temporary) {
            return;
        }
        try {
            Files.walkFileTree(path, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.deleteIfExists(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failure)
                        throws IOException {
                    Files.deleteIfExists(folder);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + path, e);
        }
    }
}
