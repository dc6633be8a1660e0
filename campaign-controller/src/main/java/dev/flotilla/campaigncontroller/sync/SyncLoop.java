package dev.flotilla.campaigncontroller.sync;

import dev.flotilla.campaigncontroller.config.HubClusterConfig;
import dev.flotilla.campaigncontroller.counts.MachineCountsSource;
import dev.flotilla.campaigncontroller.object.HubKind;
import dev.flotilla.campaigncontroller.object.HubObject;
import dev.flotilla.campaigncontroller.table.FleetTables;
import dev.flotilla.campaigncontroller.table.TableConnection;
import dev.flotilla.kafka.KafkaClientSettings;
import dev.flotilla.kafka.KafkaFailure;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.TableRow;
import dev.flotilla.schemas.row.UpgradePolicy;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Goes over all objects and rows again and again, and makes each pair agree by one step at a time. It keeps nothing between two passes
 * but what it has read, so it may end at any instant.
 */
public final class SyncLoop implements AutoCloseable {
    private static final int MAX_OBJECTS = 10_000;
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(10);

    private final KubeApiClient api;
    private final HubClusterConfig hub;
    private final SyncLease lease;
    private final TableConnection kafka;
    private final HubObjectWriter objects;
    private final ManifestReconciler manifests;
    private final OrderReconciler orders;
    private final SyncListener listener;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Thread thread = Thread.ofPlatform().name("sync").unstarted(this::run);

    /**
     * Makes a loop.
     *
     * @param lease of several controllers, the one that holds it works
     * @param counts the numbers of machines that Campaigns show
     */
    public SyncLoop(
            KubeApiClient api,
            HubClusterConfig hub,
            SyncLease lease,
            KafkaClientSettings settings,
            MachineCountsSource counts,
            InstantSource clock,
            SyncListener listener) {
        this.api = api;
        this.hub = hub;
        this.lease = lease;
        this.kafka = new TableConnection(settings);
        this.objects = new HubObjectWriter(api, hub.namespace());
        this.manifests = new ManifestReconciler(objects, this::writeRow, counts, clock);
        this.orders = new OrderReconciler(objects, this::writeRow, clock);
        this.listener = listener;
    }

    public void start() {
        thread.start();
    }

    /** Writes a row, unless somebody has written this key since the tables were read, or another controller works now. */
    private void writeRow(RowChange change) {
        long seen = kafka.tables().newestOffset(change.rowKey());
        if (kafka.readOn().newestOffset(change.rowKey()) != seen || !lease.isHeld()) {
            return;
        }
        kafka.write(change);
        listener.rowWritten(
                change.rowKey().table().label() + " " + change.rowKey().key());
    }

    private void run() {
        try (kafka) {
            do {
                runPass();
            } while (!stopped.await(hub.interval().toMillis(), TimeUnit.MILLISECONDS));
            lease.release();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error bug) {
            listener.loopFailed(bug);
        }
    }

    private void runPass() {
        try {
            // One that waits reads Kafka too: it can work at once.
            FleetTables tables = kafka.refresh();
            if (!lease.takeOrRenew()) {
                reportLease();
                return;
            }
            int objects = 0;
            int conflicts = 0;
            boolean isComplete = true;
            for (HubKind kind : HubKind.values()) {
                List<HubObject> all = list(kind);
                // Objects of a kind that cannot be listed keep no others waiting.
                if (all == null) {
                    isComplete = false;
                    continue;
                }
                objects += all.size();
                conflicts += (int) all.stream().filter(HubObject::isInConflict).count();
                // Before an orchestrator has decided anything, or after its topics were lost, no row tells anything.
                if (tables.hasLeader()) {
                    reconcile(kind, all, tables);
                }
            }
            if (isComplete && lease.isHeld()) {
                listener.passEnded(objects, conflicts);
            }
        } catch (KafkaFailure failure) {
            listener.kafkaFailed(failure.kind().label(), String.valueOf(failure.getMessage()));
        }
    }

    private void reportLease() {
        if (lease.problem().isEmpty()) {
            listener.otherWorks(lease.otherHolder());
        } else {
            listener.listFailed("leases", lease.problem());
        }
    }

    /** Returns the objects of a kind, the oldest first; null if they cannot be listed. */
    private @Nullable List<HubObject> list(HubKind kind) {
        List<HubObject> all = new ArrayList<>();
        String problem = api.forEachObject(
                kind.listPath(hub.namespace()), "", MAX_OBJECTS, object -> all.add(new HubObject(kind, object)));
        if (problem != null) {
            listener.listFailed(kind.plural(), problem);
            return null;
        }
        all.sort(Comparator.comparing(HubObject::createdAt).thenComparing(HubObject::name));
        return all;
    }

    private void reconcile(HubKind kind, List<HubObject> all, FleetTables tables) {
        Set<String> subjects = new TreeSet<>();
        for (HubObject object : all) {
            // One that cannot read the Lease must not try that again for each object.
            if (!lease.takeOrRenew()) {
                return;
            }
            reconcile(object, tables, subjects);
        }
        if (hub.mirrorsKafka() && kind != HubKind.ORDER) {
            mirror(kind, all, tables);
        }
    }

    /**
     * Does the next step for an object. One whose row may not be written keeps no other waiting.
     *
     * @param subjects the subjects of Orders that are not settled
     */
    private void reconcile(HubObject object, FleetTables tables, Set<String> subjects) {
        try {
            report(
                    object.toString(),
                    object.kind() == HubKind.ORDER
                            ? orders.reconcile(object, tables, subjects)
                            : manifests.reconcile(object, tables));
        } catch (KafkaFailure failure) {
            if (failure.kind() == KafkaFailure.Kind.UNREACHABLE) {
                throw failure;
            }
            listener.objectFailed(object.toString(), String.valueOf(failure.getMessage()));
        }
    }

    /** Creates the objects of rows that have none. */
    private void mirror(HubKind kind, List<HubObject> all, FleetTables tables) {
        SortedMap<String, TableRow> absent = new TreeMap<>();
        if (kind == HubKind.CAMPAIGN) {
            tables.rows(Campaign.class).forEach(row -> absent.put(row.name().name(), row));
        } else {
            tables.rows(UpgradePolicy.class)
                    .forEach(row -> absent.put(row.scope().toString(), row));
        }
        all.forEach(object -> absent.remove(object.name()));
        for (Map.Entry<String, TableRow> each : absent.entrySet()) {
            if (!lease.takeOrRenew()) {
                return;
            }
            report(kind.kind() + " " + each.getKey(), objects.createFromRow(kind, each.getKey(), each.getValue()));
        }
    }

    private void report(String what, @Nullable String problem) {
        if (problem != null) {
            listener.objectFailed(what, problem);
        }
    }

    @Override
    public void close() {
        stopped.countDown();
        try {
            thread.join(STOP_TIMEOUT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
