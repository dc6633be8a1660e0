package dev.flotilla.auditor.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the auditor's HTTP server from its clients' side. */
class AuditorHttpServerTest {
    private static final String TOKEN = "a-token-that-nobody-guesses";
    /** Less than the time limit of a request: a client that waits for a slow one gets no response within it. */
    private static final Duration PATIENCE = Duration.ofSeconds(8);

    private static final AuditSnapshot STANDING = new AuditSnapshot(
            1, 1, new TreeMap<>(), new TreeMap<>(), List.of(), new TreeMap<>(), 0, 0, 0, true, List.of(), List.of());

    @TempDir
    private static Path folder;

    private static TestCertificate server;
    private static TestCertificate next;
    private static Path tokenFile;

    private final List<String> problems = new ArrayList<>();

    @BeforeAll
    static void make() throws Exception {
        server = TestCertificate.make(folder, "server");
        next = TestCertificate.make(folder, "next");
        tokenFile = Files.writeString(folder.resolve("token"), TOKEN + "\n");
    }

    private AuditorHttpServer pages(@Nullable Path certificate, @Nullable Path key, @Nullable Path token)
            throws IOException {
        HttpListenerConfig httpListenerConfig =
                HttpListenerConfig.parse("127.0.0.1", 0, certificate, key, token, problems);
        assertThat(problems).isEmpty();
        return new AuditorHttpServer(httpListenerConfig, () -> STANDING);
    }

    private static HttpClient trusting(TestCertificate certificate) throws Exception {
        return HttpClient.newBuilder().sslContext(certificate.trusted()).build();
    }

    private static HttpResponse<String> get(
            HttpClient client, AuditorHttpServer auditorHttpServer, String path, @Nullable String authorization)
            throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(auditorHttpServer.url() + path))
                .timeout(PATIENCE);
        if (authorization != null) {
            request.header("Authorization", authorization);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    @Test
    void acceptsOnlyTls12AndNewer() throws Exception {
        try (AuditorHttpServer auditorHttpServer = pages(server.certificate(), server.key(), tokenFile);
                HttpClient client = trusting(server)) {
            HttpResponse<String> answer = get(client, auditorHttpServer, "/report", "Bearer " + TOKEN);
            assertThat(answer.body()).contains("\"seq\"");
            assertThat(answer.sslSession().orElseThrow().getProtocol()).isEqualTo("TLSv1.3");
            assertThat(handshakes(auditorHttpServer, "TLSv1.2")).isTrue();
            assertThat(handshakes(auditorHttpServer, "TLSv1.1")).isFalse();
        }
    }

    private static boolean handshakes(AuditorHttpServer auditorHttpServer, String version) throws Exception {
        SSLContext context = server.trusted();
        int port = URI.create(auditorHttpServer.url()).getPort();
        try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port)) {
            socket.setSSLParameters(new SSLParameters(null, new String[] {version}));
            socket.startHandshake();
            return true;
        } catch (IOException refused) {
            return false;
        }
    }

    @Test
    void requiresATokenExceptForHealth() throws Exception {
        try (AuditorHttpServer auditorHttpServer = pages(null, null, tokenFile);
                HttpClient client = HttpClient.newHttpClient()) {
            for (String closed : List.of("/metrics", "/report", "/nothing", "/healthz/../metrics")) {
                HttpResponse<String> answer = get(client, auditorHttpServer, closed, null);
                assertThat(answer.statusCode()).as(closed).isEqualTo(401);
                assertThat(answer.headers().firstValue("www-authenticate")).hasValue("Bearer");
            }
            for (String wrong : List.of("Bearer wrong", "Bearer", "Basic " + TOKEN, TOKEN, "Bearer " + TOKEN + "x")) {
                assertThat(get(client, auditorHttpServer, "/metrics", wrong).statusCode())
                        .as(wrong)
                        .isEqualTo(401);
            }
            assertThat(get(client, auditorHttpServer, "/healthz", null).statusCode())
                    .isEqualTo(200);
            assertThat(get(client, auditorHttpServer, "/metrics", "bearer " + TOKEN)
                            .body())
                    .contains("flotilla_audit_");
        }
    }

    @Test
    void rejectsRequestsWithAReboundHost() throws Exception {
        try (AuditorHttpServer auditorHttpServer = pages(null, null, null)) {
            assertThat(statusFor(auditorHttpServer, "evil.example:80")).isEqualTo("HTTP/1.1 421");
            assertThat(statusFor(auditorHttpServer, "evil.example")).isEqualTo("HTTP/1.1 421");
            assertThat(statusFor(auditorHttpServer, "localhost:80")).isEqualTo("HTTP/1.1 200");
            assertThat(statusFor(auditorHttpServer, "[::1]:80")).isEqualTo("HTTP/1.1 200");
        }
        try (AuditorHttpServer auditorHttpServer = pages(null, null, tokenFile)) {
            assertThat(statusFor(auditorHttpServer, "auditor.example"))
                    .as("a token is asked for")
                    .isEqualTo("HTTP/1.1 401");
        }
    }

    private static String statusFor(AuditorHttpServer auditorHttpServer, String host) throws IOException {
        URI uri = URI.create(auditorHttpServer.url());
        try (Socket socket = new Socket(uri.getHost(), uri.getPort())) {
            String request = "GET /metrics HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
        }
    }

    @Test
    void reloadsAReplacedTokenAndRejectsAllWithoutOne() throws Exception {
        Path file = Files.writeString(folder.resolve("replaced"), TOKEN);
        try (AuditorHttpServer auditorHttpServer = pages(null, null, file);
                HttpClient client = HttpClient.newHttpClient()) {
            Files.writeString(file, "another-token-that-nobody-guesses");
            assertThat(get(client, auditorHttpServer, "/report", "Bearer " + TOKEN)
                            .statusCode())
                    .isEqualTo(401);
            assertThat(get(client, auditorHttpServer, "/report", "Bearer another-token-that-nobody-guesses")
                            .statusCode())
                    .isEqualTo(200);
            Files.writeString(file, "");
            assertThat(get(client, auditorHttpServer, "/report", "Bearer ").statusCode())
                    .isEqualTo(401);
        }
    }

    @Test
    void reloadsAReplacedCertificateWhenItsKeyMatches() throws Exception {
        Path certificate = Files.copy(server.certificate(), folder.resolve("rotated.crt"));
        Path key = Files.copy(server.key(), folder.resolve("rotated.key"));
        try (AuditorHttpServer auditorHttpServer = pages(certificate, key, null)) {
            Files.copy(next.certificate(), certificate, StandardCopyOption.REPLACE_EXISTING);
            assertThat(healthAsSeenBy(server, auditorHttpServer)).isEqualTo(200);
            Files.copy(next.key(), key, StandardCopyOption.REPLACE_EXISTING);
            assertThat(healthAsSeenBy(next, auditorHttpServer)).isEqualTo(200);
            assertThatThrownBy(() -> healthAsSeenBy(server, auditorHttpServer))
                    .isInstanceOf(SSLHandshakeException.class);
        }
    }

    /** Uses a new client each time, without TLS session resumption. */
    private static int healthAsSeenBy(TestCertificate trusted, AuditorHttpServer auditorHttpServer) throws Exception {
        try (HttpClient client = trusting(trusted)) {
            return get(client, auditorHttpServer, "/healthz", null).statusCode();
        }
    }

    @Test
    void anEndlessRequestDelaysNoOther() throws Exception {
        try (AuditorHttpServer auditorHttpServer = pages(null, null, null);
                HttpClient client = HttpClient.newHttpClient();
                Socket slow = new Socket(
                        InetAddress.getLoopbackAddress(),
                        URI.create(auditorHttpServer.url()).getPort())) {
            slow.getOutputStream().write("GET /met".getBytes(StandardCharsets.US_ASCII));
            slow.getOutputStream().flush();
            assertThat(get(client, auditorHttpServer, "/healthz", null).statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void allowsPlainHttpWithoutTokenOnTheLoopbackOnly() {
        for (String host : List.of("127.0.0.1", "localhost", "[::1]")) {
            HttpListenerConfig.parse(host, 9404, null, null, null, problems);
            assertThat(problems).as(host).isEmpty();
        }
        for (String host : List.of("0.0.0.0", "[::]", "10.0.0.7", "127.0.0.1.example", "localhost.example")) {
            problems.clear();
            HttpListenerConfig.parse(host, 9404, null, null, null, problems);
            assertThat(problems)
                    .as(host)
                    .hasSize(2)
                    .anyMatch(each -> each.contains(host + ":9404") && each.contains("--tls-cert"))
                    .anyMatch(each -> each.contains("--token-file"));
        }
        problems.clear();
        HttpListenerConfig.parse("0.0.0.0", 9404, server.certificate(), server.key(), tokenFile, problems);
        assertThat(problems).isEmpty();
    }

    @Test
    void rejectsUnusableCertificatesAndTokensAtTheStart() throws IOException {
        Path weak = Files.writeString(folder.resolve("weak"), "short");
        HttpListenerConfig.parse("127.0.0.1", 0, server.certificate(), next.key(), weak, problems);
        HttpListenerConfig.parse("127.0.0.1", 0, server.certificate(), null, folder.resolve("none"), problems);
        HttpListenerConfig.parse("127.0.0.1", 0, server.key(), server.certificate(), null, problems);
        assertThat(problems)
                .hasSize(5)
                .anyMatch(each -> each.contains("is not the key of the certificate"))
                .anyMatch(each -> each.contains("16 to 4096"))
                .anyMatch(each -> each.contains("go together"))
                .anyMatch(each -> each.contains("--token-file cannot be used"))
                .noneMatch(each -> each.contains("short") || each.contains("PRIVATE KEY"));
    }
}
