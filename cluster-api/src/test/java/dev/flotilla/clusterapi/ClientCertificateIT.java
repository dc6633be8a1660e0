package dev.flotilla.clusterapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.clusterapi.config.ClusterApiExtensionConfig;
import dev.flotilla.clusterapi.config.ManagementClusterConfig;
import dev.flotilla.clusterapi.coverage.CoverageTable;
import dev.flotilla.clusterapi.hook.Hook;
import dev.flotilla.runtime.config.HostPort;
import dev.flotilla.runtime.config.HttpServerConfig;
import dev.flotilla.runtime.config.LogConfig;
import dev.flotilla.runtime.config.ServerTlsConfig;
import dev.flotilla.testkit.cert.CertificateAuthority;
import dev.flotilla.testkit.cert.KeyAndCertificate;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An extension that is called with client certificates only, which its clientCaFile has signed. */
class ClientCertificateIT {
    private static final CertificateAuthority SERVERS = CertificateAuthority.create("extension-ca");
    private static final CertificateAuthority MANAGERS = CertificateAuthority.create("managers-ca");

    @TempDir
    private Path folder;

    private ClusterApiExtensionProcess extension;

    @BeforeEach
    void start() throws Exception {
        KeyAndCertificate own = SERVERS.issue("127.0.0.1");
        Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                clusters: [{name: away, cluster: {server: 'https://127.0.0.1:1', certificate-authority-data: %s}}]
                users: [{name: away, user: {token: nobody-listens}}]
                contexts: [{name: away, context: {cluster: away, user: away}}]
                current-context: away
                """.formatted(
                        Base64.getEncoder().encodeToString(SERVERS.certificate().getBytes(StandardCharsets.US_ASCII))));
        extension = ClusterApiExtensionProcess.start(
                new ClusterApiExtensionConfig(
                        new HttpServerConfig(
                                new HostPort("127.0.0.1", 0),
                                new ServerTlsConfig(
                                        Files.writeString(folder.resolve("tls.crt"), own.certificate()),
                                        Files.writeString(folder.resolve("tls.key"), own.key()),
                                        Files.writeString(folder.resolve("managers.crt"), MANAGERS.certificate())),
                                null),
                        LogConfig.DEFAULT,
                        new ManagementClusterConfig(kubeconfig, Duration.ofSeconds(1), "flotilla", Duration.ofDays(1)),
                        null,
                        null),
                CoverageTable.DEFAULT,
                List.of());
    }

    @AfterEach
    void stop() {
        extension.close();
    }

    private HttpResponse<String> post(@Nullable KeyAndCertificate certificate, Hook hook) throws Exception {
        try (HttpClient client = TrustingHttpClient.open(SERVERS, certificate)) {
            return client.send(
                    HttpRequest.newBuilder(URI.create(extension.url() + hook.path()))
                            .POST(BodyPublishers.ofString("{}"))
                            .build(),
                    BodyHandlers.ofString());
        }
    }

    private int get(@Nullable KeyAndCertificate certificate, String path) throws Exception {
        try (HttpClient client = TrustingHttpClient.open(SERVERS, certificate)) {
            return client.send(
                            HttpRequest.newBuilder(URI.create(extension.url() + path))
                                    .build(),
                            BodyHandlers.ofString())
                    .statusCode();
        }
    }

    @Test
    void everyHookWantsACertificateOfItsCaDiscoveryToo() throws Exception {
        KeyAndCertificate manager = MANAGERS.issue("capi-controller-manager");
        KeyAndCertificate stranger = CertificateAuthority.create("other-ca").issue("capi-controller-manager");
        for (Hook hook : Hook.values()) {
            HttpResponse<String> refused = post(null, hook);
            assertThat(refused.statusCode()).as(hook.path()).isEqualTo(401);
            assertThat(refused.body()).contains("use a client certificate").doesNotContain("Success", "handlers");
            assertThat(post(stranger, hook).statusCode()).as(hook.path()).isEqualTo(401);
            HttpResponse<String> answered = post(manager, hook);
            assertThat(answered.statusCode()).as(hook.path()).isEqualTo(200);
            assertThat(answered.body()).contains("\"kind\":\"" + hook.hookName() + "Response\"");
        }
    }

    @Test
    void probesNeedNoneAndMetricsDo() throws Exception {
        assertThat(get(null, "/healthz")).isEqualTo(200);
        assertThat(get(null, "/readyz")).isEqualTo(200);
        assertThat(get(null, "/metrics")).isEqualTo(401);
        assertThat(get(MANAGERS.issue("prometheus"), "/metrics")).isEqualTo(200);
    }
}
