package dev.flotilla.managementwatcher;

import dev.flotilla.kafka.KafkaClientSettings;
import dev.flotilla.managementwatcher.config.ExternalUpgradeConfig;
import dev.flotilla.managementwatcher.config.ManagementClusterConfig;
import dev.flotilla.managementwatcher.external.ExternalUpgradeServer;
import dev.flotilla.managementwatcher.inplace.InPlaceClusters;
import dev.flotilla.managementwatcher.mode.SiteModeWatcher;
import dev.flotilla.managementwatcher.publish.WatcherContext;
import dev.flotilla.managementwatcher.publish.WatcherLoop;
import dev.flotilla.managementwatcher.watch.ReflectorGroup;
import dev.flotilla.runtime.config.HttpServerConfig;
import dev.flotilla.runtime.http.ApplicationHttpServer;
import dev.flotilla.runtime.http.HealthAndMetricsRoutes;
import dev.flotilla.runtime.metrics.PrometheusMetrics;
import dev.flotilla.runtime.process.ProcessClock;
import dev.flotilla.runtime.shutdown.ShutdownSequence;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.tracing.AttemptSpanExporter;
import dev.flotilla.tracing.AttemptSpanReceiver;
import dev.flotilla.tracing.TracedProcess;
import dev.flotilla.tracing.TracingConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A running management-watcher: its parts are started and stopped together. */
final class ManagementWatcherProcess {
    private final Vertx vertx;
    private final PrometheusMetrics prometheusMetrics;
    private final AttemptSpanReceiver spans;
    private final ManagementClusterApi cluster;
    private final SiteModeWatcher mode;
    private final InPlaceClusters inPlaceClusters;
    private final WatcherLoop loop;
    private final ReflectorGroup reflectorGroup;
    private final ApplicationHttpServer endpoint;
    private final @Nullable ExternalUpgradeServer externalUpgradeServer;

    private ManagementWatcherProcess(
            Vertx vertx,
            String instance,
            SiteId site,
            KafkaClientSettings kafka,
            HttpServerConfig server,
            ManagementClusterApi cluster,
            ManagementClusterConfig config,
            @Nullable ExternalUpgradeConfig externalUpgradeRequests,
            @Nullable TracingConfig tracing)
            throws IOException {
        this.vertx = vertx;
        this.prometheusMetrics = new PrometheusMetrics("management-watcher", site);
        this.spans = AttemptSpanExporter.start(
                tracing, new TracedProcess("management-watcher", instance), prometheusMetrics.registry());
        this.cluster = cluster;
        WatcherEventLogger watcherEventLogger = new WatcherEventLogger(
                site,
                new ManagementWatcherMetrics(prometheusMetrics.registry()),
                spans,
                cluster::isLockedOut,
                ShutdownSequence::exitAfterBug);
        this.mode = SiteModeWatcher.start(
                config.mode(), cluster.createModeProbe(), SiteModeWatcher.PROBE_INTERVAL, watcherEventLogger);
        this.inPlaceClusters = cluster.startInPlaceClusters(site, watcherEventLogger);
        this.loop = new WatcherLoop(
                new WatcherContext(
                        instance,
                        site,
                        kafka,
                        mode,
                        ProcessClock.SYSTEM,
                        watcherEventLogger,
                        cluster.createObjectWriter(),
                        config.maxConcurrentWrites(),
                        inPlaceClusters),
                cluster::uid);
        this.reflectorGroup = cluster.startWatches(site, loop.eventHandler());
        this.endpoint = ApplicationHttpServer.start(
                        vertx,
                        server,
                        new HealthAndMetricsRoutes(
                                watcherEventLogger::liveness,
                                watcherEventLogger::readiness,
                                prometheusMetrics::toPrometheusText),
                        cluster.createInterceptWebhook().endpoint(vertx, config.interceptWebhook()))
                .await();
        this.externalUpgradeServer = externalUpgradeRequests == null
                ? null
                : cluster.startExternalUpgradeServer(vertx, externalUpgradeRequests, site, mode)
                        .await();
    }

    /** Starts all parts. A signal stops them in order. */
    static ManagementWatcherProcess start(
            String instance,
            SiteId site,
            KafkaClientSettings kafka,
            HttpServerConfig server,
            ManagementClusterConfig config,
            @Nullable ExternalUpgradeConfig externalUpgradeRequests,
            @Nullable TracingConfig tracing)
            throws IOException {
        Vertx vertx = Vertx.vertx();
        ManagementClusterApi cluster = ManagementClusterApi.open(config);
        ManagementWatcherProcess process = new ManagementWatcherProcess(
                vertx, instance, site, kafka, server, cluster, config, externalUpgradeRequests, tracing);
        new ShutdownSequence()
                .addStep("watcher", Duration.ofSeconds(15), process.vertx, process.loop::close)
                .addStep("traces", Duration.ofSeconds(5), process.vertx, process.spans::close)
                .addStep("external-upgrade-requests", Duration.ofSeconds(5), process::stopExternalUpgradeServer)
                .addStep("server", Duration.ofSeconds(5), process.endpoint::stop)
                .addStep("watches", Duration.ofSeconds(5), process.vertx, process.reflectorGroup::close)
                .addStep("in-place-clusters", Duration.ofSeconds(5), process.vertx, process.inPlaceClusters::close)
                .addStep("mode", Duration.ofSeconds(5), process.vertx, process.mode::close)
                .addStep("cluster", Duration.ofSeconds(5), process.vertx, process.cluster::close)
                .addStep("vertx", Duration.ofSeconds(5), process.vertx::close)
                .runOnSignal();
        process.loop.start();
        return process;
    }

    private Future<Void> stopExternalUpgradeServer() {
        return externalUpgradeServer == null ? Future.succeededFuture() : externalUpgradeServer.stop();
    }

    String url() {
        return endpoint.uri().toString();
    }
}
