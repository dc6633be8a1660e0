package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.cli.terminal.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code flotilla node-upgrader} says when it cannot start. It needs no Kafka. */
class NodeUpgraderCommandTest {
    @TempDir
    private Path folder;

    @Test
    void namesTheOptionOfAKubeconfigThatDoesNotExist() {
        CliResult result = CliResult.flotilla(
                "node-upgrader", "--kubeconfig", folder.resolve("none").toString());
        assertThat(result.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(result.err()).contains("--kubeconfig", "does not exist", "See flotilla node-upgrader --help");
    }

    @Test
    void listsAllProblemsOfItsSettings() throws Exception {
        Path file = Files.writeString(folder.resolve("config.yaml"), "kafka: {}\nkubernetes: {timeout: soon}\n");
        CliResult result = CliResult.runInEnvironment(
                Map.of("FLOTILLA_SITE", "east"), "node-upgrader", "--config", file.toString());
        assertThat(result.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(result.err()).contains("kafka", "timeout", "soon", "FLOTILLA_SITE");
    }

    @Test
    void kubeconfigThatIsNoneIsAProblemOfUsage() throws Exception {
        Path file = Files.writeString(folder.resolve("kubeconfig"), "clusters: secret-text");
        CliResult result = CliResult.flotilla("node-upgrader", "--kubeconfig", file.toString());
        assertThat(result.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(result.err()).contains("kubeconfig").doesNotContain("secret-text");
    }

    @Test
    void helpSaysThatItNeedsNoKafka() {
        CliResult result = CliResult.flotilla("node-upgrader", "--help");
        assertThat(result.exit()).isZero();
        assertThat(result.out()).contains("It needs no Kafka", "--kubeconfig", "--listen", "--log-format");
    }
}
