package dev.flotilla.nodeupgrader.cluster;

import dev.flotilla.kube.ForbiddenAddresses;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeConnectionConfig;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.kube.ServedApiVersions;
import dev.flotilla.nodeupgrader.cluster.ServiceAccountTokenRequester.TokenResult;
import dev.flotilla.nodeupgrader.contract.NodeUpgrade;
import dev.flotilla.nodeupgrader.contract.NodeUpgradePhase;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Clients of workload clusters. A kubeconfig is read from its Secret when a client is opened, for each NodeUpgrade that begins, because a
 * cluster may have been created again under its name, and when its cluster stops responding or rejects the credentials. It only gets a
 * token, with which all requests are made.
 */
public final class WorkloadClients implements AutoCloseable {
    private static final String CLUSTER_API = "cluster.x-k8s.io";
    private static final String CLUSTERS = "clusters";
    private static final int MAX_CLIENTS = 128;
    private static final int REQUESTS_AT_ONCE = 16;
    private static final Duration REREAD_INTERVAL = Duration.ofSeconds(15);

    /** Half of a token's validity: an API server that an upgrade restarts may be away when it is due. */
    static final Duration TOKEN_AGE = ServiceAccountTokenRequester.VALIDITY.dividedBy(2);

    /** When a client that was replaced is closed: after all requests of those who have it. */
    private static final Duration RETIREMENT = Duration.ofMinutes(20);

    private final KubeApiClient management;
    private final ServedApiVersions managementVersions;
    private final Duration timeout;
    private final LongSupplier nanos;
    private final ReentrantLock lock = new ReentrantLock();

    /** By Secret and namespace of the Jobs; the least recently used is first. */
    private final Map<String, OpenClient> clients = new LinkedHashMap<>(16, 0.75f, true);

    /** Replaced, the oldest first. */
    private final Deque<RetiredClient> retired = new ArrayDeque<>();

    /**
     * @param readAt when the Secret was read, or was tried to
     * @param issuedAt when the token was
     */
    private record OpenClient(KubeApiClient client, String kubeconfig, long readAt, long issuedAt) {}

    private record RetiredClient(KubeApiClient client, long since) {}

    /** The result of opening a client. */
    public sealed interface ClientResult {
        /** The client is open. */
        record ClientOpened(KubeApiClient client) implements ClientResult {}

        /** There is no usable kubeconfig. */
        record ClientUnavailable(String problem, boolean forbidden) implements ClientResult {}
    }

    /**
     * @param nanos a monotonic clock
     */
    public WorkloadClients(KubeApiClient management, Duration timeout, LongSupplier nanos) {
        this.management = management;
        this.managementVersions = new ServedApiVersions(management);
        this.timeout = timeout;
        this.nanos = nanos;
    }

    /**
     * Returns the client of the cluster of a NodeUpgrade.
     *
     * @param jobNamespace the namespace with the ServiceAccount
     */
    public ClientResult open(NodeUpgrade nodeUpgrade, String jobNamespace) {
        String secret = nodeUpgrade.namespace() + "/" + nodeUpgrade.kubeconfigSecret();
        String key = secret + "/" + jobNamespace;
        OpenClient open = find(key);
        boolean begins = nodeUpgrade.status().phase() == NodeUpgradePhase.PENDING;
        if (open != null && !begins && !(isDue(open) && claimRenewal(key, open))) {
            return new ClientResult.ClientOpened(open.client());
        }
        KubeResponse read = management.get(
                KubeApiPath.coreObject(nodeUpgrade.namespace(), "secrets", nodeUpgrade.kubeconfigSecret()));
        ClientResult renewed = read instanceof KubeResponse.SuccessResponse successResponse
                ? renew(key, secret, jobNamespace, open, decode(successResponse.object()))
                : new ClientResult.ClientUnavailable(
                        "Secret " + secret + " cannot be read: " + read.problem(), read.isForbidden());
        // A token that is still accepted outlives an API server that cannot issue another at this moment.
        return renewed instanceof ClientResult.ClientUnavailable
                        && open != null
                        && !begins
                        && !open.client().isUnauthorized()
                ? new ClientResult.ClientOpened(open.client())
                : renewed;
    }

    /** Whether the management cluster serves Clusters and has none of a NodeUpgrade any more. */
    boolean isClusterDeleted(NodeUpgrade nodeUpgrade) {
        KubeResponse read = managementVersions.requestWithVersion(
                CLUSTER_API,
                CLUSTERS,
                version -> management.get(KubeApiPath.groupObject(
                        version, nodeUpgrade.namespace(), CLUSTERS, nodeUpgrade.clusterName())));
        String served = read.isMissing() ? managementVersions.versionOf(CLUSTER_API, CLUSTERS) : null;
        return served != null && !served.isEmpty();
    }

    private ClientResult renew(
            String key, String secret, String jobNamespace, @Nullable OpenClient open, @Nullable String kubeconfig) {
        if (kubeconfig == null) {
            return new ClientResult.ClientUnavailable("Secret " + secret + " has no value", false);
        }
        if (open != null
                && open.kubeconfig().equals(kubeconfig)
                && !open.client().isUnauthorized()
                && !isTokenDue(open)) {
            return new ClientResult.ClientOpened(open.client());
        }
        try {
            KubeConnectionConfig config = KubeConnectionConfig.parseKubeconfig(kubeconfig);
            String problem = config.problemOfServer(ForbiddenAddresses.isLoopback(management.root()));
            if (problem != null) {
                return new ClientResult.ClientUnavailable(
                        "Secret " + secret + " names a server that " + problem, false);
            }
            return switch (ServiceAccountTokenRequester.request(config, jobNamespace, timeout)) {
                case TokenResult.TokenIssued issued -> {
                    KubeApiClient client =
                            new KubeApiClient(config.toTokenConfig(issued.token(), timeout), REQUESTS_AT_ONCE);
                    long now = nanos.getAsLong();
                    keep(key, new OpenClient(client, kubeconfig, now, now));
                    yield new ClientResult.ClientOpened(client);
                }
                case TokenResult.TokenDenied denied ->
                    new ClientResult.ClientUnavailable(denied.problem(), denied.forbidden());
            };
        } catch (KubeConnectionConfig.InvalidKubeconfigException e) {
            return new ClientResult.ClientUnavailable("Secret " + secret + ": " + e.getMessage(), false);
        }
    }

    private boolean isDue(OpenClient open) {
        return (open.client().isUnauthorized() || open.client().isUnresponsive() || isTokenDue(open))
                && nanos.getAsLong() - open.readAt() >= REREAD_INTERVAL.toNanos();
    }

    private boolean isTokenDue(OpenClient open) {
        return nanos.getAsLong() - open.issuedAt() >= TOKEN_AGE.toNanos();
    }

    private @Nullable OpenClient find(String key) {
        lock.lock();
        try {
            return clients.get(key);
        } finally {
            lock.unlock();
        }
    }

    /** Of several threads that find a renewal due, one makes it; the others use what there is. */
    private boolean claimRenewal(String key, OpenClient open) {
        lock.lock();
        try {
            OpenClient now = clients.get(key);
            if (now == null || now.readAt() != open.readAt()) {
                return false;
            }
            clients.put(key, new OpenClient(open.client(), open.kubeconfig(), nanos.getAsLong(), open.issuedAt()));
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Keeps a client in place of the one before, which another thread may be about to use. */
    private void keep(String key, OpenClient open) {
        lock.lock();
        try {
            retire(clients.put(key, open));
            if (clients.size() > MAX_CLIENTS) {
                retire(clients.remove(clients.keySet().iterator().next()));
            }
            long now = nanos.getAsLong();
            while (!retired.isEmpty() && now - retired.getFirst().since() >= RETIREMENT.toNanos()) {
                retired.removeFirst().client().close();
            }
        } finally {
            lock.unlock();
        }
    }

    private void retire(@Nullable OpenClient open) {
        if (open != null) {
            retired.addLast(new RetiredClient(open.client(), nanos.getAsLong()));
        }
    }

    private static @Nullable String decode(KubeObject secret) {
        String encoded = secret.text("data", "value");
        try {
            return encoded == null ? null : new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            clients.values().forEach(each -> each.client().close());
            clients.clear();
            retired.forEach(each -> each.client().close());
            retired.clear();
        } finally {
            lock.unlock();
        }
    }
}
