package dev.flotilla.campaigncontroller.sync;

import dev.flotilla.campaigncontroller.config.HubClusterConfig;
import dev.flotilla.campaigncontroller.counts.MachineCountsSource;
import dev.flotilla.campaigncontroller.table.FleetTables;
import dev.flotilla.campaigncontroller.table.TableConnection;
import dev.flotilla.kafka.KafkaClientSettings;
import dev.flotilla.kafka.KafkaFailure;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.schemas.row.RowChange;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Goes over all objects and rows again and again, and makes each pair agree by one step at a time. It keeps nothing between two passes
 * but what it has read, so it may end at any instant.
 */
public final class SyncLoop implements AutoCloseable {
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(10);

    private final HubClusterConfig hub;
    private final SyncLease lease;
    private final TableConnection kafka;
    private final SyncPass pass;
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
        this.hub = hub;
        this.lease = lease;
        this.kafka = new TableConnection(settings);
        HubObjectWriter objects = new HubObjectWriter(api, hub.namespace());
        this.pass = new SyncPass(
                api,
                hub,
                lease,
                objects,
                new ManifestReconciler(objects, this::writeRow, counts, clock),
                new OrderReconciler(objects, this::writeRow, clock),
                listener);
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
            pass.run(tables);
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
