package dev.flotilla.runtime.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flotilla.runtime.config.HttpServerConfig;
import dev.flotilla.runtime.config.ServerTlsConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server from the point of view of its clients. */
class ApplicationHttpServerIT {
    private static final int SOCKET_TIMEOUT_MILLIS = 30_000;
    private static final String TOKEN = "a-token-that-is-hard-to-guess";

    @TempDir
    private static Path folder;

    private static TestCertificate server;
    private static TestCertificate known;
    private static TestCertificate stranger;
    private static Path tokenFile;

    private final Vertx vertx = Vertx.vertx();
    private final AtomicReference<HealthStatus> ready = new AtomicReference<>(HealthStatus.healthy("leader"));

    @BeforeAll
    static void make() throws Exception {
        server = TestCertificate.make(folder, "server");
        known = TestCertificate.make(folder, "known");
        stranger = TestCertificate.make(folder, "stranger");
        tokenFile = Files.writeString(folder.resolve("token"), TOKEN + "\n");
    }

    @AfterEach
    void close() throws Exception {
        await(vertx.close());
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    private ApplicationHttpServer start(HttpServerConfig config) throws Exception {
        HealthAndMetricsRoutes healthAndMetricsRoutes =
                new HealthAndMetricsRoutes(() -> HealthStatus.healthy("alive"), ready::get, () -> "up 1\n");
        return await(ApplicationHttpServer.start(vertx, config, healthAndMetricsRoutes, router -> {
            router.get("/thing").handler(ctx -> ctx.response().end("thing"));
            router.get("/bug").handler(ctx -> {
                throw new IllegalStateException("secret inside");
            });
        }));
    }

    private static HttpResponse<String> send(HttpClient client, HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private static HttpRequest.Builder to(ApplicationHttpServer endpoint, String path) {
        return HttpRequest.newBuilder(endpoint.uri().resolve(path));
    }

    private static HttpResponse<String> get(ApplicationHttpServer endpoint, String path) throws Exception {
        return send(HttpClient.newHttpClient(), to(endpoint, path));
    }

    private HttpServerConfig tls(Path clients, Path token) {
        return new HttpServerConfig(
                HttpServerConfig.DEFAULT_LISTEN, new ServerTlsConfig(server.cert, server.key, clients), token);
    }

    private static HttpClient client(SSLContext context) {
        return HttpClient.newBuilder().sslContext(context).build();
    }

    @Test
    void servesProbesAndMetrics() throws Exception {
        ApplicationHttpServer endpoint = start(HttpServerConfig.DEFAULT);
        assertThat(get(endpoint, "/healthz").body())
                .isEqualTo("{\"healthy\":true,\"status\":\"alive\",\"components\":[]}");
        assertThat(get(endpoint, "/readyz").statusCode()).isEqualTo(200);
        ready.set(new HealthStatus(
                false,
                "restoring",
                List.of(
                        new HealthStatus.ComponentHealth("a", true, "fine"),
                        new HealthStatus.ComponentHealth("kafka", false, "not reached"))));
        HttpResponse<String> response = get(endpoint, "/readyz");
        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.body())
                .startsWith("{\"healthy\":false,\"status\":\"restoring\",\"components\":[{\"name\":\"kafka\"");
        assertThat(get(endpoint, "/metrics").body()).isEqualTo("up 1\n");
    }

    @Test
    void errorsAreJsonWithoutInternalDetails() throws Exception {
        ApplicationHttpServer endpoint = start(HttpServerConfig.DEFAULT);
        HttpResponse<String> missing = get(endpoint, "/nothing%3Cscript%3E%0A");
        assertThat(missing.statusCode()).isEqualTo(404);
        assertThat(missing.body())
                .startsWith("{\"error\":{\"code\":\"not-found\"")
                .contains("hint");
        HttpResponse<String> bug = get(endpoint, "/bug");
        assertThat(bug.statusCode()).isEqualTo(500);
        assertThat(bug.body()).contains("\"code\":\"bug\"").doesNotContain("secret", "IllegalState");
        assertThat(missing.headers().map())
                .containsKeys("x-content-type-options", "content-security-policy", "cache-control")
                .doesNotContainKeys("server", "x-powered-by");
        assertThat(missing.headers().firstValue("content-type")).hasValue("application/json");
    }

    @Test
    void rejectsMethodsThatCouldChangeState() throws Exception {
        ApplicationHttpServer endpoint = start(HttpServerConfig.DEFAULT);
        for (String method : List.of("POST", "PUT", "DELETE", "PATCH", "OPTIONS")) {
            HttpResponse<String> response = send(
                    HttpClient.newHttpClient(),
                    to(endpoint, "/thing").method(method, HttpRequest.BodyPublishers.noBody()));
            assertThat(response.statusCode()).as(method).isEqualTo(405);
            assertThat(response.headers().firstValue("allow")).hasValue("GET, HEAD");
        }
        HttpResponse<String> head =
                send(HttpClient.newHttpClient(), to(endpoint, "/healthz").HEAD());
        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.body()).isEmpty();
        HttpResponse<String> body = send(
                HttpClient.newHttpClient(),
                to(endpoint, "/thing").method("GET", HttpRequest.BodyPublishers.ofString("x".repeat(100))));
        assertThat(body.statusCode()).isEqualTo(413);
    }

    @Test
    void rejectsTooLongRequests() throws Exception {
        ApplicationHttpServer endpoint = start(HttpServerConfig.DEFAULT);
        assertThat(get(endpoint, "/thing?q=" + "x".repeat(5_000)).statusCode()).isEqualTo(414);
        HttpRequest.Builder large = to(endpoint, "/thing").header("X-Large", "x".repeat(20_000));
        assertThat(send(HttpClient.newHttpClient(), large).statusCode()).isEqualTo(431);
        assertThat(raw(endpoint, "GET /thing\r\n\r\n")).contains(" 400 ").contains("bad-request");
    }

    private static String raw(ApplicationHttpServer endpoint, String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), endpoint.port())) {
            // Sooner than the server closes an idle connection.
            socket.setSoTimeout(SOCKET_TIMEOUT_MILLIS);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void rejectsForeignHostHeaderOnLoopback() throws Exception {
        ApplicationHttpServer endpoint = start(HttpServerConfig.DEFAULT);
        String request = "GET /thing HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n";
        assertThat(raw(endpoint, request.formatted("evil.example:80"))).contains(" 421 ");
        assertThat(raw(endpoint, request.formatted("localhost:80"))).contains(" 200 ");
        assertThat(raw(endpoint, request.formatted("[::1]:80"))).contains(" 200 ");
    }

    @Test
    void requiresTokenExceptForProbes() throws Exception {
        ApplicationHttpServer endpoint = start(new HttpServerConfig(HttpServerConfig.DEFAULT_LISTEN, null, tokenFile));
        for (String closed : List.of("/metrics", "/thing", "/nothing")) {
            HttpResponse<String> response = get(endpoint, closed);
            assertThat(response.statusCode()).as(closed).isEqualTo(401);
            assertThat(response.headers().firstValue("www-authenticate")).hasValue("Bearer");
        }
        assertThat(get(endpoint, "/healthz").statusCode()).isEqualTo(200);
        assertThat(get(endpoint, "/readyz").statusCode()).isEqualTo(200);
        for (String wrong : List.of("Bearer wrong", "Bearer", "Basic " + TOKEN, TOKEN, "Bearer " + TOKEN + "x")) {
            HttpResponse<String> response =
                    send(HttpClient.newHttpClient(), to(endpoint, "/thing").header("Authorization", wrong));
            assertThat(response.statusCode()).as(wrong).isEqualTo(401);
            assertThat(response.body()).doesNotContain(TOKEN);
        }
        HttpResponse<String> right =
                send(HttpClient.newHttpClient(), to(endpoint, "/thing").header("Authorization", "bearer " + TOKEN));
        assertThat(right.body()).isEqualTo("thing");
    }

    @Test
    void rejectsWeakTokenAtStart() throws IOException {
        Path weak = Files.writeString(folder.resolve("weak"), "short");
        assertThatThrownBy(() -> start(new HttpServerConfig(HttpServerConfig.DEFAULT_LISTEN, null, weak)))
                .hasMessageContaining("16");
    }

    @Test
    void acceptsOnlyTls12AndNewer() throws Exception {
        ApplicationHttpServer endpoint = start(tls(null, tokenFile));
        HttpClient client = client(server.client(null));
        HttpResponse<String> response = send(client, to(endpoint, "/thing").header("Authorization", "Bearer " + TOKEN));
        assertThat(response.body()).isEqualTo("thing");
        assertThat(response.headers().firstValue("strict-transport-security")).isPresent();
        assertThat(response.sslSession().orElseThrow().getProtocol()).isEqualTo("TLSv1.3");
        assertThat(send(client, to(endpoint, "/thing")).statusCode()).isEqualTo(401);
        try (SSLSocket socket =
                (SSLSocket) server.client(null).getSocketFactory().createSocket("127.0.0.1", endpoint.port())) {
            socket.setSSLParameters(new SSLParameters(null, new String[] {"TLSv1.1"}));
            assertThatThrownBy(socket::startHandshake).isInstanceOf(IOException.class);
        }
    }

    @Test
    void acceptsClientCertificateOfItsCa() throws Exception {
        ApplicationHttpServer endpoint = start(tls(known.cert, null));
        assertThat(send(client(server.client(known)), to(endpoint, "/thing")).body())
                .isEqualTo("thing");
        HttpClient without = client(server.client(null));
        assertThat(send(without, to(endpoint, "/thing")).statusCode()).isEqualTo(401);
        assertThat(send(without, to(endpoint, "/healthz")).statusCode()).isEqualTo(200);
        HttpClient other = client(server.client(stranger));
        assertThat(send(other, to(endpoint, "/thing")).statusCode()).isEqualTo(401);
    }

    @Test
    void reloadsReplacedToken() throws Exception {
        Path file = Files.writeString(folder.resolve("replaced"), TOKEN);
        ApplicationHttpServer endpoint = start(new HttpServerConfig(HttpServerConfig.DEFAULT_LISTEN, null, file));
        assertThat(await(endpoint.reloadCredentials())).isFalse();
        Files.writeString(file, "another-token-that-is-hard-to-guess");
        assertThat(await(endpoint.reloadCredentials())).isTrue();
        assertThat(statusWith(endpoint, TOKEN)).isEqualTo(401);
        assertThat(statusWith(endpoint, "another-token-that-is-hard-to-guess")).isEqualTo(200);
        Files.writeString(file, "short");
        assertThatThrownBy(() -> await(endpoint.reloadCredentials())).hasMessageContaining("16");
        assertThat(statusWith(endpoint, "another-token-that-is-hard-to-guess")).isEqualTo(200);
    }

    private static int statusWith(ApplicationHttpServer endpoint, String token) throws Exception {
        return send(HttpClient.newHttpClient(), to(endpoint, "/thing").header("Authorization", "Bearer " + token))
                .statusCode();
    }

    @Test
    void reloadsReplacedCertificateOnceItsKeyIsReplaced() throws Exception {
        TestCertificate next = TestCertificate.make(folder, "next");
        Path cert = Files.copy(server.cert, folder.resolve("rotated.crt"));
        Path key = Files.copy(server.key, folder.resolve("rotated.key"));
        ApplicationHttpServer endpoint = start(
                new HttpServerConfig(HttpServerConfig.DEFAULT_LISTEN, new ServerTlsConfig(cert, key, null), null));
        Files.copy(next.cert, cert, StandardCopyOption.REPLACE_EXISTING);
        assertThatThrownBy(() -> await(endpoint.reloadCredentials()))
                .hasMessageContaining("is not the key of the certificate");
        assertThat(send(client(server.client(null)), to(endpoint, "/thing")).body())
                .isEqualTo("thing");
        Files.copy(next.key, key, StandardCopyOption.REPLACE_EXISTING);
        assertThat(await(endpoint.reloadCredentials())).isTrue();
        assertThat(send(client(next.client(null)), to(endpoint, "/thing")).body())
                .isEqualTo("thing");
        HttpClient old = client(server.client(null));
        assertThatThrownBy(() -> send(old, to(endpoint, "/thing"))).isInstanceOf(SSLHandshakeException.class);
    }

    @Test
    void closesConnectionAfterRejectedRequest() throws Exception {
        ApplicationHttpServer endpoint = start(new HttpServerConfig(HttpServerConfig.DEFAULT_LISTEN, null, tokenFile));
        assertThat(raw(endpoint, "GET /thing HTTP/1.1\r\nHost: localhost\r\n\r\n"))
                .contains(" 401 ");
        assertThat(raw(endpoint, "POST /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"))
                .contains(" 405 ");
    }

    @Test
    void answersProbesWhileUnauthenticatedClientsHoldAllConnections() throws Exception {
        ApplicationHttpServer endpoint = start(new HttpServerConfig(HttpServerConfig.DEFAULT_LISTEN, null, tokenFile));
        String probe = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
        try (Connected known = Connected.to(endpoint)) {
            String admitted = "GET /thing HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + TOKEN + "\r\n\r\n";
            assertThat(known.ask(admitted)).contains(" 200 ");
            List<Connected> strangers = new ArrayList<>();
            for (int i = 0; i < HttpLimits.MAX_CONNECTIONS; i++) {
                Connected stranger = Connected.to(endpoint);
                strangers.add(stranger);
                assertThat(stranger.ask(probe)).contains(" 200 ");
            }
            assertThat(get(endpoint, "/healthz").statusCode()).isEqualTo(200);
            assertThat(known.ask(admitted))
                    .as("a client with a token keeps its connection")
                    .contains(" 200 ");
            for (Connected stranger : strangers) {
                stranger.close();
            }
        }
    }

    @Test
    void closesLongestIdleConnectionForANewOne() throws Exception {
        ApplicationHttpServer endpoint = start(HttpServerConfig.DEFAULT);
        List<Connected> open = new ArrayList<>();
        for (int i = 0; i < HttpLimits.MAX_CONNECTIONS; i++) {
            open.add(Connected.to(endpoint));
        }
        assertThat(get(endpoint, "/thing").body()).isEqualTo("thing");
        assertThat(open.getFirst().isClosedByServer()).isTrue();
        for (Connected connected : open) {
            connected.close();
        }
    }

    /** A client connection that stays open. */
    private record Connected(Socket socket) implements AutoCloseable {
        static Connected to(ApplicationHttpServer endpoint) throws IOException {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), endpoint.port());
            socket.setSoTimeout(20_000);
            return new Connected(socket);
        }

        /** Reads the head of a response. Its body stays unread before the next response, which no test here needs. */
        String ask(String request) throws IOException {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();
            byte[] answer = new byte[4_096];
            int read = socket.getInputStream().read(answer);
            return new String(answer, 0, Math.max(0, read), StandardCharsets.UTF_8);
        }

        boolean isClosedByServer() throws IOException {
            return socket.getInputStream().read() < 0;
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
