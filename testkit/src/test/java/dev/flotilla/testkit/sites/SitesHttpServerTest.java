package dev.flotilla.testkit.sites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** The HTTP port that shows what the simulated nodes received. */
class SitesHttpServerTest {
    private static final WorldExecutor AT_ONCE = new WorldExecutor() {
        @Override
        public <T> CompletableFuture<T> execute(Supplier<T> question) {
            return CompletableFuture.completedFuture(question.get());
        }
    };

    @Test
    void rejectsRequestsWithAReboundHost() throws IOException {
        InetSocketAddress listen = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        JsonObjectReader nothing = new JsonObjectReader.Builder().build();
        try (SitesHttpServer server = new SitesHttpServer(listen, AT_ONCE, () -> nothing, () -> nothing)) {
            server.start();
            assertThat(statusFor(server, "evil.example:80")).isEqualTo("HTTP/1.1 421");
            assertThat(statusFor(server, "127.0.0.1.evil.example")).isEqualTo("HTTP/1.1 421");
            assertThat(statusFor(server, "localhost:80")).isEqualTo("HTTP/1.1 200");
            assertThat(statusFor(server, "[::1]")).isEqualTo("HTTP/1.1 200");
        }
    }

    private static String statusFor(SitesHttpServer server, String host) throws IOException {
        try (Socket socket = new Socket(server.uri().getHost(), server.uri().getPort())) {
            String request = "GET /calls HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
        }
    }
}
