package dev.flotilla.nodeworker;

import dev.flotilla.nodeworker.config.NodesConfig;
import dev.flotilla.nodeworker.drive.Asking;
import dev.flotilla.nodeworker.drive.WorkerLoop;
import dev.flotilla.nodeworker.drive.WorkerTime;
import dev.flotilla.nodeworker.hands.Site;
import dev.flotilla.nodeworker.hands.SiteConfig;
import dev.flotilla.nodeworker.kube.Access;
import dev.flotilla.nodeworker.site.SiteTools;
import dev.flotilla.runtime.config.ServerConfig;
import dev.flotilla.runtime.http.HttpEndpoint;
import dev.flotilla.runtime.http.Probes;
import dev.flotilla.runtime.kafka.KafkaSettings;
import dev.flotilla.runtime.metrics.Metrics;
import dev.flotilla.runtime.shutdown.Shutdown;
import dev.flotilla.schemas.id.SiteId;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** A node-worker's parts, started and stopped together. */
final class NodeWorkerProcess {
    /** As a program that ends by a bug of its own, by sysexits.h. */
    private static final int BUG = 70;

    private final Vertx vertx;
    private final Metrics metrics = new Metrics("node-worker");
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
        Narrator narrator = new Narrator(new NodeWorkerMetrics(metrics.registry()), NodeWorkerProcess::end);
        this.site = site;
        this.loop = new WorkerLoop(
                instance,
                id,
                kafka,
                WorkerTime.SYSTEM,
                new SiteTools(vertx, site, nodes.via()),
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
            String instance,
            SiteId id,
            KafkaSettings kafka,
            ServerConfig server,
            SiteConfig kubernetes,
            NodesConfig nodes)
            throws IOException, Access.UnfitKubeconfig {
        Vertx vertx = Vertx.vertx();
        Site site = Site.open(vertx, kubernetes);
        NodeWorkerProcess process = new NodeWorkerProcess(vertx, instance, id, kafka, server, site, nodes);
        new Shutdown()
                .then("drives", Duration.ofSeconds(15), process::stopLoop)
                .then("server", Duration.ofSeconds(5), process.endpoint::stop)
                .then("clusters", Duration.ofSeconds(5), process::stopSite)
                .then("vertx", Duration.ofSeconds(5), process.vertx::close)
                .onSignal();
        process.loop.start();
        return process;
    }

    String url() {
        return endpoint.uri().toString();
    }

    /** From a thread of its own: the orderly end waits for the thread that asks for it. */
    private static void end() {
        Thread.ofPlatform().name("end").start(() -> System.exit(BUG));
    }

    private Future<?> stopLoop() {
        return vertx.executeBlocking(() -> {
            loop.close();
            return true;
        });
    }

    private Future<?> stopSite() {
        return vertx.executeBlocking(() -> {
            site.close();
            return true;
        });
    }
}
