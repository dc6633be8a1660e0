package dev.flotilla.managementwatcher.stub;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** Carries what a client and an API server say to each other, of which nothing is read, and can cease to in two ways. */
public final class FaultyTcpProxy implements AutoCloseable {
    private static final int LOAD = 64 * 1024;

    private final ServerSocket near;
    private final URI far;
    private final List<Socket> open = new CopyOnWriteArrayList<>();
    private volatile boolean cut;
    private volatile CountDownLatch goesOn = new CountDownLatch(0);

    private FaultyTcpProxy(URI far) throws IOException {
        this.far = far;
        this.near = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    public static FaultyTcpProxy to(URI server) throws IOException {
        return new FaultyTcpProxy(server);
    }

    /** A kubeconfig that leads this way, instead of one that leads to the server. */
    public Path kubeconfig(Path direct, Path folder) throws IOException {
        String text = Files.readString(direct);
        String there = text.replace(":" + far.getPort() + "\n", ":" + near.getLocalPort() + "\n");
        if (there.equals(text)) {
            throw new IllegalArgumentException(direct + " does not lead to " + far);
        }
        return Files.writeString(folder.resolve("ferry.kubeconfig"), there);
    }

    /** Ends all connections, and takes no others. */
    public void cut() {
        cut = true;
        hangUp();
    }

    /** Carries nothing more, and lets both sides believe that they are connected. */
    public void freeze() {
        goesOn = new CountDownLatch(1);
    }

    /** Carries what is new. */
    public void mend() {
        hangUp();
        cut = false;
        goesOn.countDown();
    }

    private void hangUp() {
        open.forEach(FaultyTcpProxy::close);
        open.clear();
    }

    private void accept() {
        while (!near.isClosed()) {
            try {
                Socket client = near.accept();
                if (cut) {
                    client.close();
                } else {
                    Socket server = new Socket(far.getHost(), far.getPort());
                    open.addAll(List.of(client, server));
                    Thread.ofVirtual().start(() -> carry(client, server));
                    Thread.ofVirtual().start(() -> carry(server, client));
                }
            } catch (IOException refused) {
                // Whoever came finds out by themselves.
            }
        }
    }

    private void carry(Socket from, Socket to) {
        byte[] load = new byte[LOAD];
        try {
            int length = from.getInputStream().read(load);
            while (length >= 0) {
                goesOn.await();
                to.getOutputStream().write(load, 0, length);
                length = from.getInputStream().read(load);
            }
        } catch (IOException ended) {
            // One side has gone: so does the other.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        close(from);
        close(to);
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // Then it is of no use either.
        }
    }

    @Override
    public void close() throws IOException {
        near.close();
        goesOn.countDown();
        hangUp();
    }
}
