package dev.flotilla.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KubeConnectionConfigTest {
    private static final String CANARY = "canary-5d1e0c77";
    private static final String GOOD = """
            apiVersion: v1
            kind: Config
            current-context: blue-admin@blue
            clusters:
            - name: other
              cluster: {server: "https://10.0.0.8:6443", certificate-authority-data: b3RoZXI=}
            - name: blue
              cluster: {server: "https://10.0.0.9:6443", certificate-authority-data: YWJj}
            contexts:
            - name: blue-admin@blue
              context: {cluster: blue, user: blue-admin}
            users:
            - name: blue-admin
              user: {token: canary-5d1e0c77}
            """;

    @Test
    void readsCurrentContext() throws Exception {
        Config config = KubeConnectionConfig.parseKubeconfig(GOOD)
                .toClientConfig("flotilla:node-worker", Duration.ofSeconds(1));
        assertThat(config.getMasterUrl()).startsWith("https://10.0.0.9:6443");
        assertThat(config.getCaCertData()).isEqualTo("YWJj");
        assertThat(config.getOauthToken()).isEqualTo(CANARY);
        assertThat(config.getImpersonateUsername()).isEqualTo("flotilla:node-worker");
    }

    /** Without the check the process would try for ever to resolve a name that exists in pods only. */
    @Test
    void refusesToGuessAClusterWhereNothingNamesOne() {
        List<String> sources = List.of(
                Config.KUBERNETES_AUTH_TRYKUBECONFIG_SYSTEM_PROPERTY,
                Config.KUBERNETES_AUTH_TRYSERVICEACCOUNT_SYSTEM_PROPERTY);
        try {
            sources.forEach(source -> System.setProperty(source, "false"));
            assertThatThrownBy(() -> KubeConnectionConfig.open(null, Duration.ofSeconds(1)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("no cluster is known")
                    .hasMessageContaining("--kubeconfig");
        } finally {
            sources.forEach(System::clearProperty);
        }
    }

    @Test
    void showsNoCredentials() throws Exception {
        assertThat(KubeConnectionConfig.parseKubeconfig(GOOD)).hasToString("access to https://10.0.0.9:6443");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "https://10.0.0.9 | http://10.0.0.9",
                "current-context: blue-admin@blue | current-context: green",
                "certificate-authority-data: YWJj | certificate-authority: /etc/ca.pem",
                "https://10.0.0.9:6443 | https://a b",
                "token: canary-5d1e0c77 | token: 'canary-5d1e0c77 and more'",
                "token: canary-5d1e0c77 | tokenFile: /etc/canary-5d1e0c77",
                "token: canary-5d1e0c77 | exec: {command: canary-5d1e0c77}",
                "apiVersion: v1 | canary-5d1e0c77: [",
            })
    void rejectsInvalidKubeconfigWithoutQuotingIt(String good, String bad) {
        assertThatThrownBy(() -> KubeConnectionConfig.parseKubeconfig(GOOD.replace(good, bad)))
                .isInstanceOf(KubeConnectionConfig.InvalidKubeconfigException.class)
                .message()
                .startsWith("the kubeconfig cannot be used: ")
                .doesNotContain(CANARY);
    }
}
