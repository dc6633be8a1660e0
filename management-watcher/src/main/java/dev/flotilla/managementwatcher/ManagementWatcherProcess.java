package dev.flotilla.managementwatcher;

import dev.flotilla.managementwatcher.config.ManagementConfig;
import dev.flotilla.managementwatcher.mode.ModeWatch;
import dev.flotilla.managementwatcher.publish.Desk;
import dev.flotilla.managementwatcher.publish.WatcherLoop;
import dev.flotilla.managementwatcher.publish.WatcherTime;
import dev.flotilla.managementwatcher.watch.Watches;
import dev.flotilla.runtime.config.HttpServerConfig;
import dev.flotilla.runtime.http.ApplicationHttpServer;
import dev.flotilla.runtime.http.HealthAndMetricsRoutes;
import dev.flotilla.runtime.kafka.KafkaClientSettings;
import dev.flotilla.runtime.metrics.PrometheusMetrics;
import dev.flotilla.runtime.shutdown.ShutdownSequence;
import dev.flotilla.schemas.id.SiteId;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.time.Duration;

/** A management-watcher's parts, started and stopped together. */
final class ManagementWatcherProcess {
    private final Vertx vertx;
    private final PrometheusMetrics prometheusMetrics;
    private final ManagementCluster cluster;
    private final ModeWatch mode;
    private final WatcherLoop loop;
    private final Watches watches;
    private final ApplicationHttpServer endpoint;

    private ManagementWatcherProcess(
            Vertx vertx,
            String instance,
            SiteId site,
            KafkaClientSettings kafka,
            HttpServerConfig server,
            ManagementCluster cluster,
            ManagementConfig config) {
        this.vertx = vertx;
        this.prometheusMetrics = new PrometheusMetrics("management-watcher", site);
        this.cluster = cluster;
        Narrator narrator =
                new Narrator(new ManagementWatcherMetrics(prometheusMetrics.registry()), cluster::isLockedOut, ShutdownSequence::exitAfterBug);
        this.mode = ModeWatch.start(config.mode(), cluster.modeProbe(), ModeWatch.USUALLY, narrator);
        this.loop = new WatcherLoop(
                new Desk(
                        instance,
                        site,
                        kafka,
                        mode,
                        WatcherTime.SYSTEM,
                        narrator,
                        cluster.hand(),
                        config.writesAtOnce()),
                cluster::uid);
        this.watches = cluster.watch(site, loop.sights());
        this.endpoint = ApplicationHttpServer.start(
                        vertx, server, new HealthAndMetricsRoutes(narrator::alive, narrator::ready, prometheusMetrics::toPrometheusText), routes -> {
                            // Health and metrics are all there is.
                        })
                .await();
    }

    /** Starts everything; a signal ends it in order. */
    static ManagementWatcherProcess start(
            String instance, SiteId site, KafkaClientSettings kafka, HttpServerConfig server, ManagementConfig config)
            throws IOException {
        Vertx vertx = Vertx.vertx();
        ManagementCluster cluster = ManagementCluster.open(config);
        ManagementWatcherProcess process =
                new ManagementWatcherProcess(vertx, instance, site, kafka, server, cluster, config);
        new ShutdownSequence()
                .addStep("watcher", Duration.ofSeconds(15), process.vertx, process.loop::close)
                .addStep("server", Duration.ofSeconds(5), process.endpoint::stop)
                .addStep("watches", Duration.ofSeconds(5), process.vertx, process.watches::close)
                .addStep("mode", Duration.ofSeconds(5), process.vertx, process.mode::close)
                .addStep("cluster", Duration.ofSeconds(5), process.vertx, process.cluster::close)
                .addStep("vertx", Duration.ofSeconds(5), process.vertx::close)
                .runOnSignal();
        process.loop.start();
        return process;
    }

    String url() {
        return endpoint.uri().toString();
    }
}
