package dev.flotilla.clusterapi;

import dev.flotilla.clusterapi.config.ClusterApiExtensionConfig;
import dev.flotilla.clusterapi.coverage.CoverageTable;
import dev.flotilla.clusterapi.delegate.DelegateCaller;
import dev.flotilla.clusterapi.delegate.UpdateDelegate;
import dev.flotilla.clusterapi.dirty.DirtyMachineMarker;
import dev.flotilla.clusterapi.dirty.KeptValueRecorder;
import dev.flotilla.clusterapi.event.ObjectEventWriter;
import dev.flotilla.clusterapi.hashing.HashKeySecret;
import dev.flotilla.clusterapi.hook.Hook;
import dev.flotilla.clusterapi.hook.HookHandler;
import dev.flotilla.clusterapi.registration.ExtensionConflictFinder;
import dev.flotilla.clusterapi.registration.ExtensionConflictMonitor;
import dev.flotilla.clusterapi.report.UncoveredChangeReporter;
import dev.flotilla.clusterapi.update.HeldUpdateReporter;
import dev.flotilla.clusterapi.update.MachineReader;
import dev.flotilla.clusterapi.update.OpenTaskLister;
import dev.flotilla.clusterapi.update.OrphanedTaskAborter;
import dev.flotilla.clusterapi.update.UpdateMachineHandler;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.runtime.http.ApplicationHttpServer;
import dev.flotilla.runtime.http.HealthAndMetricsRoutes;
import dev.flotilla.runtime.http.HealthStatus;
import dev.flotilla.runtime.http.PostEndpoint;
import dev.flotilla.runtime.metrics.PrometheusMetrics;
import dev.flotilla.runtime.process.ProcessClock;
import dev.flotilla.runtime.shutdown.ShutdownSequence;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;

/** A running Cluster API extension: its parts are started and stopped together. */
final class ClusterApiExtensionProcess implements AutoCloseable {
    private static final int REQUESTS_AT_ONCE = 32;
    /** All bodies together: the heap has room for them and for what is parsed of them. */
    private static final int MAX_OPEN_BYTES = 24 * 1024 * 1024;

    private static final Duration BODY_TIMEOUT = Duration.ofSeconds(8);
    private static final Duration REPORT_INTERVAL = Duration.ofSeconds(2);
    private static final Duration CONFLICT_INTERVAL = Duration.ofSeconds(30);
    private static final Duration ABORT_INTERVAL = Duration.ofSeconds(30);

    /** With the reads before it, it stays below the 10 s that Cluster API waits. */
    private static final Duration DELEGATES_TIMEOUT = Duration.ofSeconds(3);

    private final ShutdownSequence shutdown = new ShutdownSequence();
    private final ApplicationHttpServer endpoint;
    private final ExtensionConflictMonitor conflicts;

    private ClusterApiExtensionProcess(
            Vertx vertx, ClusterApiExtensionConfig config, CoverageTable defaults, List<UpdateDelegate> delegates)
            throws IOException {
        KubeApiClient management = KubeApiClient.open(
                config.kubernetes().kubeconfigFile(),
                config.kubernetes().timeout(),
                REQUESTS_AT_ONCE,
                ProcessClock.SYSTEM::monotonicNanos);
        PrometheusMetrics prometheusMetrics = new PrometheusMetrics("cluster-api-extension");
        MachineReader machineReader = new MachineReader(management);
        HashKeySecret hashKey =
                new HashKeySecret(management, config.kubernetes().namespace());
        UpdateMachineHandler updates = new UpdateMachineHandler(
                management,
                machineReader,
                hashKey,
                new DirtyMachineMarker(management, InstantSource.system()),
                new DelegateCaller(vertx, delegates, DELEGATES_TIMEOUT),
                defaults,
                config.kubernetes().keptTasks().toSeconds(),
                InstantSource.system());
        UncoveredChangeReporter reporter = new UncoveredChangeReporter(management, InstantSource.system());
        OpenTaskLister openTasks = new OpenTaskLister(management);
        HeldUpdateReporter heldUpdates = new HeldUpdateReporter(
                new ObjectEventWriter(management, InstantSource.system()), InstantSource.system());
        OrphanedTaskAborter aborter = new OrphanedTaskAborter(management, machineReader);
        CertificateExpiryMeter certificateMeter = new CertificateExpiryMeter(InstantSource.system());
        this.conflicts = new ExtensionConflictMonitor(
                new ExtensionConflictFinder(management), new ObjectEventWriter(management, InstantSource.system()));
        ExtensionEventLogger eventLogger = new ExtensionEventLogger(
                new ExtensionMetrics(prometheusMetrics.registry(), certificateMeter, conflicts::conflicts), reporter);
        HookHandler hooks = new HookHandler(
                defaults,
                updates::answer,
                new KeptValueRecorder(management, hashKey),
                eventLogger,
                ProcessClock.SYSTEM::monotonicNanos);
        this.endpoint = ApplicationHttpServer.start(
                        vertx,
                        config.server(),
                        new HealthAndMetricsRoutes(
                                () -> HealthStatus.healthy("alive"),
                                () -> management.isLockedOut() ? HealthStatus.LOCKED_OUT : certificateMeter.readiness(),
                                prometheusMetrics::toPrometheusText),
                        new PostEndpoint(
                                path -> Hook.at(path) != null,
                                Hook.DISCOVERY.path()::equals,
                                HookHandler.MAX_BODY,
                                MAX_OPEN_BYTES,
                                BODY_TIMEOUT,
                                // Cluster API's managers that wait for answers take no thread from what else is done
                                // here.
                                vertx.createSharedWorkerExecutor("hooks", REQUESTS_AT_ONCE),
                                REQUESTS_AT_ONCE,
                                (path, body) -> hooks.answer(Objects.requireNonNull(Hook.at(path)), body)))
                .await();
        certificateMeter.watch(endpoint::certificateExpiresAt);
        long reports = vertx.setPeriodic(REPORT_INTERVAL.toMillis(), id -> {
            var unused = vertx.executeBlocking(reporter::writeOnce)
                    .onSuccess(eventLogger::reportsFailed)
                    .onFailure(eventLogger::passFailed);
        });
        long aborts = vertx.setPeriodic(ABORT_INTERVAL.toMillis(), id -> {
            var unused = vertx.<Boolean>executeBlocking(() -> {
                        switch (openTasks.list()) {
                            case OpenTaskLister.TaskListResult.TasksUnreadable unreadable ->
                                eventLogger.reportsFailed(List.of(unreadable.problem()));
                            case OpenTaskLister.TaskListResult.TasksListed tasks -> {
                                eventLogger.tasksAborted(aborter.abortOrphans(tasks.open()));
                                eventLogger.reportsFailed(heldUpdates.reportHeld(tasks.open()));
                            }
                        }
                        return true;
                    })
                    .onFailure(eventLogger::passFailed);
        });
        long checks = vertx.setPeriodic(1, CONFLICT_INTERVAL.toMillis(), id -> {
            var unused = vertx.executeBlocking(conflicts::checkOnce)
                    .onSuccess(eventLogger::conflictsFound)
                    .onFailure(eventLogger::passFailed);
        });
        shutdown.addStep("timers", Duration.ofSeconds(1), vertx, () -> {
                    vertx.cancelTimer(reports);
                    vertx.cancelTimer(aborts);
                    vertx.cancelTimer(checks);
                })
                .addStep("server", Duration.ofSeconds(5), endpoint::stop)
                .addStep("cluster", Duration.ofSeconds(5), vertx, management::close)
                .addStep("vertx", Duration.ofSeconds(5), vertx::close);
    }

    /**
     * Starts all parts. The server answers before the management cluster is asked anything.
     *
     * @param defaults what the settings of an ExtensionConfig add to
     * @param delegates other extensions that are called too
     * @throws IOException also if another extension serves our namespaces and no ExtensionConfig of ours exists yet
     */
    public static ClusterApiExtensionProcess start(
            ClusterApiExtensionConfig config, CoverageTable defaults, List<UpdateDelegate> delegates)
            throws IOException {
        ClusterApiExtensionProcess process = new ClusterApiExtensionProcess(Vertx.vertx(), config, defaults, delegates);
        try {
            process.conflicts.requireNoConflictBeforeRegistration();
        } catch (IOException e) {
            process.close();
            throw e;
        }
        return process;
    }

    /** Stops all parts in order when a signal ends the process. */
    ClusterApiExtensionProcess stopOnSignal() {
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
