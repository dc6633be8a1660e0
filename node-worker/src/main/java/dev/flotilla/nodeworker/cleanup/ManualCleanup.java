package dev.flotilla.nodeworker.cleanup;

import dev.flotilla.kube.ForbiddenAddresses;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeConnectionConfig;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.kube.UserKubeconfig;
import dev.flotilla.nodeworker.management.AttemptAnnotation;
import dev.flotilla.nodeworker.management.GuardAnnotationPolicy;
import dev.flotilla.nodeworker.management.GuardAnnotationWriter;
import dev.flotilla.nodeworker.management.KubeconfigSecretReader;
import dev.flotilla.nodeworker.management.ManagementClusterClient;
import dev.flotilla.nodeworker.node.SiteUpgradeSettings;
import dev.flotilla.nodeworker.pins.CertificatePinKey;
import dev.flotilla.nodeworker.pins.CertificatePinStore;
import dev.flotilla.nodeworker.workload.NodeCordoner;
import dev.flotilla.nodeworker.workload.WorkloadClusterClient;
import dev.flotilla.nodeworker.workload.WorkloadClusterPool;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** A site's management cluster and the clusters behind it in the hands of a person, with that person's own rights. */
public final class ManualCleanup implements AutoCloseable {
    private static final int AT_ONCE = 4;
    private static final Duration TIMEOUT = SiteUpgradeSettings.DEFAULT.timeout();

    private final String server;
    private final KubeApiClient management;
    private final ManagementClusterClient managementClusterClient;
    private final GuardAnnotationWriter guardAnnotationWriter;
    private final CertificatePinStore certificatePinStore;
    private final WorkloadClusterPool clusters;

    private ManualCleanup(KubeApiClient management) {
        this.server = management.config().getMasterUrl();
        this.management = management;
        this.managementClusterClient = new ManagementClusterClient(management, System::nanoTime);
        this.guardAnnotationWriter = new GuardAnnotationWriter(managementClusterClient, GuardAnnotationPolicy.DEFAULT);
        this.certificatePinStore = new CertificatePinStore(management, System::nanoTime);
        this.clusters = new WorkloadClusterPool(
                new KubeconfigSecretReader(management, ForbiddenAddresses.isLoopback(server)),
                AT_ONCE,
                AT_ONCE,
                TIMEOUT,
                InstantSource.system(),
                System::nanoTime);
    }

    /**
     * Opens a management cluster.
     *
     * @param kubeconfig null for what kubectl would use here
     */
    public static ManualCleanup open(@Nullable Path kubeconfig) throws IOException {
        if (kubeconfig == null) {
            return new ManualCleanup(new KubeApiClient(KubeConnectionConfig.open(null, TIMEOUT), AT_ONCE));
        }
        return new ManualCleanup(UserKubeconfig.open(kubeconfig, TIMEOUT, AT_ONCE));
    }

    /** Which API server is asked. */
    public String server() {
        return server;
    }

    /** What attempts have left on a machine and its node. */
    public LookupResult<StaleAttemptAnnotations> findStaleAnnotations(MachineKey key) {
        return machine(key, (machine, cluster) -> {
            String node = machine.text("status", "nodeRef", "name");
            AttemptAnnotation guarding = AttemptAnnotation.onMachine(machine);
            if (node == null) {
                return new LookupResult.LookupSucceeded<>(
                        new StaleAttemptAnnotations(key, machine.uid(), cluster, null, guarding, null));
            }
            return clusters.queryCluster(
                    cluster,
                    api -> {
                        KubeResponse reply = new WorkloadClusterClient(api).node(node);
                        if (!(reply instanceof KubeResponse.SuccessResponse) && !reply.isMissing()) {
                            return new LookupResult.LookupFailed<>(
                                    "node " + node + " cannot be read: " + reply.problem());
                        }
                        AttemptAnnotation cordon = reply instanceof KubeResponse.SuccessResponse successResponse
                                ? AttemptAnnotation.onNode(successResponse.object())
                                : null;
                        return new LookupResult.LookupSucceeded<>(
                                new StaleAttemptAnnotations(key, machine.uid(), cluster, node, guarding, cordon));
                    },
                    why -> new LookupResult.LookupFailed<>("cluster " + cluster + " cannot be asked: " + why));
        });
    }

    /** Undoes them, as far as they are still those of the same attempts. Null once it is done; else what went wrong. */
    public @Nullable String cleanUp(StaleAttemptAnnotations left) {
        AttemptAnnotation cordon = left.cordon();
        String node = left.node();
        if (cordon != null && node != null) {
            String problem = clusters.<@Nullable String>queryCluster(
                    left.cluster(),
                    api -> new NodeCordoner(new WorkloadClusterClient(api))
                            .uncordonNode(node, cordon.attempt(), cordon.owner(), null),
                    why -> why);
            if (problem != null) {
                return problem;
            }
        }
        AttemptAnnotation attemptAnnotation = left.guards();
        // What the mark says that it set is read anew and not taken on trust.
        return attemptAnnotation == null
                ? null
                : guardAnnotationWriter.releaseGuards(
                        left.key(), attemptAnnotation.attempt(), attemptAnnotation.owner(), null);
    }

    /** What is known of a machine's certificate. */
    public LookupResult<MachineCertificateStatus> readTrust(MachineKey key) {
        return machine(key, (machine, cluster) -> {
            CertificatePinKey certificatePinKey = CertificatePinKey.holderOf(key.name(), machine);
            return new LookupResult.LookupSucceeded<>(new MachineCertificateStatus(
                    cluster, certificatePinKey, certificatePinStore.readTrust(cluster, certificatePinKey)));
        });
    }

    /** Forgets a certificate, so that another may be shown. Null once it is so; else what went wrong. */
    public @Nullable String resetTrust(MachineCertificateStatus machineCertificateStatus) {
        return certificatePinStore.resetPin(machineCertificateStatus.cluster(), machineCertificateStatus.bearer());
    }

    private <T> LookupResult<T> machine(MachineKey key, BiFunction<KubeObject, ClusterKey, LookupResult<T>> then) {
        KubeResponse reply = managementClusterClient.machine(key);
        if (reply.isMissing()) {
            return new LookupResult.LookupEmpty<>();
        }
        if (!(reply instanceof KubeResponse.SuccessResponse successResponse)) {
            return new LookupResult.LookupFailed<>(
                    "the management cluster at " + server + " does not tell of it: " + reply.problem());
        }
        String cluster = successResponse.object().text("spec", "clusterName");
        return cluster == null
                ? new LookupResult.LookupFailed<>("the Machine names no cluster")
                : then.apply(successResponse.object(), new ClusterKey(key.site(), key.namespace(), cluster));
    }

    @Override
    public void close() {
        clusters.close();
        management.close();
    }
}
