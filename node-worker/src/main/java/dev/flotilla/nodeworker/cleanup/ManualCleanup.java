package dev.flotilla.nodeworker.cleanup;

import dev.flotilla.kube.ForbiddenAddresses;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeConnectionConfig;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.kube.UserKubeconfig;
import dev.flotilla.nodeworker.config.SiteUpgradeSettings;
import dev.flotilla.nodeworker.k8sd.trust.CertificatePinKey;
import dev.flotilla.nodeworker.k8sd.trust.CertificatePinStore;
import dev.flotilla.nodeworker.management.AttemptAnnotation;
import dev.flotilla.nodeworker.management.GuardAnnotationPolicy;
import dev.flotilla.nodeworker.management.GuardAnnotationWriter;
import dev.flotilla.nodeworker.management.KubeconfigSecretReader;
import dev.flotilla.nodeworker.management.ManagementClusterClient;
import dev.flotilla.nodeworker.workload.NodeCordoner;
import dev.flotilla.nodeworker.workload.WorkloadClusterClient;
import dev.flotilla.nodeworker.workload.WorkloadClusterPool;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Cleanup by a person, with that person's own rights on a site's management cluster and the workload clusters behind
 * it.
 */
public final class ManualCleanup implements AutoCloseable {
    private static final int MAX_CONCURRENT_REQUESTS = 4;
    private static final Duration TIMEOUT = SiteUpgradeSettings.DEFAULT.timeout();

    private final String server;
    private final KubeApiClient management;
    private final ManagementClusterClient managementClusterClient;
    private final GuardAnnotationWriter guardAnnotationWriter;
    private final CertificatePinStore certificatePinStore;
    private final WorkloadClusterPool clusters;

    /** Result of a lookup about a machine. */
    public sealed interface LookupResult<T> {

        /** The value was found. */
        record LookupSucceeded<T>(T value) implements LookupResult<T> {}

        /** There is no such machine. */
        record LookupEmpty<T>() implements LookupResult<T> {}

        /** The lookup failed. */
        record LookupFailed<T>(String reason) implements LookupResult<T> {}
    }

    /**
     * What attempts have left on a machine and its node.
     *
     * @param uid uid of the Machine
     * @param node name of the Node; null for none
     * @param guards attempt annotation of the Machine; null for none
     * @param cordon attempt annotation of the Node; null for none
     */
    public record StaleAttemptAnnotations(
            MachineKey key,
            String uid,
            ClusterKey cluster,
            @Nullable String node,
            @Nullable AttemptAnnotation guards,
            @Nullable AttemptAnnotation cordon) {

        /** Whether nothing is left. */
        public boolean isEmpty() {
            return guards == null && cordon == null;
        }

        /** Returns the attempts that left something, usually one. */
        public List<Long> attempts() {
            List<Long> attempts = new ArrayList<>();
            if (guards != null) {
                attempts.add(guards.attempt());
            }
            if (cordon != null && (guards == null || guards.attempt() != cordon.attempt())) {
                attempts.add(cordon.attempt());
            }
            return attempts;
        }
    }

    /**
     * The certificate pin of a machine.
     *
     * @param bearer key of the pin: the members of a control plane share one
     */
    public record MachineCertificateStatus(
            ClusterKey cluster, CertificatePinKey bearer, CertificatePinStore.CertificateTrust trust) {}

    private ManualCleanup(KubeApiClient management) {
        this.server = management.config().getMasterUrl();
        this.management = management;
        this.managementClusterClient = new ManagementClusterClient(management, System::nanoTime);
        this.guardAnnotationWriter = new GuardAnnotationWriter(managementClusterClient, GuardAnnotationPolicy.DEFAULT);
        this.certificatePinStore = new CertificatePinStore(management, System::nanoTime);
        this.clusters = new WorkloadClusterPool(
                new KubeconfigSecretReader(management, ForbiddenAddresses.isLoopback(server)),
                MAX_CONCURRENT_REQUESTS,
                MAX_CONCURRENT_REQUESTS,
                TIMEOUT,
                InstantSource.system(),
                System::nanoTime);
    }

    /**
     * Opens a management cluster.
     *
     * @param kubeconfig null for the one that kubectl would use
     */
    public static ManualCleanup open(@Nullable Path kubeconfig) throws IOException {
        if (kubeconfig == null) {
            return new ManualCleanup(
                    new KubeApiClient(KubeConnectionConfig.open(null, TIMEOUT), MAX_CONCURRENT_REQUESTS));
        }
        return new ManualCleanup(UserKubeconfig.open(kubeconfig, TIMEOUT, MAX_CONCURRENT_REQUESTS));
    }

    /** Returns the URL of the API server. */
    public String server() {
        return server;
    }

    /** Finds what attempts have left on a machine and its node. */
    public LookupResult<StaleAttemptAnnotations> findStaleAnnotations(MachineKey key) {
        return withMachine(key, (machine, cluster) -> {
            String node = machine.text("status", "nodeRef", "name");
            AttemptAnnotation guards = AttemptAnnotation.onMachine(machine);
            if (node == null) {
                return new LookupResult.LookupSucceeded<>(
                        new StaleAttemptAnnotations(key, machine.uid(), cluster, null, guards, null));
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
                                new StaleAttemptAnnotations(key, machine.uid(), cluster, node, guards, cordon));
                    },
                    reason -> new LookupResult.LookupFailed<>("cluster " + cluster + " cannot be reached: " + reason));
        });
    }

    /** Removes them if they still belong to the same attempts. Returns null once done, else what failed. */
    public @Nullable String cleanUp(StaleAttemptAnnotations stale) {
        AttemptAnnotation cordon = stale.cordon();
        String node = stale.node();
        if (cordon != null && node != null) {
            String problem = clusters.<@Nullable String>queryCluster(
                    stale.cluster(),
                    api -> new NodeCordoner(new WorkloadClusterClient(api))
                            .uncordonNode(node, cordon.attempt(), cordon.owner(), null),
                    reason -> reason);
            if (problem != null) {
                return problem;
            }
        }
        AttemptAnnotation attemptAnnotation = stale.guards();
        // The annotations to remove are read again from the Machine.
        return attemptAnnotation == null
                ? null
                : guardAnnotationWriter.releaseGuards(
                        stale.key(), attemptAnnotation.attempt(), attemptAnnotation.owner(), null);
    }

    /** Reads the certificate pin of a machine. */
    public LookupResult<MachineCertificateStatus> readTrust(MachineKey key) {
        return withMachine(key, (machine, cluster) -> {
            CertificatePinKey certificatePinKey = CertificatePinKey.holderOf(key.name(), machine);
            return new LookupResult.LookupSucceeded<>(new MachineCertificateStatus(
                    cluster, certificatePinKey, certificatePinStore.readTrust(cluster, certificatePinKey)));
        });
    }

    /**
     * Removes a certificate pin, so that another certificate may be shown. Returns null once done, else what failed.
     */
    public @Nullable String resetTrust(MachineCertificateStatus machineCertificateStatus) {
        return certificatePinStore.resetPin(machineCertificateStatus.cluster(), machineCertificateStatus.bearer());
    }

    private <T> LookupResult<T> withMachine(MachineKey key, BiFunction<KubeObject, ClusterKey, LookupResult<T>> then) {
        KubeResponse reply = managementClusterClient.machine(key);
        if (reply.isMissing()) {
            return new LookupResult.LookupEmpty<>();
        }
        if (!(reply instanceof KubeResponse.SuccessResponse successResponse)) {
            return new LookupResult.LookupFailed<>(
                    "the management cluster at " + server + " cannot read the machine: " + reply.problem());
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
