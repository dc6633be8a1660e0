package dev.flotilla.testkit.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** What only one process of this machine has at a time, such as ports that cannot be chosen. It ends with the process. */
public final class MachineWideLock implements AutoCloseable {
    private final FileChannel file;

    private MachineWideLock(FileChannel file) {
        this.file = file;
    }

    /** Waits until no other process has the lock of this name. */
    public static MachineWideLock acquire(String name) {
        Path path = Path.of(System.getProperty("java.io.tmpdir"), "flotilla-" + name + ".lock");
        try {
            FileChannel file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            file.lock();
            return new MachineWideLock(file);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot lock " + path, e);
        }
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
