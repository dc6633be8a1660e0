package dev.flotilla.nodeworker.config;

import dev.flotilla.nodeworker.checks.HealthCheckConfig;
import dev.flotilla.runtime.config.ConfigCodecs;
import dev.flotilla.runtime.config.ConfigReader;
import dev.flotilla.runtime.config.HttpServerConfig;
import dev.flotilla.runtime.config.KafkaConfig;
import dev.flotilla.runtime.config.LogConfig;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.tracing.TracingConfig;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A node-worker's configuration.
 *
 * @param tracing null for no export of traces
 */
public record NodeWorkerConfig(
        SiteId site,
        KafkaConfig kafka,
        HttpServerConfig server,
        LogConfig log,
        SiteKubernetesConfig kubernetes,
        NodeAccessConfig nodes,
        HealthCheckConfig checks,
        @Nullable TracingConfig tracing) {

    /** Short environment variables for the settings that every installation must give. */
    public static final Map<String, String> SHORT_NAMES =
            Map.of("FLOTILLA_BOOTSTRAP_SERVERS", "kafka.bootstrapServers");

    /**
     * Returns the reader of the configuration.
     *
     * @param propertyCheck checks the properties of the Kafka client
     */
    public static ConfigReader<NodeWorkerConfig> reader(KafkaConfig.PropertyCheck propertyCheck) {
        return new ConfigReader<>(codec(propertyCheck), SHORT_NAMES);
    }

    /** Returns the codec of the configuration, from which its documentation is generated too. */
    public static JsonCodec<NodeWorkerConfig> codec(KafkaConfig.PropertyCheck propertyCheck) {
        var it = JsonObjectCodec.<NodeWorkerConfig>of("node-worker", "A node-worker's configuration.");
        var site =
                it.required("site", ConfigCodecs.SITE, "The site whose machines it upgrades.", NodeWorkerConfig::site);
        var kafka = it.required(
                "kafka", KafkaConfig.codec(propertyCheck), "How Kafka is reached.", NodeWorkerConfig::kafka);
        var server = it.defaulted(
                "server",
                HttpServerConfig.CODEC,
                HttpServerConfig.DEFAULT,
                "The HTTP server: health and metrics.",
                NodeWorkerConfig::server);
        var log = it.defaulted(
                "log", LogConfig.CODEC, LogConfig.DEFAULT, "How this process logs.", NodeWorkerConfig::log);
        var kubernetes = it.defaulted(
                "kubernetes",
                SiteKubernetesConfig.CODEC,
                new SiteKubernetesConfig(null, SiteUpgradeSettings.DEFAULT),
                "Connection to the site's Kubernetes, and how its machines are handled.",
                NodeWorkerConfig::kubernetes);
        var nodes = it.defaulted(
                "nodes",
                NodeAccessConfig.CODEC,
                NodeAccessConfig.DEFAULT,
                "Connection to nodes, and how often they are polled.",
                NodeWorkerConfig::nodes);
        var checks = it.defaulted(
                "checks",
                HealthCheckConfig.CODEC,
                HealthCheckConfig.NONE,
                "Servers that health checks of campaigns may use in this site.",
                NodeWorkerConfig::checks);
        var tracing = it.optional("tracing", TracingConfig.CODEC, TracingConfig.DESCRIPTION, NodeWorkerConfig::tracing);
        return it.build(v -> new NodeWorkerConfig(
                v.get(site),
                v.get(kafka),
                v.get(server),
                v.get(log),
                v.get(kubernetes),
                v.get(nodes),
                v.get(checks),
                v.get(tracing)));
    }
}
