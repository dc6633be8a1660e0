package dev.flotilla.orchestrator.config;

import dev.flotilla.runtime.config.ConfigReader;
import dev.flotilla.runtime.config.HttpServerConfig;
import dev.flotilla.runtime.config.KafkaConfig;
import dev.flotilla.runtime.config.LogConfig;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.tracing.TracingConfig;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The orchestrator's configuration. Rules of the fleet are not part of it: they are policy and come through Kafka.
 *
 * @param tracing null for no export of traces
 */
public record OrchestratorConfig(
        KafkaConfig kafka,
        HttpServerConfig server,
        LogConfig log,
        JournalConfig journal,
        @Nullable TracingConfig tracing) {

    /** The one required setting, under its conventional name. */
    public static final Map<String, String> SHORT_NAMES =
            Map.of("FLOTILLA_BOOTSTRAP_SERVERS", "kafka.bootstrapServers");

    /** A reader of the configuration that also checks the Kafka client's properties. */
    public static ConfigReader<OrchestratorConfig> reader(KafkaConfig.PropertyCheck propertyCheck) {
        return new ConfigReader<>(codec(propertyCheck), SHORT_NAMES);
    }

    public static JsonCodec<OrchestratorConfig> codec(KafkaConfig.PropertyCheck propertyCheck) {
        var it = JsonObjectCodec.<OrchestratorConfig>of("orchestrator", "The orchestrator's configuration.");
        var kafka = it.required(
                "kafka", KafkaConfig.codec(propertyCheck), "Connection to Kafka.", OrchestratorConfig::kafka);
        var server = it.defaulted(
                "server",
                HttpServerConfig.CODEC,
                HttpServerConfig.DEFAULT,
                "The HTTP server: health, metrics and the API.",
                OrchestratorConfig::server);
        var log = it.defaulted(
                "log", LogConfig.CODEC, LogConfig.DEFAULT, "How this process logs.", OrchestratorConfig::log);
        var journal = it.defaulted(
                "journal",
                JournalConfig.CODEC,
                JournalConfig.DEFAULT,
                "How the journal is divided into chapters.",
                OrchestratorConfig::journal);
        var tracing =
                it.optional("tracing", TracingConfig.CODEC, TracingConfig.DESCRIPTION, OrchestratorConfig::tracing);
        return it.build(
                v -> new OrchestratorConfig(v.get(kafka), v.get(server), v.get(log), v.get(journal), v.get(tracing)));
    }
}
