package dev.flotilla.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.runtime.config.ConfigReadResult;
import dev.flotilla.runtime.config.ConfigReader;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TracingConfigTest {
    private static ConfigReadResult<TracingConfig> read(String endpoint) {
        return new ConfigReader<>(TracingConfig.CODEC, Map.of()).read(null, Map.of("FLOTILLA_ENDPOINT", endpoint));
    }

    @ParameterizedTest
    @CsvSource({
        "https://collector.example:4318, https://collector.example:4318/v1/traces",
        "https://collector.example/, https://collector.example/v1/traces",
        "https://collector.example/otlp/traces, https://collector.example/otlp/traces",
        "http://127.0.0.1:4318, http://127.0.0.1:4318/v1/traces",
        "http://[::1]:4318, http://[::1]:4318/v1/traces"
    })
    void sendsToThePathOfTheEndpoint(String endpoint, String url) {
        assertThat(read(endpoint))
                .isInstanceOfSatisfying(
                        ConfigReadResult.ValidConfig.class,
                        valid -> assertThat(valid.value())
                                .isInstanceOfSatisfying(
                                        TracingConfig.class,
                                        config ->
                                                assertThat(config.requestUrl()).isEqualTo(url)));
    }

    /** The endpoint is printed at the start: what may be a secret belongs in a file. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://collector.example:4318",
                "https://user:secret@collector.example",
                "https://collector.example?token=secret",
                "https://collector.example#secret",
                "ftp://collector.example",
                "collector.example:4318",
                "https:"
            })
    void refusesPlainHttpToAnotherMachineAndUrlsWithSecrets(String endpoint) {
        assertThat(read(endpoint)).isInstanceOf(ConfigReadResult.InvalidConfig.class);
    }

    @Test
    void saysWhyPlainHttpIsRefused() {
        assertThat(read("http://collector.example:4318"))
                .isInstanceOfSatisfying(
                        ConfigReadResult.InvalidConfig.class,
                        invalid -> assertThat(invalid.report()).contains("must be https"));
    }
}
