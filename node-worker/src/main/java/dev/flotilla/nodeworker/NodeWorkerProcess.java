package dev.flotilla.nodeworker;

import dev.flotilla.nodeworker.checks.ChecksConfig;
import dev.flotilla.nodeworker.config.NodesConfig;
import dev.flotilla.nodeworker.drive.Asking;
import dev.flotilla.nodeworker.drive.WorkerLoop;
import dev.flotilla.nodeworker.drive.WorkerTime;
import dev.flotilla.nodeworker.hands.Site;
import dev.flotilla.nodeworker.hands.SiteConfig;
import dev.flotilla.nodeworker.site.SiteTools;
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
import java.util.concurrent.ThreadLocalRandom;

/** A node-worker's parts, started and stopped together. */
final class NodeWorkerProcess {
    private final Vertx vertx;
    private final PrometheusMetrics prometheusMetrics;
    private final Site site;
    private final WorkerLoop loop;
    private final ApplicationHttpServer endpoint;

    private NodeWorkerProcess(
            Vertx vertx,
            String instance,
            SiteId id,
            KafkaClientSettings kafka,
            HttpServerConfig server,
            Site site,
            NodesConfig nodes) {
        this.vertx = vertx;
        this.prometheusMetrics = new PrometheusMetrics("node-worker", id);
        NodeWorkerMetrics counts = new NodeWorkerMetrics(prometheusMetrics.registry());
        Narrator narrator = new Narrator(
                counts, Crash.asked(System.getProperty(Crash.PROPERTY, "")), site::isLockedOut, ShutdownSequence::exitAfterBug);
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
        this.endpoint = ApplicationHttpServer.start(
                        vertx, server, new HealthAndMetricsRoutes(narrator::alive, narrator::ready, prometheusMetrics::toPrometheusText), routes -> {
                            // Health and metrics are all there is.
                        })
                .await();
    }

    /** Starts everything; a signal ends it in order. */
    static NodeWorkerProcess start(
            Vertx vertx,
            String instance,
            SiteId id,
            KafkaClientSettings kafka,
            HttpServerConfig server,
            SiteConfig kubernetes,
            NodesConfig nodes,
            ChecksConfig checks)
            throws IOException {
        Site site = Site.open(vertx, kubernetes, checks);
        NodeWorkerProcess process = new NodeWorkerProcess(vertx, instance, id, kafka, server, site, nodes);
        new ShutdownSequence()
                .addStep("drives", Duration.ofSeconds(15), process.vertx, process.loop::close)
                .addStep("server", Duration.ofSeconds(5), process.endpoint::stop)
                .addStep("clusters", Duration.ofSeconds(5), process.vertx, process.site::close)
                .addStep("vertx", Duration.ofSeconds(5), process.vertx::close)
                .runOnSignal();
        process.loop.start();
        return process;
    }

    String url() {
        return endpoint.uri().toString();
    }
}
