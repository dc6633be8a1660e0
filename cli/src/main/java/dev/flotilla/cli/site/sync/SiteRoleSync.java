package dev.flotilla.cli.site.sync;

import dev.flotilla.cli.site.ServiceAccount;
import dev.flotilla.cli.site.WorkerRoleManifests;
import dev.flotilla.kube.ForbiddenAddresses;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.kube.ServedApiVersions;
import dev.flotilla.nodeworker.management.KubeconfigSecretReader;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.SiteId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Brings the roles of a site's node-workers up to date with the Clusters that the management cluster has. */
final class SiteRoleSync {
    private static final String GROUP = "cluster.x-k8s.io";
    private static final String CLUSTERS = "clusters";
    private static final String RBAC = "rbac.authorization.k8s.io/v1";
    private static final int MOST_CLUSTERS = 20_000;
    private static final int MOST_ROLES = 60_000;
    private static final int CLUSTERS_AT_ONCE = 8;
    private static final int PROGRESS_STEP = 100;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final KubeApiClient management;
    private final SiteId site;
    private final ServiceAccount account;
    private final KubeconfigSecretReader kubeconfigs;
    private final Consumer<String> progress;

    /**
     * @param account service account of the node-workers
     * @param progress takes lines about what is done
     */
    SiteRoleSync(KubeApiClient management, SiteId site, ServiceAccount account, Consumer<String> progress) {
        this.management = management;
        this.site = site;
        this.account = account;
        this.kubeconfigs = new KubeconfigSecretReader(management, ForbiddenAddresses.isLoopback(management.root()));
        this.progress = progress;
    }

    /** The management cluster did not do what was asked. */
    static final class ManagementClusterException extends Exception {
        ManagementClusterException(String problem) {
            super(problem);
        }
    }

    /** Returns the clusters of the management cluster, without those that are being deleted. */
    List<ClusterKey> clusters() throws ManagementClusterException {
        String version = new ServedApiVersions(management).versionOf(GROUP, CLUSTERS);
        if (version == null || version.isEmpty()) {
            throw new ManagementClusterException(
                    version == null
                            ? "the versions of " + CLUSTERS + "." + GROUP
                                    + " cannot be read: check the address and the rights"
                            : "the management cluster has no kind Cluster of " + GROUP + ": is this its kubeconfig?");
        }
        List<ClusterKey> clusters = new ArrayList<>();
        String problem = management.forEachObject(
                KubeApiPath.listPath(GROUP + "/" + version, CLUSTERS), "", MOST_CLUSTERS, cluster -> {
                    if (!cluster.isDeleting()) {
                        clusters.add(new ClusterKey(site, cluster.namespace(), cluster.name()));
                    }
                });
        if (problem != null) {
            throw new ManagementClusterException("Clusters cannot be listed: " + problem);
        }
        return clusters;
    }

    /** Applies the roles in the management cluster. Returns what an earlier run applied for clusters that are gone. */
    List<KubeObject> applyManagementRoles(List<ClusterKey> clusters) throws ManagementClusterException {
        List<KubeObject> objects = clusters.isEmpty()
                ? List.of()
                : RoleManifestApplier.parse(WorkerRoleManifests.management(clusters, account));
        String problem = new RoleManifestApplier(management).apply(objects);
        if (problem != null) {
            throw new ManagementClusterException(problem);
        }
        Set<String> current = objects.stream().map(RoleManifestApplier::path).collect(Collectors.toSet());
        List<KubeObject> stale = new ArrayList<>();
        findStale(RBAC, "Role", "roles", current, stale);
        findStale(RBAC, "RoleBinding", "rolebindings", current, stale);
        findStale("v1", "ConfigMap", "configmaps", current, stale);
        return stale;
    }

    private void findStale(String version, String kind, String plural, Set<String> current, List<KubeObject> stale)
            throws ManagementClusterException {
        String selector = "&labelSelector="
                + KubeApiPath.encodeQueryValue(RoleManifestApplier.LABEL + "=" + RoleManifestApplier.MANAGER);
        String problem =
                management.forEachObject(KubeApiPath.listPath(version, null, plural), selector, MOST_ROLES, found -> {
                    // Items of a list do not say their kind.
                    KubeObject object = new KubeObject(found.json().toBuilder()
                            .put("apiVersion", version)
                            .put("kind", kind)
                            .build());
                    if (!current.contains(RoleManifestApplier.path(object))) {
                        stale.add(object);
                    }
                });
        if (problem != null) {
            throw new ManagementClusterException(kind + "s cannot be listed: " + problem);
        }
    }

    /** Deletes what an earlier run applied. Returns the problems. */
    List<String> prune(List<KubeObject> stale, Consumer<KubeObject> deleted) {
        List<String> problems = new ArrayList<>();
        for (KubeObject object : stale) {
            KubeResponse reply = management.deleteObject(RoleManifestApplier.path(object), object.uid());
            if (!(reply instanceof KubeResponse.SuccessResponse) && !reply.isMissing()) {
                problems.add(RoleManifestApplier.describe(object) + ": " + reply.problem());
            } else {
                deleted.accept(object);
            }
        }
        return problems;
    }

    /** Applies a manifest to each workload cluster, some at a time. Returns the problems, each with its cluster. */
    List<String> applyWorkloadRoles(List<ClusterKey> clusters, String manifest)
            throws InterruptedException, ExecutionException {
        List<KubeObject> objects = RoleManifestApplier.parse(manifest);
        List<String> problems = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(CLUSTERS_AT_ONCE)) {
            List<Future<Optional<String>>> applied = clusters.stream()
                    .map(cluster -> threads.submit(() -> Optional.ofNullable(applyToCluster(cluster, objects))))
                    .toList();
            for (int i = 0; i < clusters.size(); i++) {
                ClusterKey cluster = clusters.get(i);
                applied.get(i).get().ifPresent(problem -> problems.add(cluster + ": " + problem));
                if ((i + 1) % PROGRESS_STEP == 0) {
                    progress.accept((i + 1) + " of " + clusters.size() + " workload clusters");
                }
            }
        }
        return problems;
    }

    private @Nullable String applyToCluster(ClusterKey cluster, List<KubeObject> objects) {
        return switch (kubeconfigs.readKubeconfig(cluster)) {
            case KubeconfigSecretReader.KubeconfigResult.KubeconfigUnavailable unavailable -> unavailable.reason();
            case KubeconfigSecretReader.KubeconfigResult.KubeconfigFound found -> {
                try (KubeApiClient workload =
                        new KubeApiClient(found.connectionConfig().toClientConfig(null, TIMEOUT), 1)) {
                    yield new RoleManifestApplier(workload).apply(objects);
                }
            }
        };
    }
}
