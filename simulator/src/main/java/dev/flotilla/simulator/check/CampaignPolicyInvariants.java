package dev.flotilla.simulator.check;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.SiteId;
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

/** A campaign conforms to the fleet's policy when it is accepted, and whenever it starts a machine. */
final class CampaignPolicyInvariants {
    private static final CountOrPercent DEFAULT_FIRST_WAVE = new CountOrPercent.Percent(10);

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

    /** Requires that an accepted campaign conforms to the fleet's policy. */
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
        List<SiteId> sites = spec.select().sites();
        boolean isAllowedPath = sites.isEmpty()
                ? rows.fleetAllowsPath(spec.target().option())
                : sites.stream()
                        .allMatch(site -> rows.allowsPath(site, spec.target().option()));
        violationLog.require(
                allowsTarget(spec) && approved && isAllowedPath,
                Invariant.CAMPAIGN_RULE,
                "campaign " + campaign.name() + " to " + spec.target().option()
                        + " was accepted although the policy forbids it: " + rule());
    }

    /** Requires that no machine starts against the policy, even if the campaign was accepted before the policy. */
    void checkStart(MachineRow machine, CampaignStatus campaign, String wave) {
        CampaignSpec spec = campaign.acceptedCampaign().spec();
        violationLog.require(
                allowsTarget(spec),
                Invariant.CAMPAIGN_RULE,
                machine.key() + " started for campaign " + campaign.name() + " to "
                        + spec.target().option() + ", which the policy forbids: " + rule());
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
                first ? Invariant.FIRST_WAVE : Invariant.CAMPAIGN_RULE,
                machine.key() + " started in wave " + wave + " of campaign " + campaign.name()
                        + (large == null ? " without any approval" : large));
    }

    /** Whether the policy allows its target, and it has every approval that the policy requires. */
    boolean permitsWithoutApproval(CampaignStatus campaign) {
        return allowsTarget(campaign.acceptedCampaign().spec())
                && (rule().requireApproval() == null || rows.grantedApprovals().isApprovedOfAnyWave(campaign));
    }

    private boolean allowsTarget(CampaignSpec spec) {
        List<String> patterns = rule().targetPatterns();
        return patterns.isEmpty()
                || patterns.stream()
                        .anyMatch(pattern -> spec.target()
                                .option()
                                .text()
                                .matches(pattern.replace(".", "\\.")
                                        .replace("?", ".")
                                        .replace("*", ".*")));
    }

    /** What makes the first wave of a campaign too large; null if nothing does. */
    private @Nullable String tooLarge(CampaignStatus campaign) {
        Wave first = campaign.acceptedCampaign().spec().waves().getFirst();
        RolloutRef rolloutRef = new RolloutRef.CampaignRef(campaign.name(), campaign.uid());
        Map<ClusterKey, Wave> waves = clusters.all(campaign);
        Set<ClusterKey> clustersOfWave = new HashSet<>();
        int inWave = 0;
        int all = 0;
        for (MachineRow machine : rows.machines()) {
            if (rolloutMembers.isMember(machine, rolloutRef)
                    && !rows.isSiteUnread(machine.key().site())) {
                all++;
                if (first.equals(waves.get(machine.clusterKey()))) {
                    inWave++;
                    clustersOfWave.add(machine.clusterKey());
                }
            }
        }
        CountOrPercent configured = rule().firstWaveLimit();
        CountOrPercent most = configured == null ? DEFAULT_FIRST_WAVE : configured;
        return inWave <= most.of(all) || isStatedNoLarger(first, most) || clustersOfWave.size() == 1
                ? null
                : ", which takes " + inWave + " of " + all + " machines in " + clustersOfWave.size()
                        + " clusters without any approval: " + rule();
    }

    private static boolean isStatedNoLarger(Wave wave, CountOrPercent most) {
        return wave.size() instanceof CountOrPercent.Percent takes
                && most instanceof CountOrPercent.Percent share
                && takes.percent() <= share.percent();
    }
}
