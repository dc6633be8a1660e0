package dev.flotilla.core.explain;

import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.FreezeRule;
import dev.flotilla.core.fleet.SiteState;
import dev.flotilla.core.fleet.WaveProgress;
import dev.flotilla.core.gate.CampaignPolicyStartRules;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.core.intake.CampaignPolicyValidator;
import dev.flotilla.core.intake.EditApprovalReset;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.TimeZoneName;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignConstraints;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.MaintenanceWindow;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.UpgradePolicy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** What an operator should know of a campaign that is accepted and starts less than its file asks for. */
public final class CampaignWarningFinder {
    /** More names than these help nobody who has mistyped one. */
    private static final int MOST_SITES = 10;
    /** Frozen sites that are told one by one. */
    private static final int MOST_FROZEN = 2;

    private CampaignWarningFinder() {}

    /** Those of a campaign as it stands, of a state that has been settled; none of one that is over. */
    public static List<CampaignWarning> findWarnings(FleetState state, CampaignRollout campaign, Instant now) {
        List<CampaignWarning> warnings = new ArrayList<>();
        if (campaign.isOver()) {
            return warnings;
        }
        freezes(state, campaign, warnings);
        policy(state, campaign, warnings);
        ofItsTerms(state, campaign, now, warnings);
        sites(state, "", campaign.spec().selection().sites(), warnings);
        for (WaveProgress wave : campaign.waves()) {
            sites(state, " in wave " + wave.wave().name(), wave.wave().sites(), warnings);
        }
        if (!state.isPartlyUnrestored(campaign)) {
            machines(campaign, warnings);
        }
        return warnings;
    }

    /** Those that a campaign would have if it were accepted now. The state is the caller's no more. */
    public static List<CampaignWarning> findIfAccepted(FleetState state, GateChain gates, Campaign row, Instant now) {
        CampaignRollout known = state.rollout(row.name());
        CampaignStatus before = known == null ? null : known.status();
        List<CampaignWarning> warnings = new ArrayList<>();
        if (known != null && !known.isOver()) {
            approvals(state, known, row, warnings);
        }
        state.put(
                before == null || before.state().isOver()
                        ? new CampaignStatus(
                                row.name(),
                                state.head().seq() + 1,
                                row,
                                CampaignState.RUNNING,
                                null,
                                now,
                                List.of(),
                                0,
                                List.of())
                        : before.withAcceptedCampaign(row));
        state.refreshDerivedState(gates, now);
        CampaignRollout campaign = Objects.requireNonNull(state.rollout(row.name()));
        for (WaveProgress unbound = WaveProgress.firstWithoutShare(campaign.waves());
                unbound != null;
                unbound = WaveProgress.firstWithoutShare(campaign.waves())) {
            state.put(unbound.row(campaign).withShare(state.waveShareOf(campaign, unbound)));
            state.refreshDerivedState(gates, now);
        }
        CampaignPolicyValidator.CampaignRuleViolation breach =
                CampaignPolicyValidator.firstViolation(state.policy(FleetScope.FLEET), row);
        if (breach != null) {
            warnings.add(new CampaignWarning(
                    CampaignWarning.WarningKind.POLICY,
                    "has " + breach.value() + " in " + breach.path() + ": " + breach.message()));
        }
        for (CampaignWarning warning : findWarnings(state, campaign, now)) {
            if (breach == null || warning.kind() != CampaignWarning.WarningKind.POLICY) {
                warnings.add(warning);
            }
        }
        return warnings;
    }

    private static void approvals(
            FleetState state, CampaignRollout known, Campaign edited, List<CampaignWarning> into) {
        List<String> ended = EditApprovalReset.describeEndedApprovals(state, known, edited);
        if (!ended.isEmpty()) {
            into.add(new CampaignWarning(
                    CampaignWarning.WarningKind.APPROVALS,
                    "loses by this edit the approval " + String.join(", and the approval ", ended)
                            + ": an approval is for the edition that was approved, so approve the new one"));
        }
    }

    private static void freezes(FleetState state, CampaignRollout campaign, List<CampaignWarning> into) {
        OperatorOrder stop = state.orders().closing(new OperatorOrderKey.FreezeFleet());
        UpgradePolicy policy = state.policy(FleetScope.FLEET);
        if (FreezeRule.isFrozen(stop, policy)) {
            into.add(new CampaignWarning(
                    CampaignWarning.WarningKind.FREEZE,
                    "starts nothing: " + FreezeRule.describe("the fleet", stop, policy)));
            return;
        }
        List<SiteId> selected = campaign.spec().selection().sites();
        List<String> frozen = state.sites().stream()
                .map(SiteState::id)
                .filter(site -> selected.isEmpty() || selected.contains(site))
                .filter(site -> FreezeRule.isFrozen(
                        state.orders().closing(new OperatorOrderKey.FreezeSite(site)), state.policy(site)))
                .map(site -> FreezeRule.describe(
                        "starts nothing at site " + site + ", which",
                        state.orders().closing(new OperatorOrderKey.FreezeSite(site)),
                        state.policy(site)))
                .toList();
        if (frozen.size() > MOST_FROZEN) {
            into.add(new CampaignWarning(
                    CampaignWarning.WarningKind.FREEZE,
                    "starts nothing at " + frozen.size()
                            + " sites, which are frozen: `flotilla site list` names them"));
        } else {
            frozen.forEach(says -> into.add(new CampaignWarning(CampaignWarning.WarningKind.FREEZE, says)));
        }
    }

    private static void policy(FleetState state, CampaignRollout campaign, List<CampaignWarning> into) {
        String target = CampaignPolicyStartRules.targetProblem(state, campaign);
        String large = CampaignPolicyStartRules.firstWaveProblem(state, campaign);
        if (target != null) {
            into.add(new CampaignWarning(CampaignWarning.WarningKind.POLICY, target));
        }
        if (large != null && !campaign.waves().get(0).wave().needsApprovalBefore()) {
            into.add(new CampaignWarning(CampaignWarning.WarningKind.POLICY, large));
            return;
        }
        for (int i = 0; i < campaign.waves().size(); i++) {
            if (CampaignPolicyStartRules.isHeld(
                    state, campaign, campaign.waves().get(i))) {
                into.add(new CampaignWarning(
                        CampaignWarning.WarningKind.APPROVAL,
                        String.valueOf(CampaignPolicyStartRules.approvalProblem(state, campaign, i))));
            }
        }
    }

    private static void ofItsTerms(
            FleetState state, CampaignRollout campaign, Instant now, List<CampaignWarning> into) {
        if (campaign.pastDeadline(now)) {
            into.add(new CampaignWarning(
                    CampaignWarning.WarningKind.DEADLINE,
                    "starts nothing more: its deadline " + campaign.spec().deadline() + " has passed"));
        }
        CampaignName other = state.overlappingCampaign(campaign);
        if (other != null) {
            into.add(new CampaignWarning(
                    CampaignWarning.WarningKind.OVERLAP,
                    "waits for campaign " + other
                            + ", which came first and wants some of its machines elsewhere, or for"
                            + " `flotilla campaign approve " + campaign.name() + " --overlap`"));
        }
        CampaignConstraints.CampaignDependency unmet = state.unmetDependency(campaign);
        if (unmet != null) {
            into.add(new CampaignWarning(
                    CampaignWarning.WarningKind.DEPENDENCY,
                    state.rollout(unmet.campaign()) == null
                            ? "waits for campaign " + unmet.campaign() + ", which does not exist"
                            : "waits until " + unmet.successPercent() + "% of campaign " + unmet.campaign()
                                    + " have succeeded"));
        }
        for (MaintenanceWindow window : campaign.spec().constraints().windows()) {
            TimeZoneName zone = window.timeZone();
            if (zone != null && state.neededTimeZones().contains(zone) && !state.knowsTimeZone(zone)) {
                into.add(new CampaignWarning(
                        CampaignWarning.WarningKind.ZONE,
                        "has a window in time zone " + zone + ", which is unknown: that window never opens"));
            }
        }
    }

    private static void sites(FleetState state, String where, Collection<SiteId> sites, List<CampaignWarning> into) {
        for (SiteId site : sites) {
            if (state.site(site) == null) {
                into.add(new CampaignWarning(
                        CampaignWarning.WarningKind.SITE,
                        "names site " + site + where + ", which no watcher has reported; reported are: "
                                + known(state)));
            }
        }
    }

    private static String known(FleetState state) {
        String names = state.sites().stream()
                .limit(MOST_SITES)
                .map(site -> site.id().name())
                .collect(Collectors.joining(", "));
        return state.sites().isEmpty() ? "none" : state.sites().size() > MOST_SITES ? names + ", …" : names;
    }

    /** The last wave takes what is left, which may well be nothing. */
    private static void machines(CampaignRollout campaign, List<CampaignWarning> into) {
        if (campaign.total() == 0) {
            into.add(new CampaignWarning(CampaignWarning.WarningKind.NO_MACHINES, "selects no machine"));
            return;
        }
        List<WaveProgress> waves = campaign.waves();
        if (WaveProgress.firstWithoutShare(waves) != null) {
            return;
        }
        for (WaveProgress wave : waves.subList(0, waves.size() - 1)) {
            if (wave.total() == 0) {
                into.add(new CampaignWarning(
                        CampaignWarning.WarningKind.EMPTY_WAVE,
                        "has no machine in wave " + wave.wave().name()));
            }
        }
    }
}
