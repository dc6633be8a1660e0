package dev.flotilla.nodeworker.workload;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeConnectionConfig;
import dev.flotilla.nodeworker.management.KubeconfigSecretReader;
import dev.flotilla.runtime.log.LogKey;
import dev.flotilla.schemas.id.ClusterKey;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pool of connections to workload clusters. Above its size the least recently used connection is closed, and
 * connections in use stay open until they are returned.
 *
 * <p>A connection belongs to one version of the cluster's Secret. The Secret is read again after the cluster was
 * silent, since the API server may have another address or authority by now, and every few minutes, since a cluster may
 * have been created again under its name.
 */
public final class WorkloadClusterPool implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WorkloadClusterPool.class);
    /**
     * A kubeconfig that expires within this time causes a warning, because kubeconfigs are not renewed automatically.
     */
    public static final Duration WARNED = Duration.ofDays(30);

    /** A silent cluster costs the management cluster one read in this time. */
    private static final Duration READ_AFTER_SILENCE = Duration.ofSeconds(15);

    private static final Duration READ_AGAIN = Duration.ofMinutes(10);

    private static final String USER = "flotilla:node-worker";

    private final KubeconfigSecretReader kubeconfigSecretReader;
    private final int most;
    private final int atOnce;
    private final Duration timeout;
    private final InstantSource clock;
    private final LongSupplier ticks;
    private final ReentrantLock lock = new ReentrantLock();
    private final LinkedHashMap<ClusterKey, PooledConnection> lines = new LinkedHashMap<>(16, 0.75f, true);

    /**
     * Creates a pool.
     *
     * @param most most connections that are kept
     * @param atOnce most requests at a time on each
     * @param clock wall clock
     * @param ticks monotonic clock in nanoseconds
     */
    public WorkloadClusterPool(
            KubeconfigSecretReader kubeconfigSecretReader,
            int most,
            int atOnce,
            Duration timeout,
            InstantSource clock,
            LongSupplier ticks) {
        this.kubeconfigSecretReader = kubeconfigSecretReader;
        this.most = most;
        this.atOnce = atOnce;
        this.timeout = timeout;
        this.clock = clock;
        this.ticks = ticks;
    }

    /** Result of borrowing a connection. */
    public sealed interface BorrowResult extends AutoCloseable {

        /** A borrowed connection; closing it returns it to the pool. */
        record BorrowedConnection(PooledConnection connection) implements BorrowResult {
            /** The cluster's API server. */
            public KubeApiClient api() {
                return connection.api;
            }

            /** Returns when the kubeconfig's certificate expires; null if unknown. */
            public @Nullable Instant expires() {
                return connection.kubeconfigExpiry;
            }

            @Override
            public void close() {
                connection.giveBack();
            }
        }

        /** The cluster cannot be reached. */
        record ClusterUnavailable(String reason) implements BorrowResult {}

        @Override
        default void close() {}
    }

    /** A connection and the number of its users. */
    public final class PooledConnection {
        private final ClusterKey cluster;
        private final KubeApiClient api;
        private final String edition;
        private final @Nullable Instant kubeconfigExpiry;
        private long readAt = ticks.getAsLong();
        private int users;
        private boolean dropped;

        private PooledConnection(ClusterKey cluster, KubeApiClient api, String edition, @Nullable Instant expires) {
            this.cluster = cluster;
            this.api = api;
            this.edition = edition;
            this.kubeconfigExpiry = expires;
        }

        /** Whether the caller must read the Secret again now. */
        private boolean isDue() {
            long now = ticks.getAsLong();
            boolean due = now - readAt >= (api.isUnresponsive() ? READ_AFTER_SILENCE : READ_AGAIN).toNanos();
            if (due) {
                readAt = now;
            }
            return due;
        }

        /** Returns the connection. If its credentials were rejected, the next borrower reads the Secret again. */
        private void giveBack() {
            guarded(idle -> {
                users--;
                if (api.isUnauthorized() && lines.remove(cluster, this)) {
                    dropped = true;
                }
                if (dropped && users == 0) {
                    idle.add(api);
                }
                closeEldest(idle);
            });
        }

        @Override
        public String toString() {
            return "a connection to " + cluster;
        }
    }

    /** Borrows a connection, new or kept. */
    public BorrowResult borrow(ClusterKey cluster) {
        Kept kept = kept(cluster);
        if (kept != null && !kept.due()) {
            return kept.open();
        }
        return switch (kubeconfigSecretReader.readKubeconfig(cluster)) {
            case KubeconfigSecretReader.KubeconfigResult.KubeconfigUnavailable kubeconfigUnavailable ->
                kept == null ? new BorrowResult.ClusterUnavailable(kubeconfigUnavailable.reason()) : kept.open();
            case KubeconfigSecretReader.KubeconfigResult.KubeconfigFound kubeconfigFound -> {
                if (kept == null) {
                    yield opened(cluster, kubeconfigFound);
                }
                if (kept.open().connection().edition.equals(kubeconfigFound.secretVersion())) {
                    yield kept.open();
                }
                LOG.atInfo().addKeyValue(LogKey.CLUSTER.label(), cluster).log("kubeconfig changed");
                drop(kept.open().connection());
                kept.open().close();
                yield opened(cluster, kubeconfigFound);
            }
        };
    }

    /** A kept connection, and whether its Secret must be read again first. */
    private record Kept(BorrowResult.BorrowedConnection open, boolean due) {}

    private void drop(PooledConnection pooledConnection) {
        guarded(idle -> pooledConnection.dropped =
                pooledConnection.dropped || lines.remove(pooledConnection.cluster, pooledConnection));
    }

    /** Runs a query on a cluster's API server, or returns why it cannot be reached. */
    public <T extends @Nullable Object> T queryCluster(
            ClusterKey cluster, Function<KubeApiClient, T> question, Function<String, T> otherwise) {
        try (BorrowResult borrowResult = borrow(cluster)) {
            return switch (borrowResult) {
                case BorrowResult.BorrowedConnection borrowedConnection -> question.apply(borrowedConnection.api());
                case BorrowResult.ClusterUnavailable clusterUnavailable -> otherwise.apply(clusterUnavailable.reason());
            };
        }
    }

    private @Nullable Kept kept(ClusterKey cluster) {
        lock.lock();
        try {
            PooledConnection pooledConnection = lines.get(cluster);
            return pooledConnection == null ? null : new Kept(lent(pooledConnection), pooledConnection.isDue());
        } finally {
            lock.unlock();
        }
    }

    private static BorrowResult.BorrowedConnection lent(PooledConnection pooledConnection) {
        pooledConnection.users++;
        return new BorrowResult.BorrowedConnection(pooledConnection);
    }

    private BorrowResult opened(
            ClusterKey cluster, KubeconfigSecretReader.KubeconfigResult.KubeconfigFound kubeconfigFound) {
        KubeConnectionConfig access = kubeconfigFound.connectionConfig();
        KubeApiClient api;
        try {
            api = new KubeApiClient(access.toClientConfig(USER, timeout), atOnce);
        } catch (RuntimeException e) {
            // The library's message may quote the key that it cannot read.
            return new BorrowResult.ClusterUnavailable("the kubeconfig's certificate or key cannot be used");
        }
        List<BorrowResult> lent = new ArrayList<>();
        guarded(idle -> {
            PooledConnection pooledConnection = lines.get(cluster);
            if (pooledConnection == null) {
                pooledConnection =
                        new PooledConnection(cluster, api, kubeconfigFound.secretVersion(), access.certificateExpiry());
                lines.put(cluster, pooledConnection);
                tellEnd(pooledConnection);
            } else {
                // Another thread was faster.
                idle.add(api);
            }
            lent.add(lent(pooledConnection));
            closeEldest(idle);
        });
        return lent.getFirst();
    }

    private void tellEnd(PooledConnection pooledConnection) {
        Instant end = pooledConnection.kubeconfigExpiry;
        if (end != null && end.isBefore(clock.instant().plus(WARNED))) {
            LOG.atWarn()
                    .addKeyValue(LogKey.CLUSTER.label(), pooledConnection.cluster)
                    .addKeyValue(LogKey.KUBECONFIG_EXPIRES_AT.label(), end)
                    .addKeyValue(LogKey.REMEDY.label(), "renew its Secret")
                    .log("kubeconfig expiry approached");
        }
    }

    /**
     * Warns again of kubeconfigs that expire soon: a connection may be open for longer than its kubeconfig is valid.
     */
    public void warnOfExpiry() {
        guarded(idle -> lines.values().forEach(this::tellEnd));
    }

    private void closeEldest(List<KubeApiClient> idle) {
        Iterator<PooledConnection> eldest = lines.values().iterator();
        while (lines.size() > most && eldest.hasNext()) {
            PooledConnection pooledConnection = eldest.next();
            if (pooledConnection.users == 0) {
                eldest.remove();
                idle.add(pooledConnection.api);
            }
        }
    }

    /**
     * Changes the pool under the lock. Connections that are idle afterwards are closed without the lock, because that
     * takes time.
     */
    private void guarded(Consumer<List<KubeApiClient>> change) {
        List<KubeApiClient> idle = new ArrayList<>();
        lock.lock();
        try {
            change.accept(idle);
        } finally {
            lock.unlock();
        }
        idle.forEach(KubeApiClient::close);
    }

    /** Returns when the kubeconfigs of open connections expire, as far as known. */
    public SortedMap<ClusterKey, Instant> kubeconfigExpiries() {
        SortedMap<ClusterKey, Instant> ends = new TreeMap<>();
        guarded(idle -> lines.forEach((cluster, pooledConnection) -> {
            if (pooledConnection.kubeconfigExpiry != null) {
                ends.put(cluster, pooledConnection.kubeconfigExpiry);
            }
        }));
        return ends;
    }

    /** Returns how many connections are open. */
    public int size() {
        lock.lock();
        try {
            return lines.size();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            lines.values().forEach(pooledConnection -> pooledConnection.api.close());
            lines.clear();
        } finally {
            lock.unlock();
        }
    }
}
