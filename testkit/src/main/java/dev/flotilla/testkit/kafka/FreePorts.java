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
 * Ports that nobody listens on, none of them twice: who was given one may not listen on it yet. Suites run beside each
 * other in processes of their own, so what was given is said in a file: its bytes are the ports, and a process locks
 * those that it gave while it lives.
 *
 * <p>They lie below the range from which the system gives ports to outgoing connections: from there another process's
 * connection would take one between our look and the broker's start.
 */
public final class FreePorts {
    private static final int TRIES = 1_000;
    private static final Path GIVEN =
            Path.of(System.getProperty("java.io.tmpdir"), "flotilla-ports-" + System.getProperty("user.name"));
    private static final FreePorts OURS = new FreePorts(GIVEN, 20_000, 32_000);

    /** Stays open: the system drops a process's locks on a file as soon as it closes it once. */
    private final FileChannel given;

    private final int first;
    private final int end;

    FreePorts(Path given, int first, int end) {
        try {
            this.given = FileChannel.open(given, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.first = first;
        this.end = end;
    }

    /** A free port on the loopback interface. */
    public static int next() {
        return OURS.one();
    }

    int one() {
        for (int i = 0; i < TRIES; i++) {
            int port = ThreadLocalRandom.current().nextInt(first, end);
            if (isFree(port) && isOurs(port)) {
                return port;
            }
        }
        throw new IllegalStateException("no free port from " + first + " to " + (end - 1));
    }

    private boolean isOurs(int port) {
        try {
            return given.tryLock(port, 1, false) != null;
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
