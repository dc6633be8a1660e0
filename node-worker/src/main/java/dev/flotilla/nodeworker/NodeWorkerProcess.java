package dev.flotilla.nodeworker;

import dev.flotilla.nodeworker.checks.ChecksConfig;
import dev.flotilla.nodeworker.config.NodesConfig;
import dev.flotilla.nodeworker.drive.Asking;
import dev.flotilla.nodeworker.drive.WorkerLoop;
import dev.flotilla.nodeworker.drive.WorkerTime;
import dev.flotilla.nodeworker.hands.Site;
import dev.flotilla.nodeworker.hands.SiteConfig;
import dev.flotilla.nodeworker.site.SiteTools;
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
import java.util.concurrent.ThreadLocalRandom;

/** A node-worker's parts, started and stopped together. */
final class NodeWorkerProcess {
    private final Vertx vertx;
    private final Metrics metrics;
    private final Site site;
    private final WorkerLoop loop;
    private final HttpEndpoint endpoint;

    private NodeWorkerProcess(
            Vertx vertx,
            String instance,
            SiteId id,
            KafkaSettings kafka,
            ServerConfig server,
            Site site,
            NodesConfig nodes) {
        this.vertx = vertx;
        this.metrics = new Metrics("node-worker", id);
        NodeWorkerMetrics counts = new NodeWorkerMetrics(metrics.registry());
        Narrator narrator = new Narrator(
                counts, Crash.asked(System.getProperty(Crash.PROPERTY, "")), site::isLockedOut, Shutdown::byBug);
        SiteTools tools = new SiteTools(vertx, site, nodes.via());
        counts.watch(tools::tunnels, site::kubeconfigLastsSeconds);
        vertx.setPeriodic(Duration.ofDays(1).toMillis(), day -> site.tellKubeconfigEnds());
        this.site = site;
        this.loop = new WorkerLoop(
                instance,
                id,
                kafka,
                WorkerTime.SYSTEM,
                tools,
                new Asking(nodes.askEvery(), () -> ThreadLocalRandom.current().nextLong()),
                narrator);
        this.endpoint = HttpEndpoint.start(
                        vertx, server, new Probes(narrator::alive, narrator::ready, metrics::scrape), routes -> {
                            // Health and metrics are all there is.
                        })
                .await();
    }

    /** Starts everything; a signal ends it in order. */
    static NodeWorkerProcess start(
            Vertx vertx,
            String instance,
            SiteId id,
            KafkaSettings kafka,
            ServerConfig server,
            SiteConfig kubernetes,
            NodesConfig nodes,
            ChecksConfig checks)
            throws IOException {
        Site site = Site.open(vertx, kubernetes, checks);
        NodeWorkerProcess process = new NodeWorkerProcess(vertx, instance, id, kafka, server, site, nodes);
        new Shutdown()
                .then("drives", Duration.ofSeconds(15), process.vertx, process.loop::close)
                .then("server", Duration.ofSeconds(5), process.endpoint::stop)
                .then("clusters", Duration.ofSeconds(5), process.vertx, process.site::close)
                .then("vertx", Duration.ofSeconds(5), process.vertx::close)
                .onSignal();
        process.loop.start();
        return process;
    }

    String url() {
        return endpoint.uri().toString();
    }
}
