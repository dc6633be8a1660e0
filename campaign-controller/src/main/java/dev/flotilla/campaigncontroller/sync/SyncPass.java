package dev.flotilla.campaigncontroller.sync;

import dev.flotilla.campaigncontroller.config.HubClusterConfig;
import dev.flotilla.campaigncontroller.object.HubKind;
import dev.flotilla.campaigncontroller.object.HubObject;
import dev.flotilla.campaigncontroller.table.FleetTables;
import dev.flotilla.kafka.KafkaFailure;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.TableRow;
import dev.flotilla.schemas.row.UpgradePolicy;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Goes over all objects once, and makes each agree with its row by one step. It ends when another controller may work. */
final class SyncPass {
    private final KubeApiClient api;
    private final HubClusterConfig hub;
    private final SyncLease lease;
    private final HubObjectWriter objects;
    private final ManifestReconciler manifests;
    private final OrderReconciler orders;
    private final SyncListener listener;

    SyncPass(
            KubeApiClient api,
            HubClusterConfig hub,
            SyncLease lease,
            HubObjectWriter objects,
            ManifestReconciler manifests,
            OrderReconciler orders,
            SyncListener listener) {
        this.api = api;
        this.hub = hub;
        this.lease = lease;
        this.objects = objects;
        this.manifests = manifests;
        this.orders = orders;
        this.listener = listener;
    }

    /** Goes over the objects while this controller holds the Lease. */
    void run(FleetTables tables) {
        int count = 0;
        int conflicts = 0;
        boolean isComplete = true;
        for (HubKind kind : HubKind.values()) {
            ObjectListReader list = new ObjectListReader(kind, lease);
            String problem = list.read(api, hub.namespace());
            // Objects of a kind that cannot be listed keep no others waiting.
            if (problem != null) {
                listener.listFailed(kind.plural(), problem);
                isComplete = false;
                continue;
            }
            List<HubObject> all = list.unfinished();
            count += list.count();
            conflicts += (int) all.stream().filter(HubObject::isInConflict).count();
            // Before an orchestrator has decided anything, or after its topics were lost, no row tells anything.
            if (tables.hasLeader() && !reconcile(kind, all, tables)) {
                return;
            }
        }
        if (isComplete && lease.isHeld()) {
            listener.passEnded(count, conflicts);
        }
    }

    /** Returns whether this controller still holds the Lease. One that cannot read the Lease must not try that again for each object. */
    private boolean reconcile(HubKind kind, List<HubObject> all, FleetTables tables) {
        Set<String> subjects = new TreeSet<>();
        for (HubObject object : all) {
            if (!lease.takeOrRenew()) {
                return false;
            }
            reconcile(object, tables, subjects);
        }
        return !hub.mirrorsKafka() || kind == HubKind.ORDER || mirror(kind, all, tables);
    }

    /**
     * Does the next step for an object. One whose row may not be written keeps no other waiting.
     *
     * @param subjects the subjects of Orders that are not settled
     */
    private void reconcile(HubObject object, FleetTables tables, Set<String> subjects) {
        runStep(
                object.toString(),
                () -> object.kind() == HubKind.ORDER
                        ? orders.reconcile(object, tables, subjects)
                        : manifests.reconcile(object, tables));
    }

    /** Runs a step and reports its problem. A step that fails, even by a bug, must not keep the other objects from theirs. */
    private void runStep(String object, Supplier<@Nullable String> step) {
        try {
            String problem = step.get();
            if (problem != null) {
                listener.objectFailed(object, problem);
            }
        } catch (KafkaFailure failure) {
            if (failure.kind() == KafkaFailure.Kind.UNREACHABLE) {
                throw failure;
            }
            listener.objectFailed(object, String.valueOf(failure.getMessage()));
        } catch (RuntimeException bug) {
            listener.reconcileFailed(object, bug);
        }
    }

    /** Creates the objects of rows that have none. Returns whether this controller still holds the Lease. */
    private boolean mirror(HubKind kind, List<HubObject> all, FleetTables tables) {
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
                return false;
            }
            runStep(
                    kind.kind() + " " + each.getKey(),
                    () -> objects.createFromRow(kind, each.getKey(), each.getValue()));
        }
        return true;
    }
}
