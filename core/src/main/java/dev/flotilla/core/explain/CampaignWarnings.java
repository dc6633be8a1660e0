package dev.flotilla.core.explain;

import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.Frozen;
import dev.flotilla.core.fleet.Site;
import dev.flotilla.core.fleet.WaveCount;
import dev.flotilla.core.gate.CampaignPolicy;
import dev.flotilla.core.gate.Gates;
import dev.flotilla.core.intake.CampaignMandate;
import dev.flotilla.core.intake.EditReview;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.TimeZoneName;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.CampaignConstraints;
import dev.flotilla.schemas.row.MaintenanceWindow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** What an operator should know of a campaign that is accepted and starts less than its file asks for. */
public final class CampaignWarnings {
    /** More names than these help nobody who has mistyped one. */
    private static final int MOST_SITES = 10;
    /** Frozen sites that are told one by one. */
    private static final int MOST_FROZEN = 2;

    private CampaignWarnings() {}

    /** Those of a campaign as it stands, of a state that has been settled; none of one that is over. */
    public static List<CampaignWarning> of(FleetState state, CampaignRollout campaign, Instant now) {
        List<CampaignWarning> warnings = new ArrayList<>();
        if (campaign.over()) {
            return warnings;
        }
        freezes(state, campaign, warnings);
        policy(state, campaign, warnings);
        ofItsTerms(state, campaign, now, warnings);
        sites(state, "", campaign.spec().selection().sites(), warnings);
        for (WaveCount wave : campaign.waves()) {
            sites(state, " in wave " + wave.wave().name(), wave.wave().sites(), warnings);
        }
        if (!state.isPartlyUnread(campaign)) {
            machines(campaign, warnings);
        }
        return warnings;
    }

    /** Those that a campaign would have if it were accepted now. The state is the caller's no more. */
    public static List<CampaignWarning> ifAccepted(FleetState state, Gates gates, Campaign row, Instant now) {
        CampaignRollout known = state.rollout(row.name());
        CampaignStatus before = known == null ? null : known.status();
        List<CampaignWarning> warnings = new ArrayList<>();
        if (known != null && !known.over()) {
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
        state.settle(gates, now);
        CampaignRollout campaign = Objects.requireNonNull(state.rollout(row.name()));
        for (WaveCount unbound = WaveCount.firstUnbound(campaign.waves());
                unbound != null;
                unbound = WaveCount.firstUnbound(campaign.waves())) {
            state.put(unbound.row(campaign).withShare(state.boundOf(campaign, unbound)));
            state.settle(gates, now);
        }
        CampaignMandate.Breach breach = CampaignMandate.of(state.policy(FleetScope.FLEET), row);
        if (breach != null) {
            warnings.add(new CampaignWarning(
                    CampaignWarning.Kind.POLICY,
                    "has " + breach.value() + " in " + breach.path() + ": " + breach.says()));
        }
        for (CampaignWarning warning : of(state, campaign, now)) {
            if (breach == null || warning.kind() != CampaignWarning.Kind.POLICY) {
                warnings.add(warning);
            }
        }
        return warnings;
    }

    private static void approvals(
            FleetState state, CampaignRollout known, Campaign edited, List<CampaignWarning> into) {
        List<String> ended = EditReview.ended(state, known, edited);
        if (!ended.isEmpty()) {
            into.add(new CampaignWarning(
                    CampaignWarning.Kind.APPROVALS,
                    "loses by this edit the approval " + String.join(", and the approval ", ended)
                            + ": an approval is for the edition that was approved, so approve the new one"));
        }
    }

    private static void freezes(FleetState state, CampaignRollout campaign, List<CampaignWarning> into) {
        OperatorOrder stop = state.orders().closing(new OperatorOrderKey.FreezeFleet());
        UpgradePolicy policy = state.policy(FleetScope.FLEET);
        if (Frozen.is(stop, policy)) {
            into.add(new CampaignWarning(
                    CampaignWarning.Kind.FREEZE, "starts nothing: " + Frozen.text("the fleet", stop, policy)));
            return;
        }
        List<SiteId> selected = campaign.spec().selection().sites();
        List<String> frozen = state.sites().stream()
                .map(Site::id)
                .filter(site -> selected.isEmpty() || selected.contains(site))
                .filter(site -> Frozen.is(state.orders().closing(new OperatorOrderKey.FreezeSite(site)), state.policy(site)))
                .map(site -> Frozen.text(
                        "starts nothing at site " + site + ", which",
                        state.orders().closing(new OperatorOrderKey.FreezeSite(site)),
                        state.policy(site)))
                .toList();
        if (frozen.size() > MOST_FROZEN) {
            into.add(new CampaignWarning(
                    CampaignWarning.Kind.FREEZE,
                    "starts nothing at " + frozen.size()
                            + " sites, which are frozen: `flotilla site list` names them"));
        } else {
            frozen.forEach(says -> into.add(new CampaignWarning(CampaignWarning.Kind.FREEZE, says)));
        }
    }

    private static void policy(FleetState state, CampaignRollout campaign, List<CampaignWarning> into) {
        String target = CampaignPolicy.targetProblem(state, campaign);
        String large = CampaignPolicy.firstWaveProblem(state, campaign);
        if (target != null) {
            into.add(new CampaignWarning(CampaignWarning.Kind.POLICY, target));
        }
        if (large != null && !campaign.waves().get(0).wave().needsApprovalBefore()) {
            into.add(new CampaignWarning(CampaignWarning.Kind.POLICY, large));
            return;
        }
        for (int i = 0; i < campaign.waves().size(); i++) {
            if (CampaignPolicy.isHeld(state, campaign, campaign.waves().get(i))) {
                into.add(new CampaignWarning(
                        CampaignWarning.Kind.APPROVAL,
                        String.valueOf(CampaignPolicy.approvalProblem(state, campaign, i))));
            }
        }
    }

    private static void ofItsTerms(
            FleetState state, CampaignRollout campaign, Instant now, List<CampaignWarning> into) {
        if (campaign.pastDeadline(now)) {
            into.add(new CampaignWarning(
                    CampaignWarning.Kind.DEADLINE,
                    "starts nothing more: its deadline " + campaign.spec().deadline() + " has passed"));
        }
        CampaignName other = state.contender(campaign);
        if (other != null) {
            into.add(new CampaignWarning(
                    CampaignWarning.Kind.OVERLAP,
                    "waits for campaign " + other
                            + ", which came first and wants some of its machines elsewhere, or for"
                            + " `flotilla campaign approve " + campaign.name() + " --overlap`"));
        }
        CampaignConstraints.CampaignDependency unmet = state.unmet(campaign);
        if (unmet != null) {
            into.add(new CampaignWarning(
                    CampaignWarning.Kind.DEPENDENCY,
                    state.rollout(unmet.campaign()) == null
                            ? "waits for campaign " + unmet.campaign() + ", which does not exist"
                            : "waits until " + unmet.successPercent() + "% of campaign " + unmet.campaign()
                                    + " have succeeded"));
        }
        for (MaintenanceWindow window : campaign.spec().constraints().windows()) {
            TimeZoneName zone = window.timeZone();
            if (zone != null && state.zones().contains(zone) && !state.knows(zone)) {
                into.add(new CampaignWarning(
                        CampaignWarning.Kind.ZONE,
                        "has a window in time zone " + zone + ", which is unknown: that window never opens"));
            }
        }
    }

    private static void sites(FleetState state, String where, Collection<SiteId> sites, List<CampaignWarning> into) {
        for (SiteId site : sites) {
            if (state.site(site) == null) {
                into.add(new CampaignWarning(
                        CampaignWarning.Kind.SITE,
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
            into.add(new CampaignWarning(CampaignWarning.Kind.NO_MACHINES, "selects no machine"));
            return;
        }
        List<WaveCount> waves = campaign.waves();
        if (WaveCount.firstUnbound(waves) != null) {
            return;
        }
        for (WaveCount wave : waves.subList(0, waves.size() - 1)) {
            if (wave.total() == 0) {
                into.add(new CampaignWarning(
                        CampaignWarning.Kind.EMPTY_WAVE,
                        "has no machine in wave " + wave.wave().name()));
            }
        }
    }
}
