package dev.flotilla.nodeworker.workload;

import dev.flotilla.kube.KubeConnectionConfig;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.nodeworker.management.Kubeconfigs;
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
 * Connections to workload clusters. So many are kept; beyond, the one that nobody has used for longest is closed, and as many
 * more as are in use at once stay open until they are given back.
 *
 * <p>A connection belongs to one edition of the cluster's Secret. The Secret is read again after silence, since the API server
 * may have another address or authority by now, and every few minutes, since a cluster may have been made anew under its name.
 */
public final class WorkloadClusters implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WorkloadClusters.class);
    /** So long before its end one speaks of a kubeconfig: nobody renews it by itself. */
    public static final Duration WARNED = Duration.ofDays(30);

    /** A cluster that is silent for long costs the management cluster a read each so often. */
    private static final Duration READ_AFTER_SILENCE = Duration.ofSeconds(15);

    private static final Duration READ_AGAIN = Duration.ofMinutes(10);

    private static final String USER = "flotilla:node-worker";

    private final Kubeconfigs kubeconfigs;
    private final int most;
    private final int atOnce;
    private final Duration timeout;
    private final InstantSource clock;
    private final LongSupplier ticks;
    private final ReentrantLock lock = new ReentrantLock();
    private final LinkedHashMap<ClusterKey, Line> lines = new LinkedHashMap<>(16, 0.75f, true);

    /**
     * Connections.
     *
     * @param most connections that are kept
     * @param atOnce requests that run at a time, for each
     * @param clock that people set
     * @param ticks nanoseconds of a clock that nobody sets
     */
    public WorkloadClusters(
            Kubeconfigs kubeconfigs, int most, int atOnce, Duration timeout, InstantSource clock, LongSupplier ticks) {
        this.kubeconfigs = kubeconfigs;
        this.most = most;
        this.atOnce = atOnce;
        this.timeout = timeout;
        this.clock = clock;
        this.ticks = ticks;
    }

    /** What came of asking for one. */
    public sealed interface Borrowed extends AutoCloseable {

        /** Here it is, until it is closed: that only gives it back. */
        record Open(Line line) implements Borrowed {
            /** The cluster's API server. */
            public KubeApiClient api() {
                return line.api;
            }

            /** When the kubeconfig's certificate ends; null where that is not known. */
            public @Nullable Instant expires() {
                return line.expires;
            }

            @Override
            public void close() {
                line.giveBack();
            }
        }

        /** The cluster cannot be reached. */
        record None(String why) implements Borrowed {}

        @Override
        default void close() {}
    }

    /** One connection and how many use it now. */
    public final class Line {
        private final ClusterKey cluster;
        private final KubeApiClient api;
        private final String edition;
        private final @Nullable Instant expires;
        private long readAt = ticks.getAsLong();
        private int users;
        private boolean dropped;

        private Line(ClusterKey cluster, KubeApiClient api, String edition, @Nullable Instant expires) {
            this.cluster = cluster;
            this.api = api;
            this.edition = edition;
            this.expires = expires;
        }

        /** Whether its Secret is to be read again now, by whoever is told so. */
        private boolean isDue() {
            long now = ticks.getAsLong();
            boolean due = now - readAt >= (api.isUnresponsive() ? READ_AFTER_SILENCE : READ_AGAIN).toNanos();
            if (due) {
                readAt = now;
            }
            return due;
        }

        /** Credentials that are not taken any more are read anew by whoever borrows next. */
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

    /** A connection, new or kept. */
    public Borrowed borrow(ClusterKey cluster) {
        Kept kept = kept(cluster);
        if (kept != null && !kept.due()) {
            return kept.open();
        }
        return switch (kubeconfigs.of(cluster)) {
            case Kubeconfigs.Found.None none -> kept == null ? new Borrowed.None(none.why()) : kept.open();
            case Kubeconfigs.Found.Way way -> {
                if (kept == null) {
                    yield opened(cluster, way);
                }
                if (kept.open().line().edition.equals(way.edition())) {
                    yield kept.open();
                }
                LOG.atInfo().addKeyValue("cluster", cluster).log("the kubeconfig has changed: connecting anew");
                drop(kept.open().line());
                kept.open().close();
                yield opened(cluster, way);
            }
        };
    }

    /** One that is kept, lent to whoever asked, and whether its Secret is to be read again first. */
    private record Kept(Borrowed.Open open, boolean due) {}

    private void drop(Line line) {
        guarded(idle -> line.dropped = line.dropped || lines.remove(line.cluster, line));
    }

    /** Asks a cluster's API server, or says why it cannot be reached. */
    public <T extends @Nullable Object> T ask(
            ClusterKey cluster, Function<KubeApiClient, T> question, Function<String, T> otherwise) {
        try (Borrowed borrowed = borrow(cluster)) {
            return switch (borrowed) {
                case Borrowed.Open open -> question.apply(open.api());
                case Borrowed.None none -> otherwise.apply(none.why());
            };
        }
    }

    private @Nullable Kept kept(ClusterKey cluster) {
        lock.lock();
        try {
            Line line = lines.get(cluster);
            return line == null ? null : new Kept(lent(line), line.isDue());
        } finally {
            lock.unlock();
        }
    }

    private static Borrowed.Open lent(Line line) {
        line.users++;
        return new Borrowed.Open(line);
    }

    private Borrowed opened(ClusterKey cluster, Kubeconfigs.Found.Way way) {
        KubeConnectionConfig access = way.access();
        KubeApiClient api;
        try {
            api = new KubeApiClient(access.toClientConfig(USER, timeout), atOnce);
        } catch (RuntimeException e) {
            // The library's words may quote the key that it cannot read.
            return new Borrowed.None("the kubeconfig's certificate or key cannot be used");
        }
        List<Borrowed> lent = new ArrayList<>();
        guarded(idle -> {
            Line line = lines.get(cluster);
            if (line == null) {
                line = new Line(cluster, api, way.edition(), access.certificateExpiry());
                lines.put(cluster, line);
                tellEnd(line);
            } else {
                // Another was quicker.
                idle.add(api);
            }
            lent.add(lent(line));
            closeEldest(idle);
        });
        return lent.getFirst();
    }

    private void tellEnd(Line line) {
        Instant end = line.expires;
        if (end != null && end.isBefore(clock.instant().plus(WARNED))) {
            LOG.atWarn()
                    .addKeyValue("cluster", line.cluster)
                    .addKeyValue("end", end)
                    .log("the kubeconfig's certificate ends soon, and nobody renews it by itself");
        }
    }

    /** Warns again of those that end soon: a connection may be open for longer than its kubeconfig lasts. */
    public void tellEnds() {
        guarded(idle -> lines.values().forEach(this::tellEnd));
    }

    private void closeEldest(List<KubeApiClient> idle) {
        Iterator<Line> eldest = lines.values().iterator();
        while (lines.size() > most && eldest.hasNext()) {
            Line line = eldest.next();
            if (line.users == 0) {
                eldest.remove();
                idle.add(line.api);
            }
        }
    }

    /** Changes what is kept. What is idle thereafter is closed without the lock: that takes time. */
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

    /** When the kubeconfigs of those that are open end, as far as it is known. */
    public SortedMap<ClusterKey, Instant> ends() {
        SortedMap<ClusterKey, Instant> ends = new TreeMap<>();
        guarded(idle -> lines.forEach((cluster, line) -> {
            if (line.expires != null) {
                ends.put(cluster, line.expires);
            }
        }));
        return ends;
    }

    /** How many are open. */
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
            lines.values().forEach(line -> line.api.close());
            lines.clear();
        } finally {
            lock.unlock();
        }
    }
}
