package dev.flotilla.nodeupgrader.bed;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeConnectionConfig;
import dev.flotilla.nodeupgrader.cluster.WorkloadClients;
import dev.flotilla.nodeupgrader.cluster.WorkloadClusters;
import dev.flotilla.nodeupgrader.reconcile.EndedUpgradeRemover;
import dev.flotilla.nodeupgrader.reconcile.NodeUpgradeReconciler;
import dev.flotilla.nodeupgrader.reconcile.NodeUpgradeWatcher;
import dev.flotilla.nodeupgrader.reconcile.OpenUpgrades;
import dev.flotilla.nodeupgrader.reconcile.UpgraderListener;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;

/** The parts of a node-upgrader, with its deployed rights and a clock that a test sets forward. */
final class UpgraderParts implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final KubeApiClient management;
    private final WorkloadClients clients;
    private final OpenUpgrades openUpgrades;
    private final NodeUpgradeWatcher watcher;

    /**
     * @param ahead how far its clock is ahead
     */
    UpgraderParts(UpgraderTestBed bed, Supplier<Duration> ahead, UpgraderListener listener) throws Exception {
        management = new KubeApiClient(
                KubeConnectionConfig.parseKubeconfig(Files.readString(bed.upgraderKubeconfig()))
                        .toClientConfig(null, TIMEOUT),
                8);
        clients = new WorkloadClients(
                management, TIMEOUT, () -> System.nanoTime() + ahead.get().toNanos());
        WorkloadClusters workloadClusters = new WorkloadClusters(
                clients,
                "flotilla",
                () -> Instant.now().plus(ahead.get()),
                () -> System.nanoTime() + ahead.get().toNanos());
        EndedUpgradeRemover endedUpgradeRemover = new EndedUpgradeRemover(
                management,
                workloadClusters,
                Duration.ofDays(7),
                () -> Instant.now().plus(ahead.get()),
                listener);
        openUpgrades = new OpenUpgrades(
                new NodeUpgradeReconciler(
                        management,
                        workloadClusters,
                        endedUpgradeRemover,
                        () -> Instant.now().plus(ahead.get()),
                        listener),
                listener,
                Duration.ofMillis(100));
        watcher = new NodeUpgradeWatcher(management, openUpgrades, endedUpgradeRemover, listener);
    }

    UpgraderParts start() {
        watcher.start();
        return this;
    }

    @Override
    public void close() {
        watcher.close();
        openUpgrades.close();
        clients.close();
        management.close();
    }
}
