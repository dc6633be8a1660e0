package dev.flotilla.nodeworker;

import dev.flotilla.kafka.KafkaClientSettings;
import dev.flotilla.nodeworker.checks.HealthCheckConfig;
import dev.flotilla.nodeworker.config.NodeAccessConfig;
import dev.flotilla.nodeworker.config.SiteKubernetesConfig;
import dev.flotilla.nodeworker.config.SiteUpgradeSettings;
import dev.flotilla.nodeworker.k8sd.K8sdTransportSetting;
import dev.flotilla.runtime.config.ConfigReadResult;
import dev.flotilla.runtime.config.HostPort;
import dev.flotilla.runtime.config.HttpServerConfig;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.tracing.TracingConfig;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Starts a node-worker. */
public final class Main {
    private Main() {}

    /**
     * Starts the process and returns the URL of its HTTP server. A signal stops it in order.
     *
     * @param tracing null for no export of traces
     */
    public static String start(
            String instance,
            SiteId site,
            KafkaClientSettings kafka,
            HttpServerConfig server,
            SiteKubernetesConfig kubernetes,
            NodeAccessConfig nodes,
            HealthCheckConfig checks,
            @Nullable TracingConfig tracing)
            throws IOException {
        return NodeWorkerProcess.start(Vertx.vertx(), instance, site, kafka, server, kubernetes, nodes, checks, tracing)
                .url();
    }

    /**
     * Starts the process as the demo and tests do, with a Kafka on this machine: {@code --bootstrap H:P --instance NAME
     * --site SITE --kubeconfig FILE --via H:P --ask-every MILLIS}, {@code --transport} if it is not the default,
     * and {@code --traces URL} for the export of traces.
     * Who acts on the provider's annotations is left to the watcher, which finds out.
     */
    public static void main(String[] args) throws IOException {
        main(Vertx.vertx(), args);
    }

    /** Starts the process on event loops that the caller observes. */
    public static void main(Vertx vertx, String... args) throws IOException {
        Map<String, String> given = new LinkedHashMap<>();
        for (int i = 0; i + 1 < args.length; i += 2) {
            given.put(args[i], args[i + 1]);
        }
        List<String> missing = Stream.of("--bootstrap", "--instance", "--site", "--kubeconfig", "--via", "--ask-every")
                .filter(name -> !given.containsKey(name))
                .toList();
        if (!missing.isEmpty()) {
            System.err.println("node-worker: missing " + missing);
            System.exit(ConfigReadResult.EXIT);
            return;
        }
        Function<String, String> option = name -> given.getOrDefault(name, "");
        NodeWorkerProcess process = NodeWorkerProcess.start(
                vertx,
                option.apply("--instance"),
                new SiteId(option.apply("--site")),
                KafkaClientSettings.forLocalBroker(option.apply("--bootstrap")),
                HttpServerConfig.DEFAULT,
                new SiteKubernetesConfig(
                        Path.of(option.apply("--kubeconfig")),
                        SiteUpgradeSettings.DEFAULT.withTransport(transport(option.apply("--transport")))),
                new NodeAccessConfig(
                        HostPort.parse(option.apply("--via")),
                        Duration.ofMillis(Long.parseLong(option.apply("--ask-every")))),
                HealthCheckConfig.NONE,
                TracingConfig.ofOption(given.get("--traces")));
        System.out.println("node-worker " + option.apply("--instance") + " ready at " + process.url());
    }

    private static K8sdTransportSetting transport(String label) {
        return Stream.of(K8sdTransportSetting.values())
                .filter(k8sdTransportSetting -> k8sdTransportSetting.label().equals(label))
                .findFirst()
                .orElse(SiteUpgradeSettings.DEFAULT.transport());
    }
}
