package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.explain.CampaignWarning;
import dev.flotilla.core.explain.CampaignWarning.WarningKind;
import dev.flotilla.core.explain.CampaignWarningFinder;
import dev.flotilla.core.explain.RejectedChangeCounter;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RejectedRecordKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.id.TimeZoneName;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.MachineSelection;
import dev.flotilla.schemas.row.MaintenanceWindow;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.TimeZoneRules;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.UpgradePolicy.CampaignRule;
import dev.flotilla.schemas.row.UpgradePolicy.RequiredApproval;
import dev.flotilla.schemas.row.Wave;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A campaign that starts less than its manifest asks for has warnings, before and after it is accepted. */
class CampaignWarningFinderTest {
    private static final CampaignName UP = new CampaignName("up");
    private static final SiteId NOWHERE = new SiteId("nowher");

    private final FleetScenario fleetScenario = FleetScenario.open();

    private List<CampaignWarning> warnings(String name) {
        CampaignRollout campaign = Objects.requireNonNull(fleetScenario.state.rollout(new CampaignName(name)));
        fleetScenario.state.refreshDerivedState(GateChain.standard(), fleetScenario.now);
        return CampaignWarningFinder.findWarnings(fleetScenario.state, campaign, fleetScenario.now);
    }

    private static List<WarningKind> kinds(List<CampaignWarning> warnings) {
        return warnings.stream().map(CampaignWarning::kind).toList();
    }

    @Test
    void findsNoWarningsForAValidCampaign() {
        fleetScenario.cluster("a", 1, 2);
        Campaign campaign = CampaignBuilder.named("up").build();
        fleetScenario.campaign(campaign);

        assertThat(warnings("up")).isEmpty();
    }

    @Test
    void warnsOfAPassedDeadline() {
        fleetScenario.cluster("a", 1, 2);
        fleetScenario.campaign(CampaignBuilder.named("up")
                .deadline(fleetScenario.now.minusSeconds(1))
                .build());

        assertThat(kinds(warnings("up"))).containsExactly(WarningKind.DEADLINE);
        assertThat(warnings("up").get(0).message()).contains("starts nothing more: its deadline ");
    }

    @Test
    void warnsOfAFreezeWithAuthorAndReason() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        fleetScenario.order(new OperatorOrderKey.FreezeSite(FleetScenario.SITE), OperatorOrder.OrderVerb.FREEZE);
        assertThat(kinds(warnings("up"))).containsExactly(WarningKind.FREEZE);
        assertThat(warnings("up").get(0).message())
                .startsWith("starts nothing at site " + FleetScenario.SITE + ", which is frozen by the order of ");
        fleetScenario.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.FREEZE);
        assertThat(warnings("up"))
                .singleElement()
                .satisfies(warning -> assertThat(warning.message())
                        .startsWith("starts nothing: the fleet is frozen by the order of "));
    }

    @Test
    void warnsOfAnOverlapUntilItIsApproved() {
        fleetScenario.cluster("a", 0, 3);
        fleetScenario.campaign(CampaignBuilder.named("first").build());
        fleetScenario.campaign(CampaignBuilder.named("up")
                .target("channel=1.32-classic/stable")
                .allowingDowngrade()
                .build());

        assertThat(kinds(warnings("up"))).containsExactly(WarningKind.OVERLAP);
        assertThat(warnings("up").get(0).message())
                .contains("waits for campaign first", "`flotilla campaign approve up --overlap --reason TEXT`");
        assertThat(warnings("first")).isEmpty();
        fleetScenario.order(new OperatorOrderKey.ApproveOverlap(UP), OperatorOrder.OrderVerb.APPROVE);
        assertThat(warnings("up")).isEmpty();
    }

    @Test
    void warnsOfALaterPolicyUntilTheApproval() {
        fleetScenario.cluster("a", 0, 3);
        fleetScenario.campaign(CampaignBuilder.named("up").maxUnavailable(1).build());
        rule(new CampaignRule(RequiredApproval.BEFORE_FIRST_WAVE, null, List.of()));

        assertThat(kinds(warnings("up"))).containsExactly(WarningKind.APPROVAL);
        assertThat(warnings("up").get(0).message())
                .isEqualTo("has no approval, but the fleet's policy requires one before anything starts"
                        + " (campaigns.requireApproval): run flotilla campaign approve up all --reason TEXT");
        fleetScenario.order(new OperatorOrderKey.ApproveWave(UP, "all"), OperatorOrder.OrderVerb.APPROVE);
        assertThat(warnings("up")).isEmpty();
        rule(new CampaignRule(null, null, List.of("revision=*")));
        assertThat(kinds(warnings("up"))).containsExactly(WarningKind.POLICY);
    }

    @Test
    void warnsOfATooLargeFirstWaveBeforeAcceptance() {
        fleetScenario.cluster("a", 0, 3);
        fleetScenario.cluster("b", 0, 3);
        rule(new CampaignRule(RequiredApproval.AFTER_FIRST_WAVE, null, List.of()));
        Wave first = new Wave("first", List.of(), LabelSelector.ALL, null, Wave.WaveApproval.AFTER, 100, Duration.ZERO);
        Wave rest = new Wave("rest", List.of(), LabelSelector.ALL, false, 100);
        Campaign everything = CampaignBuilder.named("up").wave(first).wave(rest).build();

        assertThat(CampaignWarningFinder.findIfAccepted(
                        fleetScenario.state, GateChain.standard(), everything, fleetScenario.now))
                .singleElement()
                .satisfies(warning -> {
                    assertThat(warning.kind()).isEqualTo(WarningKind.POLICY);
                    assertThat(warning.message()).startsWith("has 6 of its 6 machines in the first wave, but");
                });
    }

    @Test
    void warnsOnceOfACampaignThatThePolicyForbids() {
        fleetScenario.cluster("a", 0, 3);
        rule(new CampaignRule(null, null, List.of("revision=*")));

        assertThat(edited(CampaignBuilder.named("up"))).containsExactly(WarningKind.POLICY);
    }

    private void rule(CampaignRule rule) {
        fleetScenario.receive(FleetScenario.policy(FleetScope.FLEET, null).with(rule));
    }

    @Test
    void warnsOfAMissingDependency() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up").after("none", 50).build());

        assertThat(warnings("up").get(0).message()).isEqualTo("waits for campaign none, which does not exist");
    }

    @Test
    void warnsOfUnknownSitesAndEmptyWaves() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up")
                .wave(new Wave("canary", List.of(NOWHERE), LabelSelector.ALL, false, 100))
                .wave(new Wave("rest", List.of(), LabelSelector.ALL, false, 100))
                .build());

        assertThat(kinds(warnings("up"))).containsExactly(WarningKind.SITE, WarningKind.EMPTY_WAVE);
        assertThat(warnings("up").get(0).message())
                .startsWith("names site nowher in wave canary, which no watcher has reported; known sites: ");
        assertThat(warnings("up").get(1).message()).isEqualTo("has no machine in wave canary");
    }

    @Test
    void warnsOfACampaignWithoutMachines() {
        fleetScenario.campaign(CampaignBuilder.named("up").build());

        assertThat(kinds(warnings("up"))).containsExactly(WarningKind.NO_MACHINES);
    }

    @Test
    void warnsOfAWindowInAnUnknownTimeZone() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up").window(window()).build());

        assertThat(kinds(warnings("up"))).containsExactly(WarningKind.ZONE);
        assertThat(fleetScenario.explain("a-w-0").nextStep())
                .endsWith(" is open; time zone Europe/Berln is unknown, so windows in it never open.");
    }

    /** Uses a state that is thrown away: the warnings are those after the acceptance. */
    @Test
    void findsTheSameWarningsBeforeAcceptance() {
        fleetScenario.cluster("a", 0, 4);
        fleetScenario.campaign(CampaignBuilder.named("first").build());
        Campaign later = CampaignBuilder.named("up")
                .target("channel=1.32-classic/stable")
                .allowingDowngrade()
                .deadline(fleetScenario.now.minus(Duration.ofDays(1)))
                .share("some", new CountOrPercent.Percent(50))
                .wave(new Wave("rest", List.of(), LabelSelector.ALL, false, 100))
                .build();

        assertThat(kinds(CampaignWarningFinder.findIfAccepted(
                        fleetScenario.state, GateChain.standard(), later, fleetScenario.now)))
                .containsExactly(WarningKind.DEADLINE, WarningKind.OVERLAP);
    }

    @Test
    void namesTheApprovalsThatAnEditEnds() {
        fleetScenario.cluster("a", 0, 2);
        Wave canary = new Wave(
                "canary",
                List.of(),
                LabelSelector.ALL,
                new CountOrPercent.Count(1),
                Wave.WaveApproval.BEFORE,
                100,
                Duration.ZERO);
        Wave rest = new Wave("rest", List.of(), LabelSelector.ALL, false, 100);
        fleetScenario.campaign(
                CampaignBuilder.named("up").wave(canary).wave(rest).build());
        fleetScenario.order(new OperatorOrderKey.ApproveWave(UP, "canary"), OperatorOrder.OrderVerb.APPROVE);

        assertThat(edited(CampaignBuilder.named("up").wave(canary).wave(rest).priority(9)))
                .as("an edit of the priority ends nothing")
                .doesNotContain(WarningKind.APPROVALS);
        List<CampaignWarning> warnings = CampaignWarningFinder.findIfAccepted(
                fleetScenario.state,
                GateChain.standard(),
                CampaignBuilder.named("up")
                        .wave(canary)
                        .wave(rest)
                        .maxUnavailable(2)
                        .build(),
                fleetScenario.now);
        assertThat(warnings)
                .filteredOn(warning -> warning.kind() == WarningKind.APPROVALS)
                .singleElement()
                .satisfies(warning ->
                        assertThat(warning.message()).startsWith("loses by this edit the approval of wave canary:"));
        assertThat(WarningKind.APPROVALS.needsForce()).isFalse();
    }

    private List<WarningKind> edited(CampaignBuilder campaign) {
        return kinds(CampaignWarningFinder.findIfAccepted(
                fleetScenario.state, GateChain.standard(), campaign.build(), fleetScenario.now));
    }

    @Test
    void countsARejectedOrderAsARejectedChange() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        fleetScenario.order(
                new OperatorOrderKey.SkipMachine(UP, FleetScenario.machine("none")), OperatorOrder.OrderVerb.SKIP);
        assertThat(fleetScenario.state.rejected()).hasSize(1);
        assertThat(RejectedChangeCounter.countRejectedChanges(fleetScenario.state))
                .isEqualTo(1);
        fleetScenario.makeUnreadable("flotilla.orders", "fleet/freeze");
        assertThat(fleetScenario.state.rejected()).hasSize(2);
        assertThat(RejectedChangeCounter.countRejectedChanges(fleetScenario.state))
                .as("an unreadable record counts")
                .isEqualTo(1);
    }

    @Test
    void aDefectiveRowIsRejectedAndTheAcceptedRowStays() {
        fleetScenario.cluster("a", 0, 1);
        Campaign good = CampaignBuilder.named("up").priority(1).build();
        fleetScenario.campaign(good);
        Campaign bad = CampaignBuilder.named("up").priority(2).window(window()).build();
        RejectedRecord why = new RejectedRecord(
                new RejectedRecordKey("flotilla.campaigns", 0, "up"),
                7,
                RejectionReason.BAD_VALUE,
                "spec.windows[0].zone",
                "Europe/Berln",
                "is not an IANA time zone",
                fleetScenario.now,
                true,
                null);

        fleetScenario.decide(new DecisionInput.RecordReceived(bad, 0, 7, why, fleetScenario.now));

        assertThat(fleetScenario.campaignStatus("up").acceptedCampaign()).isEqualTo(good);
        assertThat(fleetScenario.state.rejected(why.key())).isEqualTo(why);
        assertThat(fleetScenario.state.campaign(UP)).isEqualTo(bad);
        assertThat(fleetScenario.state.rejected()).hasSize(1);
        assertThat(RejectedChangeCounter.countRejectedChanges(fleetScenario.state))
                .isEqualTo(1);
        fleetScenario.decide(new DecisionInput.RecordReceived(good, 0, 8, why, fleetScenario.now));
        assertThat(fleetScenario.state.rejected(why.key())).isNull();
    }

    @Test
    void aRejectedRowWithoutAnAcceptedRowIsNoRejectedChange() {
        Campaign bad = CampaignBuilder.named("up").window(window()).build();
        RejectedRecord why = new RejectedRecord(
                new RejectedRecordKey("flotilla.campaigns", 0, "up"),
                7,
                RejectionReason.BAD_VALUE,
                "spec.windows[0].zone",
                "Europe/Berln",
                "is not an IANA time zone",
                fleetScenario.now,
                true,
                null);

        fleetScenario.decide(new DecisionInput.RecordReceived(bad, 0, 7, why, fleetScenario.now));

        assertThat(fleetScenario.state.rejected()).hasSize(1);
        assertThat(RejectedChangeCounter.countRejectedChanges(fleetScenario.state))
                .isZero();
    }

    private static MaintenanceWindow window() {
        return new MaintenanceWindow(List.of(), null, 0, 0, new TimeZoneName("Europe/Berln"));
    }

    @Test
    void findsNoWarningsForAFinishedCampaign() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up")
                .deadline(fleetScenario.now.minusSeconds(1))
                .build());
        fleetScenario.order(new OperatorOrderKey.SetCampaignState(UP), OperatorOrder.OrderVerb.ABORT);
        assertThat(warnings("up")).isEmpty();
    }

    @Test
    void aFinishedCampaignThatIsWrittenAgainIsCheckedAsNew() {
        fleetScenario.cluster("a", 0, 1);
        Campaign campaign = CampaignBuilder.named("up").build();
        fleetScenario.campaign(campaign);
        fleetScenario.order(new OperatorOrderKey.SetCampaignState(UP), OperatorOrder.OrderVerb.ABORT);
        assertThat(edited(CampaignBuilder.named("up").deadline(fleetScenario.now.minusSeconds(1))))
                .containsExactly(WarningKind.DEADLINE);
    }

    @Test
    void doesNotWarnOfAFrozenSiteThatIsNotSelected() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.site(new SiteId("south"));
        fleetScenario.campaign(CampaignBuilder.named("up")
                .select(new MachineSelection(
                        List.of(FleetScenario.SITE),
                        LabelSelector.ALL,
                        LabelSelector.ALL,
                        List.of(),
                        List.of(),
                        List.of()))
                .build());
        fleetScenario.order(new OperatorOrderKey.FreezeSite(new SiteId("south")), OperatorOrder.OrderVerb.FREEZE);
        assertThat(warnings("up")).isEmpty();
        fleetScenario.order(new OperatorOrderKey.FreezeSite(FleetScenario.SITE), OperatorOrder.OrderVerb.FREEZE);
        assertThat(kinds(warnings("up"))).containsExactly(WarningKind.FREEZE);
    }

    @Test
    void countsManyFrozenSitesInOneWarning() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        for (String name : List.of("east", "south")) {
            fleetScenario.site(new SiteId(name));
            fleetScenario.order(new OperatorOrderKey.FreezeSite(new SiteId(name)), OperatorOrder.OrderVerb.FREEZE);
        }
        assertThat(kinds(warnings("up"))).containsExactly(WarningKind.FREEZE, WarningKind.FREEZE);
        fleetScenario.order(new OperatorOrderKey.FreezeSite(FleetScenario.SITE), OperatorOrder.OrderVerb.FREEZE);
        assertThat(warnings("up"))
                .singleElement()
                .extracting(CampaignWarning::message)
                .isEqualTo("starts nothing at 3 sites, which are frozen: `flotilla site list` names them");
    }

    @Test
    void warnsOfAPolicyThatForbidsAnAcceptedCampaign() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        fleetScenario.receive(
                FleetScenario.policy(FleetScope.FLEET, null).with(new CampaignRule(null, null, List.of("revision=*"))));
        assertThat(warnings("up"))
                .singleElement()
                .isEqualTo(new CampaignWarning(
                        WarningKind.POLICY,
                        "has the target channel=1.33-classic/stable, but the fleet's policy allows campaigns only the"
                                + " targets revision=* (campaigns.targets): no more machines start. Abort the campaign, or"
                                + " allow its target in the policy"));
    }

    @Test
    void warnsOfADependencyWithItsPercentage() {
        fleetScenario.cluster("a", 0, 2);
        fleetScenario.campaign(CampaignBuilder.named("first").build());
        fleetScenario.campaign(CampaignBuilder.named("up").after("first", 50).build());
        assertThat(warnings("up"))
                .singleElement()
                .isEqualTo(new CampaignWarning(
                        WarningKind.DEPENDENCY, "waits until 50% of campaign first have succeeded"));
    }

    @Test
    void doesNotWarnOfAWindowInAKnownTimeZone() {
        fleetScenario.cluster("a", 0, 1);
        TimeZoneName berlin = new TimeZoneName("Europe/Berlin");
        fleetScenario.decide(new DecisionInput.TimeZoneRead(
                Objects.requireNonNull(TimeZoneRules.fromJvm(berlin, fleetScenario.now)), fleetScenario.now));
        fleetScenario.campaign(CampaignBuilder.named("up")
                .window(
                        new MaintenanceWindow(List.of(), null, 0, 0, null),
                        new MaintenanceWindow(List.of(), null, 0, 0, berlin))
                .build());
        assertThat(warnings("up")).isEmpty();
    }

    @Test
    void namesTheKnownSitesForAnUnknownSite() {
        assertThat(mistyped()).endsWith("known sites: north");
        for (int i = 0; i < 9; i++) {
            fleetScenario.site(new SiteId("s" + i));
        }
        assertThat(mistyped()).endsWith("known sites: north, s0, s1, s2, s3, s4, s5, s6, s7, s8");
        fleetScenario.site(new SiteId("s9"));
        assertThat(mistyped()).endsWith("known sites: north, s0, s1, s2, s3, s4, s5, s6, s7, s8, …");
    }

    @Test
    void saysWhenNoSiteIsKnown() {
        FleetScenario empty = new FleetScenario();
        empty.decide(new DecisionInput.LeaderElected(empty.now));
        assertThat(CampaignWarningFinder.findIfAccepted(empty.state, GateChain.standard(), nowhere(), empty.now))
                .filteredOn(warning -> warning.kind() == WarningKind.SITE)
                .singleElement()
                .satisfies(warning -> assertThat(warning.message()).endsWith("known sites: none"));
    }

    private String mistyped() {
        FleetState copy = new FleetState();
        fleetScenario.rows.values().forEach(copy::put);
        return CampaignWarningFinder.findIfAccepted(copy, GateChain.standard(), nowhere(), fleetScenario.now).stream()
                .filter(warning -> warning.kind() == WarningKind.SITE)
                .map(CampaignWarning::message)
                .findFirst()
                .orElseThrow();
    }

    private static Campaign nowhere() {
        return CampaignBuilder.named("up")
                .select(new MachineSelection(
                        List.of(NOWHERE), LabelSelector.ALL, LabelSelector.ALL, List.of(), List.of(), List.of()))
                .build();
    }

    @Test
    void doesNotWarnOfAnEmptyWaveBeforeItsSizeIsFixed() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.receiveWithoutLeader(() -> {
            fleetScenario.campaign(CampaignBuilder.named("up")
                    .share("some", new CountOrPercent.Percent(50))
                    .wave(new Wave("rest", List.of(), LabelSelector.ALL, false, 100))
                    .build());
            assertThat(warnings("up")).isEmpty();
        });
    }

    @Test
    void doesNotWarnOfMissingMachinesWhileASiteIsUnrestored() {
        SiteId away = new SiteId("away");
        fleetScenario.state.put(SiteHead.of(away));
        fleetScenario.campaign(CampaignBuilder.named("up")
                .select(new MachineSelection(
                        List.of(away), LabelSelector.ALL, LabelSelector.ALL, List.of(), List.of(), List.of()))
                .build());
        assertThat(warnings("up")).isEmpty();
        fleetScenario.state.markRestored(away);
        assertThat(kinds(warnings("up"))).containsExactly(WarningKind.NO_MACHINES);
    }

    @Test
    void namesTheOverlapApprovalsThatAnEditEnds() {
        fleetScenario.cluster("a", 0, 3);
        fleetScenario.campaign(CampaignBuilder.named("first").build());
        fleetScenario.campaign(CampaignBuilder.named("up")
                .target("channel=1.32-classic/stable")
                .allowingDowngrade()
                .build());
        fleetScenario.state.refreshDerivedState(GateChain.standard(), fleetScenario.now);
        fleetScenario.order(new OperatorOrderKey.ApproveOverlap(UP), OperatorOrder.OrderVerb.APPROVE);

        assertThat(lost(CampaignBuilder.named("up")
                        .target("channel=1.32-classic/stable")
                        .allowingDowngrade()
                        .budget(9)))
                .startsWith("loses by this edit the approval to run beside an earlier campaign: ");
        assertThat(lost(CampaignBuilder.named("first").budget(9)))
                .startsWith("loses by this edit the approval of campaign up to run beside it: ");
    }

    private String lost(CampaignBuilder edit) {
        FleetState copy = new FleetState();
        fleetScenario.rows.values().forEach(copy::put);
        return CampaignWarningFinder.findIfAccepted(copy, GateChain.standard(), edit.build(), fleetScenario.now)
                .stream()
                .filter(warning -> warning.kind() == WarningKind.APPROVALS)
                .map(CampaignWarning::message)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void anEditKeepsTheApprovalOfAClosedWave() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.cluster("b", 0, 1);
        CampaignBuilder campaign = CampaignBuilder.named("up")
                .wave(new Wave(
                        "canary",
                        List.of(),
                        LabelSelector.ALL,
                        new CountOrPercent.Count(1),
                        Wave.WaveApproval.BEFORE,
                        100,
                        Duration.ZERO))
                .wave(new Wave("rest", List.of(), LabelSelector.ALL, false, 100));
        fleetScenario.campaign(campaign.build());
        fleetScenario.order(new OperatorOrderKey.ApproveWave(UP, "canary"), OperatorOrder.OrderVerb.APPROVE);
        fleetScenario.inFlight().forEach(fleetScenario::succeed);
        assertThat(edited(campaign.budget(9))).doesNotContain(WarningKind.APPROVALS);
    }

    @Test
    void countsARejectedPolicyOnlyBesideAnAcceptedOne() {
        fleetScenario.makeUnreadable("flotilla.policies", "north");
        fleetScenario.makeUnreadable("no.topic.of.ours", "x");
        fleetScenario.makeUnreadable("flotilla.inventory.north", "no key of ours");
        assertThat(RejectedChangeCounter.countRejectedChanges(fleetScenario.state))
                .isZero();
        fleetScenario.receive(new Tombstone(new RowKey(Table.POLICIES, FleetScope.FLEET)));
        assertThat(RejectedChangeCounter.countRejectedChanges(fleetScenario.state))
                .isEqualTo(1);
    }

    @Test
    void needsForceForProbableMistakes() {
        assertThat(WarningKind.values())
                .filteredOn(WarningKind::needsForce)
                .containsExactly(
                        WarningKind.DEADLINE,
                        WarningKind.POLICY,
                        WarningKind.SITE,
                        WarningKind.NO_MACHINES,
                        WarningKind.PROVIDER,
                        WarningKind.CLUSTER_API);
    }
}
