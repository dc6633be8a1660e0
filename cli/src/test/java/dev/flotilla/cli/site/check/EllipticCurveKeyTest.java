package dev.flotilla.cli.site.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.UserKubeconfig;
import dev.flotilla.testkit.cert.CertificateAuthority;
import dev.flotilla.testkit.cert.KeyAndCertificate;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A kubeconfig may have an EC or RSA key, inline or in a file, as kubectl accepts them. */
class EllipticCurveKeyTest {
    private static final CertificateAuthority AUTHORITY = CertificateAuthority.create("kube");
    private static final KeyAndCertificate ME = AUTHORITY.issue("me");

    @TempDir
    Path folder;

    @Test
    void acceptsAKeyInTheFile() throws IOException {
        assertThat(opened("client-certificate-data: " + base64(ME.certificate()) + ", client-key-data: "
                        + base64(ME.key())))
                .isEqualTo("https://127.0.0.1:1");
    }

    @Test
    void acceptsAKeyBesideTheFile() throws IOException {
        ME.writeSeparateFiles(folder);
        assertThat(opened("client-certificate: " + folder.resolve("me.crt") + ", client-key: "
                        + folder.resolve("me.key")))
                .isEqualTo("https://127.0.0.1:1");
    }

    @Test
    void acceptsAnRsaKey() throws IOException {
        KeyAndCertificate other = AUTHORITY.issueOrganizationMember("other", List.of("people"));
        assertThat(opened("client-certificate-data: " + base64(other.certificate()) + ", client-key-data: "
                        + base64(other.key())))
                .isEqualTo("https://127.0.0.1:1");
    }

    private String opened(String user) throws IOException {
        Path file =
                Files.writeString(folder.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                current-context: east
                clusters: [{name: east, cluster: {server: "https://127.0.0.1:1", certificate-authority-data: %s}}]
                contexts: [{name: east, context: {cluster: east, user: me}}]
                users: [{name: me, user: {%s}}]
                """.formatted(base64(AUTHORITY.certificate()), user));
        try (KubeApiClient api = UserKubeconfig.open(file, Duration.ofSeconds(1), 1)) {
            return api.root();
        }
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
