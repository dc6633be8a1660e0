package dev.flotilla.core.fleet;

import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.core.fleet.inventory.FleetInventory;
import dev.flotilla.core.fleet.inventory.IntentStatusTable;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.inventory.OperatorOrderTable;
import dev.flotilla.core.fleet.inventory.SiteState;
import dev.flotilla.core.fleet.rollout.ClusterBacklogTable;
import dev.flotilla.core.fleet.rollout.IntentProgressCounter;
import dev.flotilla.core.fleet.rollout.RolloutTable;
import dev.flotilla.core.fleet.rollout.SiteIntentsRollout;
import dev.flotilla.core.fleet.rollout.StartQueueTable;
import dev.flotilla.core.fleet.rollout.UnrestoredSites;
import dev.flotilla.core.fleet.time.MaintenanceCalendars;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.ClusterUpgradeKey;
import dev.flotilla.schemas.id.EntityKey;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.PolicyScope;
import dev.flotilla.schemas.id.RejectedRecordKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.id.TimeZoneName;
import dev.flotilla.schemas.id.WaveKey;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.ClusterUpgrade;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.IntentStatus;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.LastAcceptedPolicy;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.SiteStatus;
import dev.flotilla.schemas.row.TimeZoneRules;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.row.WaveStatus;
import dev.flotilla.schemas.row.WorkerCommand;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The rows, and which component handles each row change. */
final class RowStore {
    final IntentStatusTable objects = new IntentStatusTable();
    final FleetInventory inventory = new FleetInventory(objects);
    final UnrestoredSites unread = new UnrestoredSites();
    final ClusterBacklogTable backlogs = new ClusterBacklogTable();
    final StartQueueTable startQueues = new StartQueueTable();
    final RolloutTable rollouts = new RolloutTable(inventory, unread, backlogs, startQueues);
    final Map<PolicyScope, UpgradePolicy> policies = new LinkedHashMap<>();
    final MaintenanceCalendars calendars = new MaintenanceCalendars(policies);
    final OperatorOrderTable orders = new OperatorOrderTable();
    final Map<CampaignName, Campaign> campaigns = new LinkedHashMap<>();
    final RejectedRecordTable rejected = new RejectedRecordTable(this);
    final MachineReviewSchedule reviews = new MachineReviewSchedule(inventory, policies, rejected::isParked);
    final PreparationTimers preparations = new PreparationTimers(inventory, rejected::isParked);
    final Map<TimeZoneName, TimeZoneRules> zones = new LinkedHashMap<>();
    final SiteStatusTable siteBoard = new SiteStatusTable(inventory, policies, orders, rollouts, rejected);
    FleetHead head = FleetHead.NONE;

    void put(RowChange rowChange) {
        switch (rowChange) {
            case FleetHead row -> head = row;
            case MachineStatus row -> putStatus(row);
            case WorkerCommand row -> {
                // The machine's status row contains what matters.
            }
            case AttemptProgress row -> {}
            case MachineRow row -> {
                markRestored(row.key().site());
                reviews.requestLeaseReview(inventory.put(row));
            }
            case ClusterRow row -> calendars.setTimeZone(inventory.put(row), row.timeZone());
            case WatcherHeartbeat row -> {
                markRestored(row.site());
                inventory.site(row.site()).put(row);
            }
            case CampaignStatus row -> {
                if (rollouts.put(row)) {
                    calendars.change();
                    reviews.requestAllLeaseReviews();
                }
            }
            case WaveStatus row -> calendars.setExpectedDuration(rollouts.put(row));
            case Campaign row -> campaigns.put(row.name(), row);
            case OperatorOrder row -> {
                orders.put(row);
                siteBoard.touch(row.key());
                reviews.requestAllLeaseReviews();
            }
            case LastAcceptedPolicy row -> putPolicy(row.policy().scope(), row.policy());
            case UpgradeIntent row -> putIntent(row.object(), row);
            case IntentStatus row -> objects.put(row.object(), row);
            case ClusterUpgrade row -> putUpgrade(row.cluster(), row);
            case SiteStatus row -> {
                inventory.site(row.site()).putStatus(row);
                siteBoard.touch(row.site());
                reviews.requestAllLeaseReviews();
            }
            case SiteHead row -> putHead(row.site(), row);
            case RejectedRecord row -> putRejected(row.key(), row);
            case TimeZoneRules row -> {
                zones.put(row.timeZone(), row);
                calendars.put(row.timeZone(), row);
            }
            case UpgradePolicy row -> {
                // Only the accepted row counts.
            }
            case JournalRecord row -> {
                // The journal only repeats the rows.
            }
            case Tombstone tombstone -> remove(tombstone.rowKey());
        }
    }

    private void remove(RowKey at) {
        EntityKey key = at.key();
        switch (at.table()) {
            case INVENTORY -> removeInventory(key);
            case INTENTS -> putIntent((ObjectKey) key, null);
            case STATUS -> removeStatus(key);
            case CAMPAIGNS -> {
                campaigns.remove((CampaignName) key);
                rollouts.touch((CampaignName) key);
            }
            case ORDERS, APPROVALS, FREEZES, AUDITOR_ORDERS -> {
                orders.remove(at);
                siteBoard.touch((OperatorOrderKey) key);
                reviews.requestAllLeaseReviews();
            }
            case CAMPAIGN_STATUS -> removeCampaignStatus(key);
            case REJECTED -> putRejected((RejectedRecordKey) key, null);
            case HEAD, COMMANDS, PROGRESS, POLICIES, JOURNAL, LEADER -> {
                // A site's head row is deleted by hand when the site is removed. The fleet's head row is never deleted,
                // and the rest is not stored.
                if (key instanceof SiteId site && at.table() == Table.HEAD) {
                    putHead(site, null);
                }
            }
        }
    }

    private void removeInventory(EntityKey key) {
        switch (key) {
            case MachineKey machine -> {
                inventory.remove(machine);
                int row = inventory.machines().find(machine);
                if (row >= 0) {
                    reviews.requestLeaseReview(row);
                }
            }
            case ClusterKey cluster -> calendars.setTimeZone(inventory.remove(cluster), null);
            case SiteId site -> inventory.site(site).removeHeartbeat();
            default -> throw new IllegalArgumentException("no inventory row is called " + key);
        }
    }

    private void removeStatus(EntityKey key) {
        switch (key) {
            case MachineKey machine -> {
                int row = inventory.machines().find(machine);
                if (row >= 0) {
                    reviews.remove(row);
                    preparations.remove(row);
                    inventory.removeStatus(row);
                }
            }
            case SiteId site -> inventory.site(site).putStatus(null);
            case ClusterUpgradeKey upgrade -> putUpgrade(upgrade.cluster(), null);
            case ObjectKey object -> objects.put(object, null);
            default -> throw new IllegalArgumentException("no status row is called " + key);
        }
    }

    private void removeCampaignStatus(EntityKey key) {
        switch (key) {
            case CampaignName name -> {
                rollouts.remove(name);
                reviews.requestAllLeaseReviews();
            }
            case WaveKey wave -> rollouts.removeWave(wave);
            case PolicyScope scope -> putPolicy(scope, null);
            case TimeZoneName zone -> {
                zones.remove(zone);
                calendars.put(zone, null);
            }
            default -> throw new IllegalArgumentException("no campaign status row is called " + key);
        }
    }

    private void putHead(SiteId site, @Nullable SiteHead row) {
        if (unread.put(inventory.site(site), row)) {
            inventory.touchAll();
            reviews.requestAllLeaseReviews();
            rollouts.touchAll();
        }
    }

    private void putStatus(MachineStatus row) {
        int machine = inventory.put(row);
        reviews.scheduleTimer(machine);
        preparations.schedule(machine);
        reviews.requestLeaseReview(machine);
    }

    private void putUpgrade(ClusterKey cluster, @Nullable ClusterUpgrade row) {
        inventory.putUpgrade(cluster, row);
        reviews.requestAllLeaseReviews();
    }

    private void putRejected(RejectedRecordKey key, @Nullable RejectedRecord row) {
        rejected.put(key, row);
        inventory.opened().noteChangeOfAll();
    }

    private void putPolicy(PolicyScope scope, @Nullable UpgradePolicy policy) {
        if (policy == null) {
            policies.remove(scope);
        } else {
            policies.put(scope, policy);
        }
        calendars.change();
        inventory.machines().providerRules().apply(scope, policy);
        inventory.sites().keySet().forEach(this::applyIntentRule);
        reviews.rescheduleTimers();
        reviews.requestAllLeaseReviews();
        inventory.touchAll();
    }

    private void applyIntentRule(SiteId site) {
        siteBoard.touch(site);
        SiteIntentsRollout known = rollouts.intents().get(site);
        if (known != null) {
            rollouts.applyIntentRule(known, SiteIntentsRollout.rule(policies.get(FleetScope.FLEET), policies.get(site)))
                    .forEach(objects::touch);
        }
    }

    private void putIntent(ObjectKey object, @Nullable UpgradeIntent intent) {
        SiteIntentsRollout site = rollouts.intents(object.site());
        site.put(object, intent);
        applyIntentRule(object.site());
        switch (object) {
            case MachineKey machine -> {
                int row = inventory.machines().find(machine);
                if (row >= 0) {
                    inventory.touch(row);
                }
            }
            case ClusterKey cluster -> inventory.touch(inventory.cluster(cluster));
            case OwnerKey owner ->
                inventory.machines().owners().setIntent(owner, intent).forEach(inventory::touch);
        }
        // The status of a deleted machine was kept for an intent and may no longer be needed.
        inventory.touchPlaceholder(object.site());
        objects.touch(object);
        reviews.requestAllLeaseReviews();
    }

    @Nullable
    UpgradeIntent intent(ObjectKey object, Table table) {
        SiteIntentsRollout site = table == Table.INTENTS ? rollouts.intents().get(object.site()) : null;
        return site == null ? null : site.intent(object);
    }

    /** Marks a site as restored; returns whether that is new. */
    boolean markRestored(SiteId id) {
        SiteState site = inventory.site(id);
        if (site.isRestored()) {
            return false;
        }
        site.markRestored();
        inventory.opened().noteChangeOfAll();
        siteBoard.touch(id);
        rejected.restoreAcceptedOf(id);
        return true;
    }

    /** The current status of an object's intent; null if it has none, or if it is a machine, which has its own row. */
    @Nullable
    IntentStatus currentIntentStatus(ObjectKey object) {
        if (rejected.isParked(object)) {
            return objects.get(object);
        }
        UpgradeIntent intent = intent(object, Table.INTENTS);
        boolean isAllowed = rollouts.intents(object.site()).ifAllowed(intent) != null;
        if (intent == null || object instanceof MachineKey) {
            return null;
        }
        List<MachineView> machines = machinesOf(object);
        boolean isFollowed = isAllowed && SiteIntentsRollout.isApplicable(intent.target(), machines);
        return IntentProgressCounter.count(intent, isFollowed, machines);
    }

    /** The machines that an intent of an object is about. */
    List<MachineView> machinesOf(ObjectKey object) {
        return switch (object) {
            case MachineKey machine -> {
                int row = inventory.machines().find(machine);
                MachineView view = new MachineView(inventory.machines(), row);
                yield row >= 0 && view.isPresent() ? List.of(view) : List.of();
            }
            case OwnerKey owner -> inventory.machinesOf(owner);
            case ClusterKey cluster -> {
                ClusterState known = inventory.clusters().get(cluster);
                yield known == null ? List.of() : machines(known);
            }
        };
    }

    List<MachineView> machines(ClusterState cluster) {
        List<MachineView> machines = new ArrayList<>(cluster.size());
        for (int i = 0; i < cluster.size(); i++) {
            machines.add(new MachineView(inventory.machines(), cluster.member(i)));
        }
        return machines;
    }
}
