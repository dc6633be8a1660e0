package dev.flotilla.managementwatcher.external;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.managementwatcher.config.ExternalUpgradeConfig;
import dev.flotilla.runtime.config.HostPort;
import dev.flotilla.runtime.config.ServerTlsConfig;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.SiteMode;
import dev.flotilla.testkit.cert.CertificateAuthority;
import dev.flotilla.testkit.cert.KeyAndCertificate;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The listener of ExternalUpgradeRequests follows its certificate files. */
class ExternalUpgradeCertificatesIT {
    @TempDir
    private Path folder;

    private final Vertx vertx = Vertx.vertx();
    private final CertificateAuthority authority = CertificateAuthority.create("callers");
    private KubeApiClient api;
    private ExternalUpgradeServer server;

    @BeforeEach
    void start() throws Exception {
        api = KubeApiClient.open(writeKubeconfig(), Duration.ofSeconds(1), 1, System::nanoTime);
        write(authority.issue("first"));
        server = await(ExternalUpgradeServer.start(
                vertx,
                new ExternalUpgradeConfig(
                        new HostPort("127.0.0.1", 0),
                        new ServerTlsConfig(folder.resolve("tls.crt"), folder.resolve("tls.key"), null)),
                api,
                new SiteId("east"),
                () -> SiteMode.DIRECT));
    }

    @AfterEach
    void stop() throws Exception {
        server.stop().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
        vertx.close().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
        api.close();
    }

    @Test
    void newConnectionsSeeTheReplacedCertificateAndOpenOnesGoOn() throws Exception {
        try (SSLSocket open = connect()) {
            assertThat(nameOf(open)).isEqualTo("CN=first");
            write(authority.issue("second"));
            try (SSLSocket before = connect()) {
                assertThat(nameOf(before)).isEqualTo("CN=first");
            }
            assertThat(await(server.reloadCertificates())).isTrue();
            try (SSLSocket after = connect()) {
                assertThat(nameOf(after)).isEqualTo("CN=second");
            }
            open.getOutputStream().write("GET / HTTP/1.1\r\nHost: h\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(open.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
                    .isEqualTo("HTTP/1.1 404");
        }
    }

    @Test
    void filesThatCannotBeUsedLeaveThePresentCertificate() throws Exception {
        Files.writeString(folder.resolve("tls.crt"), "no certificate");
        assertThatThrownBy(() -> await(server.reloadCertificates())).isNotNull();
        try (SSLSocket socket = connect()) {
            assertThat(nameOf(socket)).isEqualTo("CN=first");
        }
        write(authority.issue("third"));
        assertThat(await(server.reloadCertificates())).isTrue();
        try (SSLSocket socket = connect()) {
            assertThat(nameOf(socket)).isEqualTo("CN=third");
        }
    }

    private Path writeKubeconfig() throws Exception {
        return Files.writeString(folder.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                current-context: c
                contexts: [{name: c, context: {cluster: c, user: u}}]
                clusters: [{name: c, cluster: {server: "https://127.0.0.1:1", certificate-authority-data: %s}}]
                users: [{name: u, user: {token: t}}]
                """.formatted(Base64.getEncoder()
                .encodeToString(authority.certificate().getBytes(StandardCharsets.US_ASCII))));
    }

    private void write(KeyAndCertificate pair) throws Exception {
        Files.writeString(folder.resolve("tls.crt"), pair.certificate());
        Files.writeString(folder.resolve("tls.key"), pair.key());
    }

    private SSLSocket connect() throws Exception {
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null);
        Certificate root = CertificateFactory.getInstance("X.509")
                .generateCertificate(
                        new ByteArrayInputStream(authority.certificate().getBytes(StandardCharsets.US_ASCII)));
        trusted.setCertificateEntry("root", root);
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", server.port());
        socket.startHandshake();
        return socket;
    }

    private static String nameOf(SSLSocket socket) throws Exception {
        return ((X509Certificate) socket.getSession().getPeerCertificates()[0])
                .getSubjectX500Principal()
                .getName();
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }
}
