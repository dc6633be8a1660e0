package dev.flotilla.nodeupgrader.config;

import dev.flotilla.runtime.config.ConfigReader;
import dev.flotilla.runtime.config.HttpServerConfig;
import dev.flotilla.runtime.config.LogConfig;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** A node-upgrader's configuration. */
public record NodeUpgraderConfig(HttpServerConfig server, LogConfig log, ManagementClusterConfig kubernetes) {

    /** Returns the reader of the configuration. */
    public static ConfigReader<NodeUpgraderConfig> reader() {
        return new ConfigReader<>(codec(), Map.of());
    }

    /** Returns the configuration for a management cluster, with defaults otherwise. */
    public static NodeUpgraderConfig forKubeconfig(Path kubeconfig, Duration pollInterval) {
        return new NodeUpgraderConfig(
                HttpServerConfig.DEFAULT,
                LogConfig.DEFAULT,
                new ManagementClusterConfig(
                        kubeconfig,
                        ManagementClusterConfig.DEFAULT.timeout(),
                        pollInterval,
                        ManagementClusterConfig.DEFAULT.keptAfterDeadline(),
                        ManagementClusterConfig.DEFAULT.flotillaNamespace()));
    }

    /** Returns the codec of the configuration, from which its documentation is generated too. */
    public static JsonCodec<NodeUpgraderConfig> codec() {
        var it = JsonObjectCodec.<NodeUpgraderConfig>of("node-upgrader", "A node-upgrader's configuration.");
        var server = it.defaulted(
                "server",
                HttpServerConfig.CODEC,
                HttpServerConfig.DEFAULT,
                "The HTTP server: health and metrics.",
                NodeUpgraderConfig::server);
        var log = it.defaulted(
                "log", LogConfig.CODEC, LogConfig.DEFAULT, "How this process logs.", NodeUpgraderConfig::log);
        var kubernetes = it.defaulted(
                "kubernetes",
                ManagementClusterConfig.CODEC,
                ManagementClusterConfig.DEFAULT,
                "Connection to the management cluster, and how often its NodeUpgrades are looked after.",
                NodeUpgraderConfig::kubernetes);
        return it.build(v -> new NodeUpgraderConfig(v.get(server), v.get(log), v.get(kubernetes)));
    }
}
