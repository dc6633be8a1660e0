package dev.flotilla.nodeworker;

import dev.flotilla.kafka.KafkaClientSettings;
import dev.flotilla.nodeworker.checks.HealthCheckConfig;
import dev.flotilla.nodeworker.config.NodeAccessConfig;
import dev.flotilla.nodeworker.config.SiteKubernetesConfig;
import dev.flotilla.nodeworker.node.NodeUpgraderFactory;
import dev.flotilla.nodeworker.node.SiteClusters;
import dev.flotilla.nodeworker.upgrade.PollIntervalEstimator;
import dev.flotilla.nodeworker.upgrade.UpgradeCrashPoint;
import dev.flotilla.nodeworker.upgrade.WorkerLoop;
import dev.flotilla.runtime.config.HttpServerConfig;
import dev.flotilla.runtime.http.ApplicationHttpServer;
import dev.flotilla.runtime.http.HealthAndMetricsRoutes;
import dev.flotilla.runtime.metrics.PrometheusMetrics;
import dev.flotilla.runtime.process.CrashInjection;
import dev.flotilla.runtime.process.ProcessClock;
import dev.flotilla.runtime.shutdown.ShutdownSequence;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.tracing.AttemptSpanExporter;
import dev.flotilla.tracing.AttemptSpanReceiver;
import dev.flotilla.tracing.TracedProcess;
import dev.flotilla.tracing.TracingConfig;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** A running node-worker: its parts are started and stopped together. */
final class NodeWorkerProcess {
    private final Vertx vertx;
    private final PrometheusMetrics prometheusMetrics;
    private final AttemptSpanReceiver spans;
    private final SiteClusters siteClusters;
    private final WorkerLoop loop;
    private final ApplicationHttpServer endpoint;

    private NodeWorkerProcess(
            Vertx vertx,
            String instance,
            SiteId siteId,
            KafkaClientSettings kafka,
            HttpServerConfig server,
            SiteClusters siteClusters,
            NodeAccessConfig nodes,
            @Nullable TracingConfig tracing)
            throws IOException {
        this.vertx = vertx;
        this.prometheusMetrics = new PrometheusMetrics("node-worker", siteId);
        this.spans = AttemptSpanExporter.start(
                tracing, new TracedProcess("node-worker", instance), prometheusMetrics.registry());
        NodeWorkerMetrics counts = new NodeWorkerMetrics(prometheusMetrics.registry());
        WorkerEventLogger workerEventLogger = new WorkerEventLogger(
                counts,
                spans,
                CrashInjection.fromProperty(UpgradeCrashPoint.class),
                siteClusters::isLockedOut,
                ShutdownSequence::exitAfterBug);
        NodeUpgraderFactory nodeUpgraderFactory = new NodeUpgraderFactory(vertx, siteClusters, nodes.connectTo());
        counts.registerGauges(nodeUpgraderFactory::tunnels, siteClusters::firstKubeconfigExpirySeconds);
        vertx.setPeriodic(Duration.ofDays(1).toMillis(), day -> siteClusters.warnOfKubeconfigExpiry());
        this.siteClusters = siteClusters;
        this.loop = new WorkerLoop(
                instance,
                siteId,
                kafka,
                ProcessClock.SYSTEM,
                nodeUpgraderFactory,
                new PollIntervalEstimator(
                        nodes.pollInterval(), () -> ThreadLocalRandom.current().nextLong()),
                workerEventLogger,
                spans.isExporting());
        this.endpoint = ApplicationHttpServer.start(
                        vertx,
                        server,
                        new HealthAndMetricsRoutes(
                                workerEventLogger::liveness,
                                workerEventLogger::readiness,
                                prometheusMetrics::toPrometheusText),
                        routes -> {
                            // There are no other routes than health and metrics.
                        })
                .await();
    }

    /** Starts all parts. A signal stops them in order. */
    static NodeWorkerProcess start(
            Vertx vertx,
            String instance,
            SiteId siteId,
            KafkaClientSettings kafka,
            HttpServerConfig server,
            SiteKubernetesConfig kubernetes,
            NodeAccessConfig nodes,
            HealthCheckConfig checks,
            @Nullable TracingConfig tracing)
            throws IOException {
        SiteClusters siteClusters = SiteClusters.open(vertx, kubernetes, checks);
        NodeWorkerProcess process =
                new NodeWorkerProcess(vertx, instance, siteId, kafka, server, siteClusters, nodes, tracing);
        new ShutdownSequence()
                .addStep("upgrades", Duration.ofSeconds(15), process.vertx, process.loop::close)
                .addStep("traces", Duration.ofSeconds(5), process.vertx, process.spans::close)
                .addStep("server", Duration.ofSeconds(5), process.endpoint::stop)
                .addStep("clusters", Duration.ofSeconds(5), process.vertx, process.siteClusters::close)
                .addStep("vertx", Duration.ofSeconds(5), process.vertx::close)
                .runOnSignal();
        process.loop.start();
        return process;
    }

    String url() {
        return endpoint.uri().toString();
    }
}
