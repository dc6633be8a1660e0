package dev.flotilla.nodeupgrader.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManagementClusterConfigTest {
    @TempDir
    private Path folder;

    @Test
    void ownNamespaceIsThatOfThePodUnlessItIsConfigured() throws IOException {
        Path podNamespace = Files.writeString(folder.resolve("namespace"), "infra-flotilla\n");
        ManagementClusterConfig configured = new ManagementClusterConfig(
                null, Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofDays(1), "fleet-tools");

        assertThat(ManagementClusterConfig.DEFAULT.findFlotillaNamespace(podNamespace))
                .isEqualTo("infra-flotilla");
        assertThat(ManagementClusterConfig.DEFAULT.findFlotillaNamespace(folder.resolve("none")))
                .isEqualTo("flotilla");
        assertThat(configured.findFlotillaNamespace(podNamespace)).isEqualTo("fleet-tools");
    }
}
