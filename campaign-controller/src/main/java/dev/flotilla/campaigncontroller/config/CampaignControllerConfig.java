package dev.flotilla.campaigncontroller.config;

import dev.flotilla.campaigncontroller.counts.OrchestratorApiConfig;
import dev.flotilla.runtime.config.ConfigReader;
import dev.flotilla.runtime.config.HttpServerConfig;
import dev.flotilla.runtime.config.KafkaConfig;
import dev.flotilla.runtime.config.LogConfig;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A campaign controller's configuration.
 *
 * @param orchestrator where machines are counted; null if Campaigns show no numbers of machines
 */
public record CampaignControllerConfig(
        KafkaConfig kafka,
        HttpServerConfig server,
        LogConfig log,
        HubClusterConfig kubernetes,
        @Nullable OrchestratorApiConfig orchestrator) {

    /** Short environment variables for the settings that every installation must give. */
    public static final Map<String, String> SHORT_NAMES =
            Map.of("FLOTILLA_BOOTSTRAP_SERVERS", "kafka.bootstrapServers");

    /**
     * Returns the reader of the configuration.
     *
     * @param propertyCheck checks the properties of the Kafka client
     */
    public static ConfigReader<CampaignControllerConfig> reader(KafkaConfig.PropertyCheck propertyCheck) {
        return new ConfigReader<>(codec(propertyCheck), SHORT_NAMES);
    }

    /** Returns the codec of the configuration, from which its documentation is generated too. */
    public static JsonCodec<CampaignControllerConfig> codec(KafkaConfig.PropertyCheck propertyCheck) {
        var it = JsonObjectCodec.<CampaignControllerConfig>of(
                "campaign-controller", "A campaign controller's configuration.");
        var kafka = it.required(
                "kafka", KafkaConfig.codec(propertyCheck), "How Kafka is reached.", CampaignControllerConfig::kafka);
        var server = it.defaulted(
                "server",
                HttpServerConfig.CODEC,
                HttpServerConfig.DEFAULT,
                "The HTTP server: health, metrics and the admission webhook, which needs server.tls.",
                CampaignControllerConfig::server);
        var log = it.defaulted(
                "log", LogConfig.CODEC, LogConfig.DEFAULT, "How this process logs.", CampaignControllerConfig::log);
        var kubernetes = it.defaulted(
                "kubernetes",
                HubClusterConfig.CODEC,
                HubClusterConfig.DEFAULT,
                "Connection to the hub cluster.",
                CampaignControllerConfig::kubernetes);
        var orchestrator = it.optional(
                "orchestrator",
                OrchestratorApiConfig.CODEC,
                "Where the machines of campaigns are counted. Without it, Campaigns show no numbers of machines.",
                CampaignControllerConfig::orchestrator);
        return it.build(v -> new CampaignControllerConfig(
                v.get(kafka), v.get(server), v.get(log), v.get(kubernetes), v.get(orchestrator)));
    }
}
