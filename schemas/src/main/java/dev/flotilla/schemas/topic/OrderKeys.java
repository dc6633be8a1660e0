package dev.flotilla.schemas.topic;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.Names;
import dev.flotilla.schemas.id.OrderKey;
import dev.flotilla.schemas.id.SiteId;
import org.jspecify.annotations.Nullable;

/** The keys of orders, as texts. */
public final class OrderKeys {
    private OrderKeys() {}

    /** The key that a text is, of an order that belongs on a table; or null. */
    static @Nullable OrderKey parse(Table table, String text) {
        OrderKey key = parse(text);
        return key != null && key.belongsOn(table) ? key : null;
    }

    /** The order's key that a text is, on whichever table it belongs; or null. */
    public static @Nullable OrderKey parse(String text) {
        if (text.equals("fleet/freeze")) {
            return new OrderKey.FleetFreeze();
        }
        if (text.equals("fleet/adopt")) {
            return new OrderKey.AdoptFleet();
        }
        String[] parts = text.split("/", 3);
        if (parts[0].equals("site")) {
            return parts.length == 3 && Names.problemOfOwnName(parts[1]) == null
                    ? ofSite(new SiteId(parts[1]), parts[2])
                    : null;
        }
        CampaignName campaign = Keys.campaign(parts[0]);
        if (campaign == null || parts.length < 2) {
            return null;
        }
        return parts.length == 2 ? plain(campaign, parts[1]) : about(campaign, parts[1], parts[2]);
    }

    private static @Nullable OrderKey ofSite(SiteId site, String what) {
        return switch (what) {
            case "freeze" -> new OrderKey.SiteFreeze(site);
            case "accept-removal" -> new OrderKey.AcceptRemoval(site);
            case "write-off" -> new OrderKey.WriteOff(site);
            case "adopt" -> new OrderKey.AdoptSite(site);
            default -> null;
        };
    }

    private static @Nullable OrderKey plain(CampaignName campaign, String what) {
        return switch (what) {
            case "state" -> new OrderKey.State(campaign);
            case "overlap" -> new OrderKey.Overlap(campaign);
            case "retry" -> new OrderKey.Retry(campaign);
            default -> null;
        };
    }

    private static @Nullable OrderKey about(CampaignName campaign, String what, String whom) {
        if (what.equals("approve")) {
            return Names.problemOfLabel(whom) == null ? new OrderKey.Approve(campaign, whom) : null;
        }
        MachineKey machine = what.equals("skip") ? Keys.machine(whom) : null;
        return machine == null ? null : new OrderKey.Skip(campaign, machine);
    }
}
