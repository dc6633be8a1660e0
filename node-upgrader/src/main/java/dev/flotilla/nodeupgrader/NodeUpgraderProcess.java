package dev.flotilla.nodeupgrader;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.nodeupgrader.cluster.WorkloadClients;
import dev.flotilla.nodeupgrader.cluster.WorkloadClusters;
import dev.flotilla.nodeupgrader.config.NodeUpgraderConfig;
import dev.flotilla.nodeupgrader.reconcile.EndedUpgradeRemover;
import dev.flotilla.nodeupgrader.reconcile.NodeUpgradeReconciler;
import dev.flotilla.nodeupgrader.reconcile.NodeUpgradeWatcher;
import dev.flotilla.nodeupgrader.reconcile.OpenUpgrades;
import dev.flotilla.runtime.http.ApplicationHttpServer;
import dev.flotilla.runtime.http.HealthAndMetricsRoutes;
import dev.flotilla.runtime.metrics.PrometheusMetrics;
import dev.flotilla.runtime.process.CrashInjection;
import dev.flotilla.runtime.process.ProcessClock;
import dev.flotilla.runtime.shutdown.ShutdownSequence;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;

/** A running node-upgrader: its parts are started and stopped together. */
public final class NodeUpgraderProcess implements AutoCloseable {
    private static final Path POD_NAMESPACE = Path.of("/var/run/secrets/kubernetes.io/serviceaccount/namespace");
    private static final int REQUESTS_AT_ONCE = 32;

    private final ShutdownSequence shutdown = new ShutdownSequence();
    private final ApplicationHttpServer endpoint;

    private NodeUpgraderProcess(Vertx vertx, NodeUpgraderConfig config) throws IOException {
        KubeApiClient management = KubeApiClient.open(
                config.kubernetes().kubeconfigFile(),
                config.kubernetes().timeout(),
                REQUESTS_AT_ONCE,
                ProcessClock.SYSTEM::monotonicNanos);
        PrometheusMetrics prometheusMetrics = new PrometheusMetrics("node-upgrader");
        NodeSilenceMeter silenceMeter = new NodeSilenceMeter(InstantSource.system());
        UpgraderEventLogger eventLogger = new UpgraderEventLogger(
                new NodeUpgraderMetrics(prometheusMetrics.registry(), silenceMeter),
                silenceMeter,
                CrashInjection.fromProperty(UpgraderCrashPoint.class),
                management::isLockedOut,
                ShutdownSequence::exitAfterBug);
        WorkloadClients clients =
                new WorkloadClients(management, config.kubernetes().timeout(), ProcessClock.SYSTEM::monotonicNanos);
        WorkloadClusters workloadClusters = new WorkloadClusters(
                clients,
                config.kubernetes().findFlotillaNamespace(POD_NAMESPACE),
                InstantSource.system(),
                ProcessClock.SYSTEM::monotonicNanos);
        EndedUpgradeRemover endedUpgradeRemover = new EndedUpgradeRemover(
                management,
                workloadClusters,
                config.kubernetes().keptAfterDeadline(),
                InstantSource.system(),
                eventLogger);
        OpenUpgrades openUpgrades = new OpenUpgrades(
                new NodeUpgradeReconciler(
                        management, workloadClusters, endedUpgradeRemover, InstantSource.system(), eventLogger),
                eventLogger,
                config.kubernetes().pollInterval());
        NodeUpgradeWatcher watcher = new NodeUpgradeWatcher(management, openUpgrades, endedUpgradeRemover, eventLogger);
        this.endpoint = ApplicationHttpServer.start(
                        vertx,
                        config.server(),
                        new HealthAndMetricsRoutes(
                                eventLogger::liveness, eventLogger::readiness, prometheusMetrics::toPrometheusText),
                        routes -> {
                            // There are no other routes than health and metrics.
                        })
                .await();
        shutdown.addStep("upgrades", Duration.ofSeconds(15), vertx, () -> {
                    watcher.close();
                    openUpgrades.close();
                })
                .addStep("server", Duration.ofSeconds(5), endpoint::stop)
                .addStep("clusters", Duration.ofSeconds(5), vertx, () -> {
                    clients.close();
                    management.close();
                })
                .addStep("vertx", Duration.ofSeconds(5), vertx::close);
        watcher.start();
    }

    /** Starts all parts. */
    public static NodeUpgraderProcess start(NodeUpgraderConfig config) throws IOException {
        return new NodeUpgraderProcess(Vertx.vertx(), config);
    }

    /** Stops all parts in order when a signal ends the process. */
    NodeUpgraderProcess stopOnSignal() {
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
