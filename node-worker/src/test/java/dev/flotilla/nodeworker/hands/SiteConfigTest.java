package dev.flotilla.nodeworker.hands;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.runtime.config.ConfigRead;
import dev.flotilla.runtime.config.ConfigReader;
import dev.flotilla.schemas.row.DrainMode;
import dev.flotilla.schemas.row.SiteMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SiteConfigTest {
    @TempDir
    private Path folder;

    private ConfigRead<SiteConfig> read(String yaml) throws Exception {
        Path file = Files.writeString(folder.resolve("site.yaml"), yaml);
        return new ConfigReader<>(SiteConfig.CODEC, Map.of()).read(file, Map.of());
    }

    @Test
    void everythingMayBeLeftOut() throws Exception {
        ConfigRead.Good<SiteConfig> good = (ConfigRead.Good<SiteConfig>) read("{}");
        assertThat(good.value()).isEqualTo(new SiteConfig(null, SiteSettings.DEFAULT));
    }

    @Test
    void everythingMayBeSet() throws Exception {
        ConfigRead<SiteConfig> read = read("""
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
        SiteSettings settings = ((ConfigRead.Good<SiteConfig>) read).value().settings();
        assertThat(settings.trigger()).isEqualTo(SiteMode.DIRECT);
        assertThat(settings.guards().skipRemediation()).isTrue();
        assertThat(settings.guards().disableScaleDown()).isTrue();
        assertThat(settings.drain().mode()).isEqualTo(DrainMode.AUTO);
        assertThat(settings.drain().grace()).hasSeconds(30);
        assertThat(settings.transport()).isEqualTo(Transport.PROXY);
        assertThat(settings.k8sdPort()).isEqualTo(6400);
        assertThat(settings.tunnels()).isEqualTo(20);
        assertThat(settings.requestsPerCluster()).isEqualTo(4);
    }

    @Test
    void whatIsOutOfBoundsIsTold() throws Exception {
        ConfigRead.Bad<SiteConfig> bad =
                (ConfigRead.Bad<SiteConfig>) read("drain: {mode: sometimes}\nrequestsPerCluster: 0\n");
        assertThat(bad.problems()).hasSize(2);
    }
}
