package dev.flotilla.clusterapi.config;

import dev.flotilla.clusterapi.coverage.CoverageSettings;
import dev.flotilla.clusterapi.coverage.CoverageTable;
import dev.flotilla.clusterapi.delegate.DelegateFile;
import dev.flotilla.clusterapi.delegate.UpdateDelegate;
import dev.flotilla.runtime.config.ConfigCodecs;
import dev.flotilla.runtime.config.ConfigReader;
import dev.flotilla.runtime.config.HttpServerConfig;
import dev.flotilla.runtime.config.LogConfig;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of the Cluster API extension.
 *
 * @param settingsFile the file with settings for all ExtensionConfigs; null for none
 * @param delegatesFile the file with other extensions that are called too; null for none
 */
public record ClusterApiExtensionConfig(
        HttpServerConfig server,
        LogConfig log,
        ManagementClusterConfig kubernetes,
        @Nullable Path settingsFile,
        @Nullable Path delegatesFile) {

    /** Returns the reader of the configuration. */
    public static ConfigReader<ClusterApiExtensionConfig> reader() {
        return new ConfigReader<>(codec(), Map.of());
    }

    /** Returns the codec of the configuration, from which its documentation is generated too. */
    public static JsonCodec<ClusterApiExtensionConfig> codec() {
        var it = JsonObjectCodec.<ClusterApiExtensionConfig>of(
                "cluster-api-extension", "The configuration of the Cluster API extension.");
        var server = it.defaulted(
                "server",
                HttpServerConfig.CODEC,
                HttpServerConfig.DEFAULT,
                "The HTTP server: hooks, health and metrics. Cluster API calls the hooks with TLS only.",
                ClusterApiExtensionConfig::server);
        var log = it.defaulted(
                "log", LogConfig.CODEC, LogConfig.DEFAULT, "How this process logs.", ClusterApiExtensionConfig::log);
        var kubernetes = it.defaulted(
                "kubernetes",
                ManagementClusterConfig.CODEC,
                ManagementClusterConfig.DEFAULT,
                "Connection to the management cluster.",
                ClusterApiExtensionConfig::kubernetes);
        var settingsFile = it.optional(
                "settingsFile",
                ConfigCodecs.FILE,
                "A YAML file with settings that count for every ExtensionConfig, such as `uncovered: stop` or"
                        + " `apply.KubeadmConfig: files`. The settings of an ExtensionConfig are added to them.",
                ClusterApiExtensionConfig::settingsFile);
        var delegatesFile = it.optional(
                "delegatesFile",
                ConfigCodecs.FILE,
                "A YAML file with `delegates`: other extensions that apply fields which the node upgrader does not. They"
                        + " are called after it.",
                ClusterApiExtensionConfig::delegatesFile);
        return it.build(v -> new ClusterApiExtensionConfig(
                v.get(server), v.get(log), v.get(kubernetes), v.get(settingsFile), v.get(delegatesFile)));
    }

    /** Returns what the settings of an ExtensionConfig add to: the shipped defaults with the file's settings and the delegates' fields. */
    public CoverageTable readDefaults(List<UpdateDelegate> delegates) throws IOException {
        Path file = settingsFile;
        return UpdateDelegate.addFields(delegates, file == null ? CoverageTable.DEFAULT : readSettingsFile(file));
    }

    /** Returns the other extensions that are called too. */
    public List<UpdateDelegate> readDelegates() throws IOException {
        Path file = delegatesFile;
        try {
            return file == null ? List.of() : DelegateFile.read(file);
        } catch (IOException e) {
            throw new IOException("delegatesFile: " + e.getMessage(), e);
        }
    }

    private static CoverageTable readSettingsFile(Path file) throws IOException {
        return switch (CoverageSettings.readFile(Files.readString(file, StandardCharsets.UTF_8))) {
            case CoverageSettings.SettingsResult.ValidSettings valid -> valid.table();
            case CoverageSettings.SettingsResult.InvalidSettings invalid ->
                throw new IOException("settingsFile " + file + ": " + invalid.problem());
        };
    }
}
