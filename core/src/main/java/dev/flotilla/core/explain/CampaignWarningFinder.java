package dev.flotilla.core.explain;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.inventory.SiteState;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.rollout.FreezeRule;
import dev.flotilla.core.fleet.rollout.WaveProgress;
import dev.flotilla.core.fleet.start.StartCandidate;
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
import dev.flotilla.schemas.row.CampaignDependency;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.MaintenanceWindow;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.UpgradeProvider;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** Finds the reasons why an accepted campaign starts less than its manifest asks for. */
public final class CampaignWarningFinder {
    /** Maximum number of known sites that a warning lists. */
    private static final int MAX_LISTED_SITES = 10;
    /** Maximum number of frozen sites with a warning of their own. */
    private static final int MAX_FROZEN_WARNINGS = 2;

    private CampaignWarningFinder() {}

    /** The warnings of a campaign; none if it is over. The derived state must be up to date. */
    public static List<CampaignWarning> findWarnings(FleetState state, CampaignRollout campaign, Instant now) {
        List<CampaignWarning> warnings = new ArrayList<>();
        if (campaign.isOver()) {
            return warnings;
        }
        addFreezeWarnings(state, campaign, warnings);
        addPolicyWarnings(state, campaign, warnings);
        addConstraintWarnings(state, campaign, now, warnings);
        addUnknownSiteWarnings(state, "", campaign.spec().select().sites(), warnings);
        for (WaveProgress wave : campaign.waves()) {
            addUnknownSiteWarnings(
                    state, " in wave " + wave.wave().name(), wave.wave().sites(), warnings);
        }
        if (!state.isPartlyUnrestored(campaign)) {
            addEmptySelectionWarnings(campaign, warnings);
        }
        return warnings;
    }

    /**
     * The warnings that a campaign would have if it were accepted now. Changes the given state, which must not be used
     * afterwards.
     */
    public static List<CampaignWarning> findIfAccepted(FleetState state, GateChain gates, Campaign row, Instant now) {
        CampaignRollout current = state.rollout(row.name());
        CampaignStatus before = current == null ? null : current.status();
        List<CampaignWarning> warnings = new ArrayList<>();
        if (current != null && !current.isOver()) {
            addEndedApprovalWarning(state, current, row, warnings);
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
        for (WaveProgress unsized = WaveProgress.firstWithoutShare(campaign.waves());
                unsized != null;
                unsized = WaveProgress.firstWithoutShare(campaign.waves())) {
            state.put(campaign.rowOf(unsized).withShare(state.waveShareOf(campaign, unsized)));
            state.refreshDerivedState(gates, now);
        }
        CampaignPolicyValidator.CampaignRuleViolation violation = CampaignPolicyValidator.firstViolation(state, row);
        if (violation != null) {
            warnings.add(new CampaignWarning(
                    CampaignWarning.WarningKind.POLICY,
                    "has " + violation.value() + " in " + violation.path() + ": " + violation.message()));
        }
        addProviderWarning(state, campaign, now, warnings);
        for (CampaignWarning warning : Arrays.asList(
                ClusterApiWarningFinder.find(state, campaign, now),
                PreparationWarningFinder.find(state, campaign, now))) {
            if (warning != null) {
                warnings.add(warning);
            }
        }
        for (CampaignWarning warning : findWarnings(state, campaign, now)) {
            if (violation == null || warning.kind() != CampaignWarning.WarningKind.POLICY) {
                warnings.add(warning);
            }
        }
        return warnings;
    }

    private static void addEndedApprovalWarning(
            FleetState state, CampaignRollout current, Campaign edited, List<CampaignWarning> into) {
        List<String> ended = EditApprovalReset.describeEndedApprovals(state, current, edited);
        if (!ended.isEmpty()) {
            into.add(
                    new CampaignWarning(
                            CampaignWarning.WarningKind.APPROVALS,
                            "loses by this edit the approval " + String.join(", and the approval ", ended)
                                    + ": an approval counts only for the content that was approved, so approve the new content"));
        }
    }

    /** Warns of members that wait because their provider cannot apply the target. It looks at every machine. */
    private static void addProviderWarning(
            FleetState state, CampaignRollout campaign, Instant now, List<CampaignWarning> into) {
        UpgradeTarget target = campaign.spec().target().option();
        int machines = 0;
        String example = "";
        for (ClusterState cluster : state.clusters()) {
            for (MachineView machine : state.machines(cluster)) {
                StartCandidate member =
                        machine.provider().canApply(target) ? null : state.candidateOf(campaign, machine, now);
                if (member != null && member.progressState().isWaiting()) {
                    example = machines++ == 0
                            ? machine.key() + ", provider " + machine.provider().label()
                            : example;
                }
            }
        }
        if (machines > 0) {
            into.add(new CampaignWarning(
                    CampaignWarning.WarningKind.PROVIDER,
                    "selects " + machines + (machines == 1 ? " machine" : " machines") + " to which nothing applies "
                            + target + " (" + example + "): leave them out with select.providers: ["
                            + listProviders(target) + "]"));
        }
    }

    private static String listProviders(UpgradeTarget target) {
        return Arrays.stream(UpgradeProvider.values())
                .filter(provider -> provider.canApply(target))
                .map(UpgradeProvider::label)
                .collect(Collectors.joining(", "));
    }

    private static void addFreezeWarnings(FleetState state, CampaignRollout campaign, List<CampaignWarning> into) {
        OperatorOrder freezeOrder = state.orders().anyFreeze(new OperatorOrderKey.FreezeFleet());
        UpgradePolicy policy = state.policy(FleetScope.FLEET);
        if (FreezeRule.isFrozen(freezeOrder, policy)) {
            into.add(new CampaignWarning(
                    CampaignWarning.WarningKind.FREEZE,
                    "starts nothing: " + FreezeRule.describe("the fleet", freezeOrder, policy)));
            return;
        }
        List<SiteId> selected = campaign.spec().select().sites();
        List<String> frozen = state.sites().stream()
                .map(SiteState::id)
                .filter(site -> selected.isEmpty() || selected.contains(site))
                .filter(site -> FreezeRule.isFrozen(
                        state.orders().anyFreeze(new OperatorOrderKey.FreezeSite(site)), state.policy(site)))
                .map(site -> FreezeRule.describe(
                        "starts nothing at site " + site + ", which",
                        state.orders().anyFreeze(new OperatorOrderKey.FreezeSite(site)),
                        state.policy(site)))
                .toList();
        if (frozen.size() > MAX_FROZEN_WARNINGS) {
            into.add(new CampaignWarning(
                    CampaignWarning.WarningKind.FREEZE,
                    "starts nothing at " + frozen.size()
                            + " sites, which are frozen: `flotilla site list` names them"));
        } else {
            frozen.forEach(message -> into.add(new CampaignWarning(CampaignWarning.WarningKind.FREEZE, message)));
        }
    }

    private static void addPolicyWarnings(FleetState state, CampaignRollout campaign, List<CampaignWarning> into) {
        String target = CampaignPolicyStartRules.targetProblem(state, campaign);
        String firstWaveProblem = CampaignPolicyStartRules.firstWaveProblem(state, campaign);
        if (target != null) {
            into.add(new CampaignWarning(CampaignWarning.WarningKind.POLICY, target));
        }
        if (firstWaveProblem != null && !campaign.waves().get(0).wave().needsApprovalBefore()) {
            into.add(new CampaignWarning(CampaignWarning.WarningKind.POLICY, firstWaveProblem));
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

    private static void addConstraintWarnings(
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
                            + ", which has another target for some of its machines; to start now, run"
                            + " `flotilla campaign approve " + campaign.name() + " --overlap --reason TEXT`"));
        }
        CampaignDependency unmetDependency = state.unmetDependency(campaign);
        if (unmetDependency != null) {
            into.add(new CampaignWarning(
                    CampaignWarning.WarningKind.DEPENDENCY,
                    state.rollout(unmetDependency.campaign()) == null
                            ? "waits for campaign " + unmetDependency.campaign() + ", which does not exist"
                            : "waits until " + unmetDependency.successPercent() + "% of campaign "
                                    + unmetDependency.campaign() + " have succeeded"));
        }
        for (MaintenanceWindow window : campaign.spec().windows()) {
            TimeZoneName timeZone = window.timeZone();
            if (timeZone != null && state.neededTimeZones().contains(timeZone) && !state.knowsTimeZone(timeZone)) {
                into.add(new CampaignWarning(
                        CampaignWarning.WarningKind.ZONE,
                        "has a window in time zone " + timeZone + ", which is unknown: that window never opens"));
            }
        }
    }

    private static void addUnknownSiteWarnings(
            FleetState state, String where, Collection<SiteId> sites, List<CampaignWarning> into) {
        for (SiteId site : sites) {
            if (state.site(site) == null) {
                into.add(new CampaignWarning(
                        CampaignWarning.WarningKind.SITE,
                        "names site " + site + where + ", which no watcher has reported; known sites: "
                                + listKnownSites(state)));
            }
        }
    }

    private static String listKnownSites(FleetState state) {
        String names = state.sites().stream()
                .limit(MAX_LISTED_SITES)
                .map(site -> site.id().name())
                .collect(Collectors.joining(", "));
        return state.sites().isEmpty() ? "none" : state.sites().size() > MAX_LISTED_SITES ? names + ", …" : names;
    }

    /** Warns of a campaign or wave without machines. The last wave takes the rest, which may be empty. */
    private static void addEmptySelectionWarnings(CampaignRollout campaign, List<CampaignWarning> into) {
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
