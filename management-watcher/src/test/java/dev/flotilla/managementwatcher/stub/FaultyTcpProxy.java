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

/** A TCP proxy between a client and an API server that can cut connections or freeze them. */
public final class FaultyTcpProxy implements AutoCloseable {
    private static final int BUFFER_SIZE = 64 * 1024;

    private final ServerSocket listener;
    private final URI target;
    private final List<Socket> open = new CopyOnWriteArrayList<>();
    private volatile boolean cut;
    private volatile CountDownLatch resumed = new CountDownLatch(0);

    private FaultyTcpProxy(URI target) throws IOException {
        this.target = target;
        this.listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    public static FaultyTcpProxy forwardTo(URI server) throws IOException {
        return new FaultyTcpProxy(server);
    }

    /** Writes a kubeconfig that leads to the proxy instead of the server. */
    public Path writeKubeconfig(Path direct, Path folder) throws IOException {
        String text = Files.readString(direct);
        String rewritten = text.replace(":" + target.getPort() + "\n", ":" + listener.getLocalPort() + "\n");
        if (rewritten.equals(text)) {
            throw new IllegalArgumentException(direct + " does not lead to " + target);
        }
        return Files.writeString(folder.resolve("ferry.kubeconfig"), rewritten);
    }

    /** Closes all connections and rejects new ones. */
    public void cut() {
        cut = true;
        closeConnections();
    }

    /** Stops forwarding while both sides stay connected. */
    public void freeze() {
        resumed = new CountDownLatch(1);
    }

    /** Closes frozen connections and forwards new ones. */
    public void restore() {
        closeConnections();
        cut = false;
        resumed.countDown();
    }

    private void closeConnections() {
        open.forEach(FaultyTcpProxy::close);
        open.clear();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                if (cut) {
                    client.close();
                } else {
                    Socket server = new Socket(target.getHost(), target.getPort());
                    open.addAll(List.of(client, server));
                    Thread.ofVirtual().start(() -> forward(client, server));
                    Thread.ofVirtual().start(() -> forward(server, client));
                }
            } catch (IOException refused) {
                // The client notices the closed connection itself.
            }
        }
    }

    private void forward(Socket from, Socket to) {
        byte[] buffer = new byte[BUFFER_SIZE];
        try {
            int length = from.getInputStream().read(buffer);
            while (length >= 0) {
                resumed.await();
                to.getOutputStream().write(buffer, 0, length);
                length = from.getInputStream().read(buffer);
            }
        } catch (IOException ended) {
            // One side has closed the connection, so the other is closed too.
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
            // It is closed already.
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        resumed.countDown();
        closeConnections();
    }
}
