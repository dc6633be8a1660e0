package dev.flotilla.simulator.check;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.UpgradePolicy.CampaignRule;
import dev.flotilla.schemas.row.UpgradePolicy.RequiredApproval;
import dev.flotilla.schemas.row.Wave;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the fleet's policy says of campaigns holds when one is accepted, and when one starts a machine. */
final class CampaignPolicyInvariants {
    private static final CountOrPercent USUAL_FIRST_WAVE = new CountOrPercent.Percent(10);

    private final ReferenceFleetState rows;
    private final ViolationLog violationLog;
    private final RolloutMembers rolloutMembers;
    private final ClusterWaveAssignment clusters;

    CampaignPolicyInvariants(ReferenceFleetState rows, ViolationLog violationLog, RolloutMembers rolloutMembers) {
        this.rows = rows;
        this.violationLog = violationLog;
        this.rolloutMembers = rolloutMembers;
        this.clusters = new ClusterWaveAssignment(rows, rolloutMembers);
    }

    private CampaignRule rule() {
        UpgradePolicy fleet = rows.policy(FleetScope.FLEET);
        return fleet == null ? CampaignRule.NONE : fleet.campaignRule();
    }

    /** What is accepted is what the fleet's policy allows then. */
    void checkAcceptance(CampaignStatus campaign, @Nullable CampaignStatus before) {
        if (before != null && before.acceptedCampaign().equals(campaign.acceptedCampaign())) {
            return;
        }
        CampaignSpec spec = campaign.acceptedCampaign().spec();
        Wave first = spec.waves().getFirst();
        RequiredApproval required = rule().requireApproval();
        boolean approved = required == null
                || first.needsApprovalBefore()
                || (required == RequiredApproval.AFTER_FIRST_WAVE
                        && spec.waves().size() > 1
                        && (first.needsApprovalAfter() || spec.waves().get(1).needsApprovalBefore()));
        violationLog.require(
                isTargeted(spec) && approved,
                Invariant.MANDATE,
                "campaign " + campaign.name() + " to " + spec.target() + " was accepted against " + rule());
    }

    /** Nothing begins against the policy, also where the campaign was accepted before it. */
    void checkStart(MachineRow machine, CampaignStatus campaign, String wave) {
        CampaignSpec spec = campaign.acceptedCampaign().spec();
        violationLog.require(
                isTargeted(spec),
                Invariant.MANDATE,
                machine.key() + " started for campaign " + campaign.name() + " to " + spec.target() + " against "
                        + rule());
        RequiredApproval required = rule().requireApproval();
        if (required == null || rows.grantedApprovals().isApprovedOfAnyWave(campaign)) {
            return;
        }
        boolean first = required == RequiredApproval.AFTER_FIRST_WAVE
                && spec.waves().size() > 1
                && spec.waves().getFirst().name().equals(wave);
        String large = first ? tooLarge(campaign) : null;
        violationLog.require(
                first && large == null,
                first ? Invariant.FIRST_WAVE : Invariant.MANDATE,
                machine.key() + " started in wave " + wave + " of campaign " + campaign.name()
                        + (large == null ? ", and nobody has approved of any" : large));
    }

    /** Whether it may lead where it leads, and no approval is required that it has not. */
    boolean permitsWithoutApproval(CampaignStatus campaign) {
        return isTargeted(campaign.acceptedCampaign().spec())
                && (rule().requireApproval() == null || rows.grantedApprovals().isApprovedOfAnyWave(campaign));
    }

    private boolean isTargeted(CampaignSpec spec) {
        List<String> patterns = rule().targetPatterns();
        return patterns.isEmpty()
                || patterns.stream()
                        .anyMatch(pattern -> spec.target()
                                .text()
                                .matches(pattern.replace(".", "\\.")
                                        .replace("?", ".")
                                        .replace("*", ".*")));
    }

    /** What is too large about the first wave of a campaign; null where nothing is. */
    private @Nullable String tooLarge(CampaignStatus campaign) {
        Wave first = campaign.acceptedCampaign().spec().waves().getFirst();
        RolloutRef rolloutRef = new RolloutRef.CampaignRef(campaign.name(), campaign.uid());
        Map<ClusterKey, Wave> waves = clusters.all(campaign);
        Set<ClusterKey> taken = new HashSet<>();
        int own = 0;
        int all = 0;
        for (MachineRow machine : rows.machines()) {
            if (rolloutMembers.isMember(machine, rolloutRef)
                    && !rows.isSiteUnread(machine.key().site())) {
                all++;
                if (first.equals(waves.get(machine.clusterKey()))) {
                    own++;
                    taken.add(machine.clusterKey());
                }
            }
        }
        CountOrPercent said = rule().firstWaveLimit();
        CountOrPercent most = said == null ? USUAL_FIRST_WAVE : said;
        return own <= most.of(all) || isStatedNoLarger(first, most) || taken.size() == 1
                ? null
                : ", which takes " + own + " of " + all + " machines in " + taken.size()
                        + " clusters, and nobody has approved of any: " + rule();
    }

    private static boolean isStatedNoLarger(Wave wave, CountOrPercent most) {
        return wave.size() instanceof CountOrPercent.Percent takes
                && most instanceof CountOrPercent.Percent share
                && takes.percent() <= share.percent();
    }
}
