package dev.flotilla.core.fleet;

import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.EntityKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.RejectedRecordKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.topic.RecordKeyFormat;
import dev.flotilla.schemas.topic.Topic;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rejected records: what they close, and the accepted rows that stay in force. A rejected record under a key of our
 * own tables parks that subject, whose due work fails because of a bug.
 */
public final class RejectedRecordTable {
    private final RowStore rows;
    private final Map<RejectedRecordKey, RejectedRecord> all = new LinkedHashMap<>();
    private final Map<SiteId, Integer> ofSites = new LinkedHashMap<>();
    private final Set<RowKey> unreadable = new LinkedHashSet<>();
    private final Set<EntityKey> parked = new LinkedHashSet<>();

    RejectedRecordTable(RowStore rows) {
        this.rows = rows;
    }

    Collection<RejectedRecord> all() {
        return all.values();
    }

    @Nullable
    RejectedRecord get(RejectedRecordKey key) {
        return all.get(key);
    }

    /** The number of rejected records on the topics of a site. */
    public int countOf(SiteId site) {
        return ofSites.getOrDefault(site, 0);
    }

    private void count(RejectedRecordKey key, int more) {
        Topic topic = Topic.parse(key.topic());
        SiteId site = topic == null ? null : topic.site();
        if (site != null && more != 0) {
            ofSites.merge(site, more, Integer::sum);
        }
    }

    /** Whether the record's key is known: such a record may close something. */
    public boolean isAboutKnown(RejectedRecordKey key) {
        RowKey place = inputRowKey(key);
        if (place == null) {
            return false;
        }
        return switch (place.key()) {
            case MachineKey machine -> rows.inventory.machines().find(machine) >= 0;
            case ClusterKey cluster -> rows.inventory.clusters().containsKey(cluster);
            case OwnerKey owner -> false;
            default -> true;
        };
    }

    boolean isUnreadable(RowKey place) {
        return unreadable.contains(place);
    }

    boolean anyUnreadable() {
        return !unreadable.isEmpty();
    }

    /** Whether a subject is parked. */
    boolean isParked(EntityKey key) {
        return parked.contains(key);
    }

    boolean isParked(int machine) {
        return !parked.isEmpty() && parked.contains(new MachineView(rows.inventory.machines(), machine).key());
    }

    void put(RejectedRecordKey key, @Nullable RejectedRecord row) {
        RowKey place = inputRowKey(key);
        if (row == null) {
            count(key, all.remove(key) == null ? 0 : -1);
        } else {
            count(key, all.put(key, row) == null ? 1 : 0);
            RowChange accepted = row.lastAccepted();
            if (accepted == null && place != null && !row.readable() && isInput(place.table())) {
                // A restoring leader has already put the parked record if it is readable.
                rows.put(new Tombstone(place));
            } else if (accepted != null && !(accepted instanceof OperatorOrder)) {
                putAccepted(accepted);
            }
        }
        if (place != null) {
            rows.orders.keep(place, row == null ? null : row.lastAccepted());
            if (place.key() instanceof OperatorOrderKey order) {
                rows.siteBoard.touch(order);
            }
            mark(place, row != null && !row.readable());
            rows.reviews.requestLeaseReviewsAt(place);
        }
    }

    /** Puts the accepted row of an unreadable record, once the other rows of its site are read. */
    private void putAccepted(RowChange accepted) {
        SiteId site = RecordKeyFormat.siteOf(accepted.rowKey());
        if (site == null || rows.inventory.site(site).isRestored()) {
            rows.put(accepted);
        }
    }

    /** Puts the accepted rows of a site's unreadable records once the site's rows are read. */
    void restoreAcceptedOf(SiteId site) {
        for (RejectedRecord row : all.values()) {
            RowChange accepted = row.lastAccepted();
            if (accepted != null && site.equals(RecordKeyFormat.siteOf(accepted.rowKey()))) {
                rows.put(accepted);
            }
        }
    }

    private static boolean isInput(Table table) {
        return switch (table) {
            case INVENTORY, INTENTS, CAMPAIGNS, ORDERS, APPROVALS, FREEZES, AUDITOR_ORDERS -> true;
            case PROGRESS, POLICIES, STATUS, COMMANDS, CAMPAIGN_STATUS, HEAD, JOURNAL, REJECTED, LEADER -> false;
        };
    }

    private void mark(RowKey place, boolean is) {
        if (is) {
            unreadable.add(place);
        } else {
            unreadable.remove(place);
        }
        if (place.table() == Table.STATUS || place.table() == Table.CAMPAIGN_STATUS) {
            park(place.key(), is);
        } else if (place.table() == Table.INVENTORY && place.key() instanceof MachineKey machine) {
            markMachine(machine);
        } else if (place.table() == Table.INVENTORY && place.key() instanceof ClusterKey cluster) {
            rows.inventory.unreadable(cluster, is);
        }
    }

    private void park(EntityKey key, boolean is) {
        if (is) {
            parked.add(key);
        } else {
            parked.remove(key);
        }
        switch (key) {
            case MachineKey machine -> {
                markMachine(machine);
                int row = rows.inventory.machines().find(machine);
                if (row >= 0) {
                    rows.reviews.reschedule(row);
                    rows.preparations.schedule(row);
                }
            }
            case ObjectKey object -> rows.objects.touch(object);
            case SiteId site -> rows.siteBoard.touch(site);
            default -> {
                // A campaign stays marked as changed, and nothing else has due work.
            }
        }
    }

    private void markMachine(MachineKey machine) {
        rows.inventory.unreadable(
                machine,
                unreadable.contains(new RowKey(Table.INVENTORY, machine))
                        || unreadable.contains(new RowKey(Table.STATUS, machine)));
    }

    /** The row in force under an unreadable record's key. Of a machine only the counted fields are kept. */
    public @Nullable RowChange lastAccepted(RejectedRecordKey key) {
        RowKey place = inputRowKey(key);
        if (place == null) {
            return null;
        }
        return switch (place.key()) {
            case MachineKey machine ->
                place.table() == Table.INVENTORY ? rows.inventory.stub(machine) : intent(machine, place.table());
            case ClusterKey cluster ->
                place.table() == Table.INVENTORY ? clusterRow(cluster) : intent(cluster, place.table());
            case OwnerKey owner -> intent(owner, place.table());
            case OperatorOrderKey order -> rows.orders.get(place);
            case CampaignName campaign -> rows.campaigns.get(campaign);
            case SiteId site -> place.table() == Table.INVENTORY ? rows.inventory.heartbeat(site) : null;
            default -> null;
        };
    }

    /** The key of the input row that a record would have been; null for none. */
    private static @Nullable RowKey inputRowKey(RejectedRecordKey at) {
        Topic topic = Topic.parse(at.topic());
        EntityKey key = topic == null ? null : RecordKeyFormat.parse(topic, at.key());
        return topic == null || key == null ? null : new RowKey(topic.table(), key);
    }

    private @Nullable ClusterRow clusterRow(ClusterKey key) {
        ClusterState known = rows.inventory.clusters().get(key);
        return known == null ? null : known.row();
    }

    private @Nullable UpgradeIntent intent(ObjectKey object, Table table) {
        return table == Table.INTENTS ? rows.intent(object, table) : null;
    }
}
