package dev.flotilla.core.attempt;

import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.Machine;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.CampaignStatus.Learned;
import dev.flotilla.schemas.row.Report;
import dev.flotilla.schemas.row.UpgradeOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a campaign's target has turned out to mean in a site. All sites share the campaign's row, so each may say little: what
 * is longer, or of more architectures, teaches nothing, and what nobody has taught a site goes there one machine at a time.
 */
final class Learning {
    private Learning() {}

    /** What is known once a machine has shown this; the same as before where it teaches nothing. */
    static List<Learned> after(CampaignRollout campaign, Machine machine, Report.Succeeded shown) {
        List<Learned> known = campaign.status().learned();
        String architecture = machine.architecture();
        String revision = meant(campaign.spec().target(), shown);
        if (revision == null || architecture == null) {
            return known;
        }
        List<Learned> next = new ArrayList<>(known);
        for (Learned learned : known) {
            if (learned.isOf(machine.site()) && learned.architecture().equals(architecture)) {
                boolean tellsMore = learned.version() == null
                        && shown.version() != null
                        && learned.revision().equals(revision);
                if (!tellsMore) {
                    return known;
                }
                next.remove(learned);
            }
        }
        Learned lesson = new Learned(architecture, revision, shown.version(), machine.site());
        next.add(lesson);
        return lesson.isShort() && fits(next, machine) ? next : known;
    }

    private static boolean fits(List<Learned> next, Machine machine) {
        int chars = 0;
        int ofSite = 0;
        for (Learned each : next) {
            chars += each.chars();
            ofSite += each.isOf(machine.site()) ? 1 : 0;
        }
        return ofSite <= CampaignStatus.MAX_LEARNED_OF_A_SITE && chars <= CampaignStatus.MAX_LEARNED_CHARS;
    }

    /** The revision that the target means; null where this does not tell anything that is not known. */
    private static @Nullable String meant(UpgradeOption target, Report.Succeeded shown) {
        return switch (target) {
            case UpgradeOption.Channel channel -> shown.revision();
            case UpgradeOption.Revision revision -> shown.version() == null ? null : revision.revision();
            case UpgradeOption.LocalPath path -> null;
        };
    }
}
