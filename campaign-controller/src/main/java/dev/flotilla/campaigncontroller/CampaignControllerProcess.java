package dev.flotilla.campaigncontroller;

import dev.flotilla.campaigncontroller.admission.ManifestWebhook;
import dev.flotilla.campaigncontroller.config.CampaignControllerConfig;
import dev.flotilla.campaigncontroller.config.HubClusterConfig;
import dev.flotilla.campaigncontroller.counts.MachineCountsPoller;
import dev.flotilla.campaigncontroller.counts.MachineCountsSource;
import dev.flotilla.campaigncontroller.counts.OrchestratorApiConfig;
import dev.flotilla.campaigncontroller.sync.SyncLease;
import dev.flotilla.campaigncontroller.sync.SyncLoop;
import dev.flotilla.kafka.KafkaClientSettings;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.runtime.config.HttpServerConfig;
import dev.flotilla.runtime.http.ApplicationHttpServer;
import dev.flotilla.runtime.http.HealthAndMetricsRoutes;
import dev.flotilla.runtime.metrics.PrometheusMetrics;
import dev.flotilla.runtime.process.ProcessClock;
import dev.flotilla.runtime.shutdown.ShutdownSequence;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A running campaign controller: its parts are started and stopped together. */
public final class CampaignControllerProcess implements AutoCloseable {
    private static final int REQUESTS_AT_ONCE = 4;

    private final ShutdownSequence shutdown = new ShutdownSequence();
    private final ApplicationHttpServer endpoint;

    private CampaignControllerProcess(
            Vertx vertx,
            KafkaClientSettings kafka,
            HttpServerConfig server,
            HubClusterConfig hub,
            @Nullable OrchestratorApiConfig orchestrator,
            String instance)
            throws IOException {
        KubeApiClient api = KubeApiClient.open(
                hub.kubeconfigFile(), hub.timeout(), REQUESTS_AT_ONCE, ProcessClock.SYSTEM::monotonicNanos);
        PrometheusMetrics prometheusMetrics = new PrometheusMetrics("campaign-controller");
        SyncEventLogger eventLogger = new SyncEventLogger(
                prometheusMetrics.registry(), ProcessClock.SYSTEM::monotonicNanos, ShutdownSequence::exitAfterBug);
        MachineCountsPoller counts =
                orchestrator == null ? null : MachineCountsPoller.start(vertx, orchestrator, eventLogger::countsRead);
        SyncLease lease = new SyncLease(
                api,
                hub.namespace(),
                instance + "_" + UUID.randomUUID(),
                InstantSource.system(),
                ProcessClock.SYSTEM::monotonicNanos);
        SyncLoop loop = new SyncLoop(
                api,
                hub,
                lease,
                kafka,
                counts == null ? MachineCountsSource.NONE : counts,
                InstantSource.system(),
                eventLogger);
        this.endpoint = ApplicationHttpServer.start(
                        vertx,
                        server,
                        new HealthAndMetricsRoutes(
                                eventLogger::liveness, eventLogger::readiness, prometheusMetrics::toPrometheusText),
                        ManifestWebhook.endpoint(vertx))
                .await();
        shutdown.addStep("sync", Duration.ofSeconds(15), vertx, loop::close);
        if (counts != null) {
            shutdown.addStep("counts", Duration.ofSeconds(15), vertx, counts::close);
        }
        shutdown.addStep("server", Duration.ofSeconds(5), endpoint::stop)
                .addStep("cluster", Duration.ofSeconds(5), vertx, api::close)
                .addStep("vertx", Duration.ofSeconds(5), vertx::close);
        loop.start();
    }

    /**
     * Starts all parts.
     *
     * @param instance the name of this process in the Lease
     */
    public static CampaignControllerProcess start(
            KafkaClientSettings kafka,
            HttpServerConfig server,
            HubClusterConfig hub,
            @Nullable OrchestratorApiConfig orchestrator,
            String instance)
            throws IOException {
        return new CampaignControllerProcess(Vertx.vertx(), kafka, server, hub, orchestrator, instance);
    }

    /** Starts all parts of a configuration. */
    static CampaignControllerProcess start(String instance, KafkaClientSettings kafka, CampaignControllerConfig config)
            throws IOException {
        return start(kafka, config.server(), config.kubernetes(), config.orchestrator(), instance);
    }

    /** Stops all parts in order when a signal ends the process. */
    CampaignControllerProcess stopOnSignal() {
        shutdown.runOnSignal();
        return this;
    }

    /** Returns the URL of its HTTP server. */
    public String url() {
        return endpoint.uri().toString();
    }

    @Override
    public void close() {
        shutdown.runSteps();
    }
}
