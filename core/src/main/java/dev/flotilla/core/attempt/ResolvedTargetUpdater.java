package dev.flotilla.core.attempt;

import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.MachineView;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.CampaignStatus.ResolvedTarget;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a campaign's target has turned out to mean in a site. All sites share the campaign's row, so each may say little: what
 * is longer, or of more architectures, teaches nothing, and what nobody has taught a site goes there one machine at a time.
 */
final class ResolvedTargetUpdater {
    private ResolvedTargetUpdater() {}

    /** What is known once a machine has shown this; the same as before where it teaches nothing. */
    static List<ResolvedTarget> withResolvedTarget(
            CampaignRollout campaign, MachineView machine, AttemptReport.Succeeded shown) {
        List<ResolvedTarget> known = campaign.status().resolvedTargets();
        String architecture = machine.architecture();
        String revision = meant(campaign.spec().target(), shown);
        if (revision == null || architecture == null) {
            return known;
        }
        List<ResolvedTarget> next = new ArrayList<>(known);
        for (ResolvedTarget resolvedTarget : known) {
            if (resolvedTarget.appliesTo(machine.site())
                    && resolvedTarget.architecture().equals(architecture)) {
                boolean tellsMore = resolvedTarget.version() == null
                        && shown.version() != null
                        && resolvedTarget.revision().equals(revision);
                if (!tellsMore) {
                    return known;
                }
                next.remove(resolvedTarget);
            }
        }
        ResolvedTarget lesson = new ResolvedTarget(architecture, revision, shown.version(), machine.site());
        next.add(lesson);
        return lesson.isShort() && fits(next, machine) ? next : known;
    }

    private static boolean fits(List<ResolvedTarget> next, MachineView machine) {
        int chars = 0;
        int ofSite = 0;
        for (ResolvedTarget each : next) {
            chars += each.chars();
            ofSite += each.appliesTo(machine.site()) ? 1 : 0;
        }
        return ofSite <= CampaignStatus.MAX_LEARNED_OF_A_SITE && chars <= CampaignStatus.MAX_LEARNED_CHARS;
    }

    /** The revision that the target means; null where this does not tell anything that is not known. */
    private static @Nullable String meant(UpgradeTarget target, AttemptReport.Succeeded shown) {
        return switch (target) {
            case UpgradeTarget.Channel channel -> shown.revision();
            case UpgradeTarget.Revision revision -> shown.version() == null ? null : revision.revision();
            case UpgradeTarget.LocalPath path -> null;
        };
    }
}
