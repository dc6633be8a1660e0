package dev.flotilla.nodeupgrader.cluster;

import dev.flotilla.kube.ForbiddenAddresses;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeConnectionConfig;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.nodeupgrader.contract.NodeUpgrade;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Clients of workload clusters. A kubeconfig is read from its Secret when a client is opened, and again when its cluster stops
 * responding or rejects the credentials. It has all permissions, so every request impersonates a user that has few.
 */
public final class WorkloadClients implements AutoCloseable {
    /** The user whose permissions {@code deploy/node-upgrader/rbac-workload.yaml} grants. */
    public static final String USER = "flotilla:node-upgrader";

    private static final int MAX_CLIENTS = 128;
    private static final int REQUESTS_AT_ONCE = 16;
    private static final Duration REREAD_INTERVAL = Duration.ofSeconds(15);

    private final KubeApiClient management;
    private final Duration timeout;
    private final LongSupplier nanos;
    private final ReentrantLock lock = new ReentrantLock();

    /** By namespace and Secret; the least recently used is first. */
    private final Map<String, OpenClient> clients = new LinkedHashMap<>(16, 0.75f, true);

    private record OpenClient(KubeApiClient client, String kubeconfig, long readAt) {}

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
        this.timeout = timeout;
        this.nanos = nanos;
    }

    /** Returns the client of the cluster of a NodeUpgrade. */
    public ClientResult open(NodeUpgrade nodeUpgrade) {
        String key = nodeUpgrade.namespace() + "/" + nodeUpgrade.kubeconfigSecret();
        OpenClient open = find(key);
        if (open != null && !mustReread(open)) {
            return new ClientResult.ClientOpened(open.client());
        }
        KubeResponse read = management.get(
                KubeApiPath.coreObject(nodeUpgrade.namespace(), "secrets", nodeUpgrade.kubeconfigSecret()));
        if (!(read instanceof KubeResponse.SuccessResponse successResponse)) {
            return open != null
                    ? new ClientResult.ClientOpened(open.client())
                    : new ClientResult.ClientUnavailable(
                            "Secret " + key + " cannot be read: " + read.problem(), read.isForbidden());
        }
        return openClient(key, open, decode(successResponse.object()));
    }

    private ClientResult openClient(String key, @Nullable OpenClient open, @Nullable String kubeconfig) {
        if (kubeconfig == null) {
            return new ClientResult.ClientUnavailable("Secret " + key + " has no value", false);
        }
        if (open != null && open.kubeconfig().equals(kubeconfig)) {
            keep(key, new OpenClient(open.client(), kubeconfig, nanos.getAsLong()));
            return new ClientResult.ClientOpened(open.client());
        }
        try {
            KubeConnectionConfig config = KubeConnectionConfig.parseKubeconfig(kubeconfig);
            String problem = config.problemOfServer(ForbiddenAddresses.isLoopback(management.root()));
            if (problem != null) {
                return new ClientResult.ClientUnavailable("Secret " + key + " names a server that " + problem, false);
            }
            KubeApiClient client = new KubeApiClient(config.toClientConfig(USER, timeout), REQUESTS_AT_ONCE);
            keep(key, new OpenClient(client, kubeconfig, nanos.getAsLong()));
            return new ClientResult.ClientOpened(client);
        } catch (KubeConnectionConfig.InvalidKubeconfigException e) {
            return new ClientResult.ClientUnavailable("Secret " + key + ": " + e.getMessage(), false);
        }
    }

    private boolean mustReread(OpenClient open) {
        return (open.client().isUnauthorized() || open.client().isUnresponsive())
                && nanos.getAsLong() - open.readAt() >= REREAD_INTERVAL.toNanos();
    }

    private @Nullable OpenClient find(String key) {
        lock.lock();
        try {
            return clients.get(key);
        } finally {
            lock.unlock();
        }
    }

    /** Requests in progress on a client that is closed end by themselves. */
    private void keep(String key, OpenClient open) {
        List<OpenClient> closed = new ArrayList<>();
        lock.lock();
        try {
            OpenClient before = clients.put(key, open);
            if (before != null && before.client() != open.client()) {
                closed.add(before);
            }
            if (clients.size() > MAX_CLIENTS) {
                String eldest = clients.keySet().iterator().next();
                OpenClient removed = clients.remove(eldest);
                if (removed != null) {
                    closed.add(removed);
                }
            }
        } finally {
            lock.unlock();
        }
        closed.forEach(each -> each.client().close());
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
        } finally {
            lock.unlock();
        }
    }
}
