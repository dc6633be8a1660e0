package dev.flotilla.core.attempt;

import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.CampaignStatus.ResolvedTarget;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Records what a campaign's target resolves to in each site. All sites share the campaign's row, so each has limited
 * room: texts that are too long, or too many architectures, are not recorded, and a site without a resolved target
 * starts one machine at a time.
 */
final class ResolvedTargetUpdater {
    private ResolvedTargetUpdater() {}

    /** The resolved targets after a machine has shown its revision; unchanged if it adds nothing. */
    static List<ResolvedTarget> withResolvedTarget(
            CampaignRollout campaign, MachineView machine, AttemptReport.Succeeded shown) {
        List<ResolvedTarget> known = campaign.status().resolvedTargets();
        String architecture = machine.architecture();
        String revision = resolvedRevision(campaign.spec().target().option(), shown);
        if (revision == null || architecture == null) {
            return known;
        }
        for (ResolvedTarget resolvedTarget : known) {
            if (isOf(resolvedTarget, machine, architecture)) {
                boolean addsVersion = resolvedTarget.version() == null
                        && shown.version() != null
                        && resolvedTarget.revision().equals(revision);
                if (!addsVersion) {
                    return known;
                }
            }
        }
        List<ResolvedTarget> next = new ArrayList<>(known);
        next.removeIf(resolvedTarget -> isOf(resolvedTarget, machine, architecture));
        ResolvedTarget resolved = new ResolvedTarget(architecture, revision, shown.version(), machine.site());
        next.add(resolved);
        return resolved.isShort() && isWithinLimits(next, machine) ? next : known;
    }

    private static boolean isOf(ResolvedTarget resolvedTarget, MachineView machine, String architecture) {
        return resolvedTarget.appliesTo(machine.site())
                && resolvedTarget.architecture().equals(architecture);
    }

    private static boolean isWithinLimits(List<ResolvedTarget> next, MachineView machine) {
        int chars = 0;
        int ofSite = 0;
        for (ResolvedTarget resolvedTarget : next) {
            chars += resolvedTarget.chars();
            ofSite += resolvedTarget.appliesTo(machine.site()) ? 1 : 0;
        }
        return ofSite <= CampaignStatus.MAX_RESOLVED_TARGETS_PER_SITE
                && chars <= CampaignStatus.MAX_RESOLVED_TARGET_CHARS;
    }

    /** The revision that the target resolves to; null if the report adds nothing. */
    private static @Nullable String resolvedRevision(UpgradeTarget target, AttemptReport.Succeeded shown) {
        return switch (target) {
            case UpgradeTarget.Channel channel -> shown.revision();
            case UpgradeTarget.Revision revision -> shown.version() == null ? null : revision.revision();
            // Each node numbers the file by itself: only the version is of use.
            case UpgradeTarget.LocalPath path -> shown.version() == null ? null : shown.revision();
            // They resolve to themselves, and their nodes show no revision.
            case UpgradeTarget.KubernetesRelease release -> null;
            case UpgradeTarget.MachineSpecHash hash -> null;
        };
    }
}
