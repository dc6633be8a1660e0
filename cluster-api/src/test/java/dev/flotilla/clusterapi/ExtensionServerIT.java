package dev.flotilla.clusterapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.clusterapi.config.ClusterApiExtensionConfig;
import dev.flotilla.clusterapi.config.ManagementClusterConfig;
import dev.flotilla.clusterapi.coverage.CoverageTable;
import dev.flotilla.clusterapi.hook.Hook;
import dev.flotilla.clusterapi.hook.HookHandler;
import dev.flotilla.runtime.config.HostPort;
import dev.flotilla.runtime.config.HttpServerConfig;
import dev.flotilla.runtime.config.LogConfig;
import dev.flotilla.runtime.config.ServerTlsConfig;
import dev.flotilla.testkit.cert.CertificateAuthority;
import dev.flotilla.testkit.cert.KeyAndCertificate;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The extension's server while its management cluster is away. */
class ExtensionServerIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    private final CertificateAuthority authority = CertificateAuthority.create("extension-ca");
    private Path kubeconfig;
    private ClusterApiExtensionProcess extension;

    /** Connections to it are accepted, and nothing is ever answered. */
    private ServerSocket silentCluster;

    @BeforeEach
    void start() throws Exception {
        writeCertificate(authority);
        silentCluster = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        kubeconfig = Files.writeString(folder.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                clusters: [{name: away, cluster: {server: 'https://127.0.0.1:%d', certificate-authority-data: %s}}]
                users: [{name: away, user: {token: nobody-listens}}]
                contexts: [{name: away, context: {cluster: away, user: away}}]
                current-context: away
                """.formatted(
                silentCluster.getLocalPort(),
                Base64.getEncoder().encodeToString(authority.certificate().getBytes(StandardCharsets.US_ASCII))));
        extension = startWith(new ServerTlsConfig(folder.resolve("tls.crt"), folder.resolve("tls.key"), null));
    }

    private ClusterApiExtensionProcess startWith(@Nullable ServerTlsConfig tls) throws Exception {
        return ClusterApiExtensionProcess.start(
                new ClusterApiExtensionConfig(
                        new HttpServerConfig(new HostPort("127.0.0.1", 0), tls, null),
                        LogConfig.DEFAULT,
                        new ManagementClusterConfig(kubeconfig, Duration.ofSeconds(1), "flotilla", Duration.ofDays(1)),
                        null,
                        null),
                CoverageTable.DEFAULT,
                List.of());
    }

    @AfterEach
    void stop() throws Exception {
        extension.close();
        silentCluster.close();
    }

    private void writeCertificate(CertificateAuthority issuer) throws Exception {
        KeyAndCertificate own = issuer.issue("127.0.0.1");
        Files.writeString(folder.resolve("tls.crt"), own.certificate());
        Files.writeString(folder.resolve("tls.key"), own.key());
    }

    private HttpResponse<String> post(HttpClient client, String path, byte[] body) throws Exception {
        return post(client, URI.create(extension.url() + path), body);
    }

    private static HttpResponse<String> post(HttpClient client, URI uri, byte[] body) throws Exception {
        return client.send(
                HttpRequest.newBuilder(uri)
                        .POST(BodyPublishers.ofByteArray(body))
                        .build(),
                BodyHandlers.ofString());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void discoveryNeedsNoCluster() throws Exception {
        try (HttpClient client = TrustingHttpClient.open(authority)) {
            HttpResponse<String> response = post(client, Hook.DISCOVERY.path(), bytes("{}"));
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.body()).contains("can-update-machine", "update-machine", "\"status\":\"Success\"");
        }
    }

    @Test
    void discoveryIsAnsweredWhileEveryUpdateWaitsForASilentCluster() throws Exception {
        byte[] update;
        try (InputStream in =
                getClass().getResourceAsStream("captured/11-version-updatemachine-worker-inprogress.json")) {
            update = Objects.requireNonNull(in).readAllBytes();
        }
        List<Socket> accepted = new ArrayList<>();
        try (HttpClient client = TrustingHttpClient.open(authority);
                HttpClient another = TrustingHttpClient.open(authority)) {
            List<CompletableFuture<HttpResponse<String>>> updates = new ArrayList<>();
            for (int i = 0; i < 64; i++) {
                updates.add(client.sendAsync(
                        HttpRequest.newBuilder(URI.create(extension.url() + Hook.UPDATE_MACHINE.path()))
                                .POST(BodyPublishers.ofByteArray(update))
                                .build(),
                        BodyHandlers.ofString()));
            }
            while (accepted.size() < 20) {
                accepted.add(silentCluster.accept());
            }
            assertThat(post(another, Hook.DISCOVERY.path(), bytes("{}")).statusCode())
                    .isEqualTo(200);
            for (CompletableFuture<HttpResponse<String>> each : updates) {
                assertThat(each.get().body()).doesNotContain("\"retryAfterSeconds\":0");
            }
        } finally {
            for (Socket socket : accepted) {
                socket.close();
            }
        }
    }

    @Test
    void wrongRequestsGetAnAnswerOrARejection() throws Exception {
        try (HttpClient client = TrustingHttpClient.open(authority)) {
            for (Hook hook : Hook.values()) {
                byte[] garbage = {'{', (byte) 0xff, '"', 0, '[', '['};
                HttpResponse<String> response = post(client, hook.path(), garbage);
                assertThat(response.statusCode()).as(hook.path()).isEqualTo(200);
                assertThat(response.body()).contains("\"kind\":\"" + hook.hookName() + "Response\"");
                HttpResponse<String> read = client.send(
                        HttpRequest.newBuilder(URI.create(extension.url() + hook.path()))
                                .build(),
                        BodyHandlers.ofString());
                assertThat(read.statusCode()).as("GET " + hook.path()).isEqualTo(405);
            }
            assertThat(post(client, Hook.UPDATE_MACHINE.path() + "/other", bytes("{}"))
                            .statusCode())
                    .isBetween(400, 499);
        }
    }

    /** Without TLS: a busy machine that encrypts and decrypts 20 MiB in Java takes longer than the server waits for a body. */
    @Test
    void theLargestBodyIsAnsweredAndALargerOneIsRejected() throws Exception {
        byte[] largest = new byte[HookHandler.MAX_BODY];
        Arrays.fill(largest, (byte) '[');
        try (ClusterApiExtensionProcess plain = startWith(null);
                HttpClient client = HttpClient.newHttpClient()) {
            URI update = URI.create(plain.url() + Hook.UPDATE_MACHINE.path());
            assertThat(post(client, update, largest).body()).contains("\"Failure\"");
            assertThat(post(client, update, new byte[HookHandler.MAX_BODY + 1]).statusCode())
                    .isEqualTo(413);
        }
    }

    @Test
    void certificateIsRotatedWhileRequestsGoOn() throws Exception {
        try (HttpClient calling = TrustingHttpClient.open(authority)) {
            X509Certificate first = shown(calling);
            long end = System.nanoTime() + PATIENCE.toNanos();
            writeCertificate(authority);
            X509Certificate now = first;
            int answered = 0;
            while (now.equals(first)) {
                assertThat(System.nanoTime()).as("the new certificate is shown").isLessThan(end);
                try (HttpClient connecting = TrustingHttpClient.open(authority)) {
                    now = shown(connecting);
                }
                // A connection that is open goes on with the certificate that it began with.
                assertThat(post(calling, Hook.DISCOVERY.path(), bytes("{}")).statusCode())
                        .isEqualTo(200);
                answered++;
            }
            assertThat(answered).isPositive();
            assertThat(post(calling, Hook.DISCOVERY.path(), bytes("{}")).statusCode())
                    .isEqualTo(200);
        }
    }

    private X509Certificate shown(HttpClient client) throws Exception {
        HttpResponse<String> response = post(client, Hook.DISCOVERY.path(), bytes("{}"));
        assertThat(response.statusCode()).isEqualTo(200);
        return (X509Certificate) response.sslSession().orElseThrow().getPeerCertificates()[0];
    }
}
