package dev.flotilla.managementwatcher;

import dev.flotilla.kafka.KafkaClientSettings;
import dev.flotilla.managementwatcher.config.ExternalUpgradeConfig;
import dev.flotilla.managementwatcher.config.ManagementClusterConfig;
import dev.flotilla.runtime.config.ConfigReadResult;
import dev.flotilla.runtime.config.HttpServerConfig;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.tracing.TracingConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Starts a management-watcher. */
public final class Main {
    private Main() {}

    /**
     * Starts the process and returns the URL of its HTTP server. A signal stops it in order.
     *
     * @param externalUpgradeRequests null for no listener for ExternalUpgradeRequests
     * @param tracing null for no export of traces
     */
    public static String start(
            String instance,
            SiteId site,
            KafkaClientSettings kafka,
            HttpServerConfig server,
            ManagementClusterConfig kubernetes,
            @Nullable ExternalUpgradeConfig externalUpgradeRequests,
            @Nullable TracingConfig tracing)
            throws IOException {
        return ManagementWatcherProcess.start(
                        instance, site, kafka, server, kubernetes, externalUpgradeRequests, tracing)
                .url();
    }

    /**
     * Starts the process as the demo and tests do, with a Kafka on this machine: {@code --bootstrap H:P --instance NAME
     * --site SITE --kubeconfig FILE}, and {@code --traces URL} for the export of traces.
     */
    public static void main(String[] args) throws IOException {
        Map<String, String> given = new LinkedHashMap<>();
        for (int i = 0; i + 1 < args.length; i += 2) {
            given.put(args[i], args[i + 1]);
        }
        List<String> missing = Stream.of("--bootstrap", "--instance", "--site", "--kubeconfig")
                .filter(name -> !given.containsKey(name))
                .toList();
        if (!missing.isEmpty()) {
            System.err.println("management-watcher: missing " + missing);
            System.exit(ConfigReadResult.EXIT);
            return;
        }
        Function<String, String> option = name -> given.getOrDefault(name, "");
        ManagementClusterConfig defaults = ManagementClusterConfig.DEFAULT;
        String url = start(
                option.apply("--instance"),
                new SiteId(option.apply("--site")),
                KafkaClientSettings.forLocalBroker(option.apply("--bootstrap")),
                HttpServerConfig.DEFAULT,
                new ManagementClusterConfig(
                        Path.of(option.apply("--kubeconfig")),
                        defaults.mode(),
                        defaults.writesPerSecond(),
                        defaults.maxConcurrentWrites(),
                        defaults.timeout(),
                        defaults.interceptWebhook()),
                null,
                TracingConfig.ofOption(given.get("--traces")));
        System.out.println("management-watcher " + option.apply("--instance") + " ready at " + url);
    }
}
