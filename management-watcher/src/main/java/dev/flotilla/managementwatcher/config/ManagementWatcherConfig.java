package dev.flotilla.managementwatcher.config;

import dev.flotilla.runtime.config.ConfigCodecs;
import dev.flotilla.runtime.config.ConfigReader;
import dev.flotilla.runtime.config.HttpServerConfig;
import dev.flotilla.runtime.config.KafkaConfig;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import java.util.Map;

/** A management-watcher's configuration. */
public record ManagementWatcherConfig(
        SiteId site, KafkaConfig kafka, HttpServerConfig server, ManagementClusterConfig kubernetes) {

    /** Settings that everybody has to give, under names that everybody expects. */
    public static final Map<String, String> SHORT_NAMES =
            Map.of("FLOTILLA_BOOTSTRAP_SERVERS", "kafka.bootstrapServers");

    /** Reads the configuration; a check looks at the settings of the Kafka client too. */
    public static ConfigReader<ManagementWatcherConfig> reader(KafkaConfig.PropertyCheck propertyCheck) {
        return new ConfigReader<>(codec(propertyCheck), SHORT_NAMES);
    }

    /** How it is read and described. */
    public static JsonCodec<ManagementWatcherConfig> codec(KafkaConfig.PropertyCheck propertyCheck) {
        var it = JsonObjectCodec.<ManagementWatcherConfig>of(
                "management-watcher", "A management-watcher's configuration.");
        var site = it.required("site", ConfigCodecs.SITE, "Which site it watches.", ManagementWatcherConfig::site);
        var kafka = it.required(
                "kafka", KafkaConfig.codec(propertyCheck), "How Kafka is reached.", ManagementWatcherConfig::kafka);
        var server = it.defaulted(
                "server",
                HttpServerConfig.CODEC,
                HttpServerConfig.DEFAULT,
                "The HTTP server: health and metrics.",
                ManagementWatcherConfig::server);
        var kubernetes = it.defaulted(
                "kubernetes",
                ManagementClusterConfig.CODEC,
                ManagementClusterConfig.DEFAULT,
                "How the management cluster is reached, and how much is asked of it.",
                ManagementWatcherConfig::kubernetes);
        return it.build(v -> new ManagementWatcherConfig(v.get(site), v.get(kafka), v.get(server), v.get(kubernetes)));
    }
}
