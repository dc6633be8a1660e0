package dev.flotilla.testkit.kafka;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Hands out free ports, each only once, because its user may not listen on it yet. Test suites run in parallel
 * processes, so ports that were handed out are locked in a shared file: each byte is a port, locked by its process
 * while it lives.
 *
 * <p>The ports are below the system's range for outgoing connections; otherwise a connection of another process could
 * take one before the broker starts.
 */
public final class FreePorts {
    private static final int MAX_TRIES = 1_000;
    private static final Path SHARED_FILE =
            Path.of(System.getProperty("java.io.tmpdir"), "flotilla-ports-" + System.getProperty("user.name"));

    /** Cluster API's in-memory infrastructure takes one port a cluster from 20,000 on, free or not. */
    private static final int FIRST = 21_000;

    private static final FreePorts SHARED = new FreePorts(SHARED_FILE, FIRST, 32_000);

    /** Stays open, because the system drops a process's locks on a file as soon as the process closes the file once. */
    private final FileChannel file;

    private final int first;
    private final int end;

    FreePorts(Path given, int first, int end) {
        try {
            this.file = FileChannel.open(given, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.first = first;
        this.end = end;
    }

    /** A free port on the loopback interface. */
    public static int next() {
        return SHARED.nextPort();
    }

    int nextPort() {
        for (int i = 0; i < MAX_TRIES; i++) {
            int port = ThreadLocalRandom.current().nextInt(first, end);
            if (isFree(port) && claim(port)) {
                return port;
            }
        }
        throw new IllegalStateException("no free port from " + first + " to " + (end - 1));
    }

    private boolean claim(int port) {
        try {
            return file.tryLock(port, 1, false) != null;
        } catch (OverlappingFileLockException givenByThisProcess) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException taken) {
            return false;
        }
    }
}
