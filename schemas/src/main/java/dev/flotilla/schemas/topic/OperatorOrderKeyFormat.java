package dev.flotilla.schemas.topic;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.NameValidator;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import org.jspecify.annotations.Nullable;

/** The text form of order keys. */
public final class OperatorOrderKeyFormat {
    private OperatorOrderKeyFormat() {}

    /** Parses the key of an order that belongs on a table; null if the text is no such key. */
    static @Nullable OperatorOrderKey parse(Table table, String text) {
        OperatorOrderKey key = parse(text);
        return key != null && key.belongsOn(table) ? key : null;
    }

    /** Parses the key of an order of any table; null if the text is no such key. */
    public static @Nullable OperatorOrderKey parse(String text) {
        if (text.equals("fleet/freeze")) {
            return new OperatorOrderKey.FreezeFleet();
        }
        if (text.equals("fleet/adopt")) {
            return new OperatorOrderKey.AdoptFleetTopics();
        }
        String[] parts = text.split("/", 3);
        if (parts[0].equals("site")) {
            return parts.length == 3 && NameValidator.problemOfOwnName(parts[1]) == null
                    ? ofSite(new SiteId(parts[1]), parts[2])
                    : null;
        }
        CampaignName campaign = RecordKeyFormat.campaign(parts[0]);
        if (campaign == null || parts.length < 2) {
            return null;
        }
        return parts.length == 2 ? plain(campaign, parts[1]) : about(campaign, parts[1], parts[2]);
    }

    private static @Nullable OperatorOrderKey ofSite(SiteId site, String what) {
        return switch (what) {
            case "freeze" -> new OperatorOrderKey.FreezeSite(site);
            case "accept-removal" -> new OperatorOrderKey.AcceptMassRemoval(site);
            case "write-off" -> new OperatorOrderKey.WriteOffSite(site);
            case "adopt" -> new OperatorOrderKey.AdoptSiteTopics(site);
            default -> null;
        };
    }

    private static @Nullable OperatorOrderKey plain(CampaignName campaign, String what) {
        return switch (what) {
            case "state" -> new OperatorOrderKey.SetCampaignState(campaign);
            case "overlap" -> new OperatorOrderKey.ApproveOverlap(campaign);
            case "retry" -> new OperatorOrderKey.RetryQuarantined(campaign);
            default -> null;
        };
    }

    private static @Nullable OperatorOrderKey about(CampaignName campaign, String what, String whom) {
        if (what.equals("approve")) {
            return NameValidator.problemOfLabel(whom) == null ? new OperatorOrderKey.ApproveWave(campaign, whom) : null;
        }
        MachineKey machine = what.equals("skip") ? RecordKeyFormat.machine(whom) : null;
        return machine == null ? null : new OperatorOrderKey.SkipMachine(campaign, machine);
    }
}
