package dev.flotilla.cli.support;

import dev.flotilla.cli.terminal.JsonFileOption;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The file of a bundle. Until it is complete it has another name, and it is removed if the command ends before. Only its owner may read it.
 */
final class BundleFile implements AutoCloseable {
    private final Path target;
    private final Path unfinished;
    private final TarGzipWriter archive;

    private BundleFile(Path target, Path unfinished, TarGzipWriter archive) {
        this.target = target;
        this.unfinished = unfinished;
        this.archive = archive;
    }

    /** Finds why a file could not be written; null if it probably can be. */
    static @Nullable String findProblem(Path file) {
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return "--output " + file + " exists, and a bundle replaces no file: name another one";
        }
        return JsonFileOption.findProblem("--output", file.toString());
    }

    static BundleFile open(Path target, String folder) throws IOException {
        Path unfinished = target.resolveSibling(target.getFileName() + ".unfinished");
        FileAttribute<?>[] mode =
                unfinished.getFileSystem().supportedFileAttributeViews().contains("posix")
                        ? new FileAttribute<?>[] {
                            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                        }
                        : new FileAttribute<?>[0];
        OutputStream out = Channels.newOutputStream(Files.newByteChannel(
                unfinished, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), mode));
        unfinished.toFile().deleteOnExit();
        return new BundleFile(target, unfinished, new TarGzipWriter(folder, out));
    }

    TarGzipWriter archive() {
        return archive;
    }

    /** Ends the archive and gives the file its name. Returns its size. */
    long complete() throws IOException {
        archive.close();
        Files.move(unfinished, target);
        return Files.size(target);
    }

    /** Removes a file that is not complete. */
    @Override
    public void close() throws IOException {
        try (archive) {
            Files.deleteIfExists(unfinished);
        }
    }
}
