package dev.flotilla.runtime.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.logging.LogFormat;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LogConfigTest {
    private static final ConfigReader<LogConfig> READER = new ConfigReader<>(LogConfig.CODEC, Map.of());

    private static ConfigReadResult<LogConfig> read(Map<String, String> environment) {
        return READER.read(null, environment);
    }

    @Test
    void logsTextFromInfoOnByDefault() {
        assertThat(read(Map.of()))
                .isInstanceOfSatisfying(
                        ConfigReadResult.ValidConfig.class,
                        config -> assertThat(config.value()).isEqualTo(new LogConfig(LogFormat.TEXT, "info")));
    }

    @Test
    void readsFormatAndLevels() {
        assertThat(read(Map.of("FLOTILLA_FORMAT", "json", "FLOTILLA_LEVEL", "warn,org.apache.kafka=debug")))
                .isInstanceOfSatisfying(
                        ConfigReadResult.ValidConfig.class,
                        config -> assertThat(config.value())
                                .isEqualTo(new LogConfig(LogFormat.JSON, "warn,org.apache.kafka=debug")));
    }

    @Test
    void saysWhichLevelsThereAre() {
        assertThat(read(Map.of("FLOTILLA_FORMAT", "xml", "FLOTILLA_LEVEL", "verbose")))
                .isInstanceOfSatisfying(
                        ConfigReadResult.InvalidConfig.class,
                        config -> assertThat(config.report())
                                .contains("xml", "text", "json")
                                .contains("\"verbose\"", "off, error, warn, info, debug or trace"));
    }
}
