package dev.flotilla.nodeworker.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.nodeworker.k8sd.K8sdTransportSetting;
import dev.flotilla.runtime.config.ConfigReadResult;
import dev.flotilla.runtime.config.ConfigReader;
import dev.flotilla.schemas.row.DrainMode;
import dev.flotilla.schemas.row.SiteMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SiteKubernetesConfigTest {
    @TempDir
    private Path folder;

    private ConfigReadResult<SiteKubernetesConfig> read(String yaml) throws Exception {
        Path file = Files.writeString(folder.resolve("site.yaml"), yaml);
        return new ConfigReader<>(SiteKubernetesConfig.CODEC, Map.of()).read(file, Map.of());
    }

    @Test
    void everythingMayBeLeftOut() throws Exception {
        ConfigReadResult.ValidConfig<SiteKubernetesConfig> validConfig =
                (ConfigReadResult.ValidConfig<SiteKubernetesConfig>) read("{}");
        assertThat(validConfig.value()).isEqualTo(new SiteKubernetesConfig(null, SiteUpgradeSettings.DEFAULT));
    }

    @Test
    void everythingMayBeSet() throws Exception {
        ConfigReadResult<SiteKubernetesConfig> read = read("""
            trigger: direct
            guards: {disableScaleDown: true}
            drain: {mode: auto, timeout: 5m, grace: 30s, pause: 2s}
            transport: proxy
            k8sdPort: 6400
            tunnels: 20
            connections: 10
            requestsPerCluster: 4
            timeout: 5s
            """);
        SiteUpgradeSettings settings = ((ConfigReadResult.ValidConfig<SiteKubernetesConfig>) read)
                .value()
                .settings();
        assertThat(settings.siteMode()).isEqualTo(SiteMode.DIRECT);
        assertThat(settings.guards().skipRemediation()).isTrue();
        assertThat(settings.guards().disableScaleDown()).isTrue();
        assertThat(settings.drain().mode()).isEqualTo(DrainMode.AUTO);
        assertThat(settings.drain().grace()).hasSeconds(30);
        assertThat(settings.transport()).isEqualTo(K8sdTransportSetting.PROXY);
        assertThat(settings.k8sdPort()).isEqualTo(6400);
        assertThat(settings.maxTunnels()).isEqualTo(20);
        assertThat(settings.requestsPerCluster()).isEqualTo(4);
    }

    @Test
    void whatIsOutOfBoundsIsTold() throws Exception {
        ConfigReadResult.InvalidConfig<SiteKubernetesConfig> invalidConfig =
                (ConfigReadResult.InvalidConfig<SiteKubernetesConfig>)
                        read("drain: {mode: sometimes}\nrequestsPerCluster: 0\n");
        assertThat(invalidConfig.problems()).hasSize(2);
    }
}
