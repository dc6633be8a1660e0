package dev.flotilla.testkit.sites;

import dev.flotilla.simulator.embedded.EmbeddedCluster;
import dev.flotilla.simulator.embedded.EmbeddedFleet;
import dev.flotilla.simulator.kubernetes.store.StoredObject;
import dev.flotilla.testkit.kube.EtcdServer;
import dev.flotilla.testkit.kube.KubeCluster;
import dev.flotilla.testkit.kube.KubeOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Real API servers of the test bed as the management clusters of an embedded fleet; its workload clusters stay
 * embedded.
 */
final class RealManagementClusters implements AutoCloseable {
    private final EtcdServer etcd = EtcdServer.start();
    private final Map<String, KubeCluster> clusters = new ConcurrentHashMap<>();
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofPlatform().name("management-", 0).daemon().factory());

    private RealManagementClusters() {}

    /**
     * Starts them, with all objects of the fleet's own management clusters.
     *
     * @param failed receives the exception if a change cannot be mirrored
     */
    static RealManagementClusters start(EmbeddedFleet fleet, Consumer<RuntimeException> failed) {
        Map<String, EmbeddedCluster> clusterBySite = new LinkedHashMap<>();
        fleet.clusters()
                .forEach(cluster ->
                        clusterBySite.putIfAbsent(cluster.key().site().name(), cluster));
        RealManagementClusters started = new RealManagementClusters();
        try {
            CompletableFuture.allOf(clusterBySite.entrySet().stream()
                            .map(entry -> CompletableFuture.runAsync(
                                    () -> started.add(fleet, entry.getKey(), entry.getValue(), failed),
                                    started.threads))
                            .toArray(CompletableFuture[]::new))
                    .join();
            return started;
        } catch (RuntimeException e) {
            started.close();
            throw e;
        }
    }

    private void add(EmbeddedFleet fleet, String site, EmbeddedCluster cluster, Consumer<RuntimeException> failed) {
        KubeCluster real =
                KubeCluster.start(etcd, site, KubeOptions.apiServer()).withClusterApi();
        if (cluster.hasNodeUpgrades()) {
            real.withFlotilla();
        }
        clusters.put(site, real);
        ManagementObjectMirror managementObjectMirror = new ManagementObjectMirror(real);
        List<StoredObject> all = fleet.runOnEventLoop(() -> managementObjectMirror.startRecording(
                        cluster.management().store()))
                .await();
        managementObjectMirror.createAll(cluster.key().namespace(), all);
        threads.execute(() -> managementObjectMirror.mirrorChanges(failed));
    }

    /** The administrator's kubeconfig of a site's management cluster. */
    Path kubeconfig(String site) {
        return cluster(site).kubeconfig();
    }

    /** The number of NodeUpgrades that the API servers have created, by their audit logs. */
    long createdNodeUpgrades() {
        long created = 0;
        for (KubeCluster cluster : clusters.values()) {
            try (Stream<String> requests = Files.lines(cluster.auditLog())) {
                created += requests.filter(RealManagementClusters::createsNodeUpgrade)
                        .count();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return created;
    }

    private static boolean createsNodeUpgrade(String request) {
        return request.contains("\"verb\":\"create\"")
                && request.contains("\"resource\":\"nodeupgrades\"")
                && request.contains("\"code\":201")
                && !request.contains("dryRun=All");
    }

    KubeCluster cluster(String site) {
        KubeCluster cluster = clusters.get(site);
        if (cluster == null) {
            throw new IllegalArgumentException("there is no site " + site);
        }
        return cluster;
    }

    @Override
    public void close() {
        threads.shutdownNow();
        clusters.values().forEach(KubeCluster::close);
        etcd.close();
    }
}
