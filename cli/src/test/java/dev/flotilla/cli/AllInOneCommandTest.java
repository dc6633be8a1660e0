package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AllInOneCommandTest {
    @TempDir
    private Path folder;

    @Test
    void namesAllProblemsAtOnce() {
        CliResult result = CliResult.flotilla(
                "all-in-one",
                "--site",
                "Not A Site",
                "--listen",
                "nowhere",
                "--upgrader",
                "magic",
                "--kubeconfig",
                folder.resolve("missing").toString());

        assertThat(result.exit()).isEqualTo(2);
        assertThat(result.err())
                .contains("--kubeconfig " + folder.resolve("missing") + " cannot be read")
                .contains("--site \"Not A Site\"", "--listen \"nowhere\"", "--upgrader magic is unknown");
    }

    @Test
    void namesThePortThatIsInUse() throws IOException {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + other.getLocalPort();

            CliResult result = CliResult.flotilla(
                    "all-in-one", "--kubeconfig", kubeconfig("https://127.0.0.1:1"), "--listen", address);

            assertThat(result.exit()).isEqualTo(2);
            assertThat(result.err()).contains("--listen " + address + " cannot be used (Address already in use");
        }
    }

    @Test
    void needsAKubeconfig() {
        CliResult result = CliResult.flotilla("all-in-one");

        assertThat(result.exit()).isEqualTo(2);
        assertThat(result.err()).contains("--kubeconfig FILE is missing");
    }

    @Test
    void namesWhatTheExtensionNeeds() throws IOException {
        CliResult result = CliResult.flotilla(
                "all-in-one", "--kubeconfig", kubeconfig("https://127.0.0.1:1"), "--extension-listen", "127.0.0.1:1");

        assertThat(result.exit()).isEqualTo(2);
        assertThat(result.err())
                .contains("--extension-cert FILE is missing: Cluster API calls extensions with TLS only")
                .contains("--extension-key FILE is missing");
    }

    @Test
    void saysWhichApiServerCannotBeReachedAndHowToCheck() throws IOException {
        String kubeconfig = kubeconfig("https://127.0.0.1:1");
        CliResult result = CliResult.flotilla(
                "all-in-one",
                "--kubeconfig",
                kubeconfig,
                "--data",
                folder.resolve("data").toString());

        assertThat(result.exit()).isEqualTo(3);
        assertThat(result.err())
                .contains("the API server https://127.0.0.1:1 of " + kubeconfig + " cannot be reached")
                .contains("nothing listens there", "kubectl --kubeconfig " + kubeconfig + " version");
        assertThat(folder.resolve("data")).doesNotExist();
    }

    private String kubeconfig(String server) throws IOException {
        return Files.writeString(folder.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                clusters: [{name: a, cluster: {server: "%s", certificate-authority-data: ""}}]
                users: [{name: a, user: {token: secret}}]
                contexts: [{name: a, context: {cluster: a, user: a}}]
                current-context: a
                """.formatted(server))
                .toString();
    }
}
