package dev.flotilla.core.fleet;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.Fleet;
import dev.flotilla.schemas.id.Key;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.Names;
import dev.flotilla.schemas.id.OrderKey;
import dev.flotilla.schemas.id.RejectedKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.topic.Table;
import org.jspecify.annotations.Nullable;

/** What an unreadable record would have been about, as far as that closes something. */
final class Poison {
    private static final String PREFIX = "flotilla.";

    private Poison() {}

    /** The row that cannot be read; null where that closes nothing. */
    static @Nullable RowKey place(RejectedKey at) {
        if (!at.topic().startsWith(PREFIX)) {
            return null;
        }
        String topic = at.topic().substring(PREFIX.length());
        String[] parts = at.key().split("/", -1);
        int dot = topic.indexOf('.');
        if (dot > 0 && topic.substring(0, dot).equals(Table.INVENTORY.label())) {
            return row(Table.INVENTORY, inventory(topic.substring(dot + 1), parts));
        }
        if (topic.equals(Table.POLICIES.label()) && parts.length == 1) {
            Key scope = parts[0].equals("fleet") ? Fleet.FLEET : site(parts[0]);
            return row(Table.POLICIES, scope);
        }
        return topic.equals(Table.ORDERS.label()) ? row(Table.ORDERS, order(parts)) : null;
    }

    private static @Nullable RowKey row(Table table, @Nullable Key key) {
        return key == null ? null : new RowKey(table, key);
    }

    private static @Nullable Key inventory(String siteName, String[] parts) {
        SiteId site = site(siteName);
        if (site == null
                || parts.length != 3
                || Names.problemOfLabel(parts[1]) != null
                || Names.problemOfSubdomain(parts[2]) != null) {
            return null;
        }
        return switch (parts[0]) {
            case "machine" -> new MachineKey(site, parts[1], parts[2]);
            case "cluster" -> new ClusterKey(site, parts[1], parts[2]);
            default -> null;
        };
    }

    private static @Nullable Key order(String[] parts) {
        boolean freeze = parts[parts.length - 1].equals("freeze");
        if (freeze && parts.length == 2 && parts[0].equals("fleet")) {
            return new OrderKey.FleetFreeze();
        }
        if (freeze && parts.length == 3 && parts[0].equals("site")) {
            SiteId site = site(parts[1]);
            return site == null ? null : new OrderKey.SiteFreeze(site);
        }
        boolean state = parts.length == 2 && parts[1].equals("state") && Names.problemOfOwnName(parts[0]) == null;
        return state ? new OrderKey.State(new CampaignName(parts[0])) : null;
    }

    private static @Nullable SiteId site(String name) {
        return Names.problemOfOwnName(name) == null ? new SiteId(name) : null;
    }
}
