package dev.flotilla.managementwatcher.config;

import dev.flotilla.runtime.config.ConfigCodecs;
import dev.flotilla.runtime.config.ConfigReader;
import dev.flotilla.runtime.config.HttpServerConfig;
import dev.flotilla.runtime.config.KafkaConfig;
import dev.flotilla.runtime.config.LogConfig;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.tracing.TracingConfig;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A management-watcher's configuration.
 *
 * @param externalUpgradeRequests null for no listener for ExternalUpgradeRequests
 * @param tracing null for no export of traces
 */
public record ManagementWatcherConfig(
        SiteId site,
        KafkaConfig kafka,
        HttpServerConfig server,
        LogConfig log,
        ManagementClusterConfig kubernetes,
        @Nullable ExternalUpgradeConfig externalUpgradeRequests,
        @Nullable TracingConfig tracing) {

    /** Short environment variables for the settings that every installation must give. */
    public static final Map<String, String> SHORT_NAMES =
            Map.of("FLOTILLA_BOOTSTRAP_SERVERS", "kafka.bootstrapServers");

    /**
     * Returns the reader of the configuration.
     *
     * @param propertyCheck checks the properties of the Kafka client
     */
    public static ConfigReader<ManagementWatcherConfig> reader(KafkaConfig.PropertyCheck propertyCheck) {
        return new ConfigReader<>(codec(propertyCheck), SHORT_NAMES);
    }

    /** Returns the codec of the configuration, from which its documentation is generated too. */
    public static JsonCodec<ManagementWatcherConfig> codec(KafkaConfig.PropertyCheck propertyCheck) {
        var it = JsonObjectCodec.<ManagementWatcherConfig>of(
                "management-watcher", "A management-watcher's configuration.");
        var site = it.required("site", ConfigCodecs.SITE, "The site that it watches.", ManagementWatcherConfig::site);
        var kafka = it.required(
                "kafka", KafkaConfig.codec(propertyCheck), "How Kafka is reached.", ManagementWatcherConfig::kafka);
        var server = it.defaulted(
                "server",
                HttpServerConfig.CODEC,
                HttpServerConfig.DEFAULT,
                "The HTTP server: health and metrics.",
                ManagementWatcherConfig::server);
        var log = it.defaulted(
                "log", LogConfig.CODEC, LogConfig.DEFAULT, "How this process logs.", ManagementWatcherConfig::log);
        var kubernetes = it.defaulted(
                "kubernetes",
                ManagementClusterConfig.CODEC,
                ManagementClusterConfig.DEFAULT,
                "Connection to the management cluster, and the limits of its use.",
                ManagementWatcherConfig::kubernetes);
        var external = it.optional(
                "externalUpgradeRequests",
                ExternalUpgradeConfig.CODEC,
                "The listener for ExternalUpgradeRequests. Without it there is none.",
                ManagementWatcherConfig::externalUpgradeRequests);
        var tracing = it.optional(
                "tracing", TracingConfig.CODEC, TracingConfig.DESCRIPTION, ManagementWatcherConfig::tracing);
        return it.build((v, at, problems) -> {
            ManagementWatcherConfig read = new ManagementWatcherConfig(
                    v.get(site),
                    v.get(kafka),
                    v.get(server),
                    v.get(log),
                    v.get(kubernetes),
                    v.get(external),
                    v.get(tracing));
            if (!read.kubernetes().interceptWebhook() || read.server().tls() != null) {
                return read;
            }
            problems.add(
                    RejectionReason.CONTRADICTION,
                    new JsonValue.JsonString("", at.line()),
                    "kubernetes.interceptWebhook is true without server.tls, and API servers call webhooks by HTTPS only",
                    "give server.tls.certFile and server.tls.keyFile");
            return null;
        });
    }
}
