package dev.flotilla.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UserKubeconfigTest {
    private static final String CANARY = "canary-7be1d03f";
    private static final String GOOD = """
            apiVersion: v1
            kind: Config
            current-context: east
            clusters: [{name: east, cluster: {server: "https://10.0.0.9:6443", insecure-skip-tls-verify: true}}]
            contexts: [{name: east, context: {cluster: east, user: me}}]
            users: [{name: me, user: {token: canary-7be1d03f}}]
            """;

    @TempDir
    private Path folder;

    private KubeApiClient open(String text) throws IOException {
        return UserKubeconfig.open(Files.writeString(folder.resolve("kubeconfig"), text), Duration.ofSeconds(1), 1);
    }

    @Test
    void readsCurrentContext() throws IOException {
        try (KubeApiClient api = open(GOOD)) {
            assertThat(api.root()).isEqualTo("https://10.0.0.9:6443");
            assertThat(api.config().getAutoOAuthToken()).isEqualTo(CANARY);
            assertThat(api.config().getRequestTimeout()).isEqualTo(1_000);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "current-context: east | current-context: west | its current context refers to none of its contexts",
                "cluster: east, | cluster: west, | its current context refers to none of its clusters",
                "server: | host: | its cluster has no server",
                "token: canary-7be1d03f | client-certificate-data: YWJj, client-key-data: Y2FuYXJ5LTdiZTFkMDNm | cannot be used",
                "apiVersion | canary-7be1d03f | it is not a YAML object",
            })
    void reportsProblemWithoutQuotingTheFile(String part, String instead, String problem) {
        String text = problem.endsWith("YAML object") ? instead : GOOD.replace(part, instead);

        assertThatThrownBy(() -> open(text))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(folder.resolve("kubeconfig").toString())
                .hasMessageContaining(problem)
                .hasMessageEndingWith(
                        "correct it until `kubectl --kubeconfig " + folder.resolve("kubeconfig") + " version` works")
                .message()
                .doesNotContain(CANARY);
    }

    @Test
    void reportsMissingFile() {
        assertThatThrownBy(() -> UserKubeconfig.open(folder.resolve("none"), Duration.ofSeconds(1), 1))
                .isInstanceOf(IOException.class)
                .hasMessageEndingWith("none does not exist: name an existing file");
        assertThatThrownBy(() -> UserKubeconfig.open(folder, Duration.ofSeconds(1), 1))
                .isInstanceOf(IOException.class)
                .hasMessageEndingWith(" is a folder or a pipe: name a regular file");
    }
}
