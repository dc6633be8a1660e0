package dev.flotilla.testkit.kube;

import dev.flotilla.testkit.cert.KeyAndCertificate;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** A self-contained kubeconfig, as Cluster API keeps it in a Secret, without references to files. */
record Kubeconfig(String cluster, URI server, String authority, KeyAndCertificate user) {

    String text() {
        return """
                apiVersion: v1
                kind: Config
                clusters:
                - name: %1$s
                  cluster:
                    server: %2$s
                    certificate-authority-data: %3$s
                users:
                - name: %4$s
                  user:
                    client-certificate-data: %5$s
                    client-key-data: %6$s
                contexts:
                - name: %4$s@%1$s
                  context:
                    cluster: %1$s
                    user: %4$s
                current-context: %4$s@%1$s
                """.formatted(
                cluster, server, base64(authority), user.name(), base64(user.certificate()), base64(user.key()));
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
