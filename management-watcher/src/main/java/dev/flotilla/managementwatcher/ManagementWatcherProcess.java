package dev.flotilla.managementwatcher;

import dev.flotilla.managementwatcher.config.ManagementConfig;
import dev.flotilla.managementwatcher.mode.ModeWatch;
import dev.flotilla.managementwatcher.publish.Desk;
import dev.flotilla.managementwatcher.publish.WatcherLoop;
import dev.flotilla.managementwatcher.publish.WatcherTime;
import dev.flotilla.managementwatcher.watch.Watches;
import dev.flotilla.runtime.config.ServerConfig;
import dev.flotilla.runtime.http.HttpEndpoint;
import dev.flotilla.runtime.http.Probes;
import dev.flotilla.runtime.kafka.KafkaSettings;
import dev.flotilla.runtime.metrics.Metrics;
import dev.flotilla.runtime.shutdown.Shutdown;
import dev.flotilla.schemas.id.SiteId;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.time.Duration;

/** A management-watcher's parts, started and stopped together. */
final class ManagementWatcherProcess {
    private final Vertx vertx;
    private final Metrics metrics;
    private final ManagementCluster cluster;
    private final ModeWatch mode;
    private final WatcherLoop loop;
    private final Watches watches;
    private final HttpEndpoint endpoint;

    private ManagementWatcherProcess(
            Vertx vertx,
            String instance,
            SiteId site,
            KafkaSettings kafka,
            ServerConfig server,
            ManagementCluster cluster,
            ManagementConfig config) {
        this.vertx = vertx;
        this.metrics = new Metrics("management-watcher", site);
        this.cluster = cluster;
        Narrator narrator =
                new Narrator(new ManagementWatcherMetrics(metrics.registry()), cluster::isLockedOut, Shutdown::byBug);
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
        this.endpoint = HttpEndpoint.start(
                        vertx, server, new Probes(narrator::alive, narrator::ready, metrics::scrape), routes -> {
                            // Health and metrics are all there is.
                        })
                .await();
    }

    /** Starts everything; a signal ends it in order. */
    static ManagementWatcherProcess start(
            String instance, SiteId site, KafkaSettings kafka, ServerConfig server, ManagementConfig config)
            throws IOException {
        Vertx vertx = Vertx.vertx();
        ManagementCluster cluster = ManagementCluster.open(config);
        ManagementWatcherProcess process =
                new ManagementWatcherProcess(vertx, instance, site, kafka, server, cluster, config);
        new Shutdown()
                .then("watcher", Duration.ofSeconds(15), process.vertx, process.loop::close)
                .then("server", Duration.ofSeconds(5), process.endpoint::stop)
                .then("watches", Duration.ofSeconds(5), process.vertx, process.watches::close)
                .then("mode", Duration.ofSeconds(5), process.vertx, process.mode::close)
                .then("cluster", Duration.ofSeconds(5), process.vertx, process.cluster::close)
                .then("vertx", Duration.ofSeconds(5), process.vertx::close)
                .onSignal();
        process.loop.start();
        return process;
    }

    String url() {
        return endpoint.uri().toString();
    }
}
