package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.explain.CampaignWarning;
import dev.flotilla.core.explain.CampaignWarning.Kind;
import dev.flotilla.core.explain.CampaignWarnings;
import dev.flotilla.core.explain.RefusedChanges;
import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.gate.Gates;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RejectedRecordKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.TimeZoneName;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.UpgradePolicy.CampaignRule;
import dev.flotilla.schemas.row.UpgradePolicy.RequiredApproval;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.MachineSelection;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.schemas.row.MaintenanceWindow;
import dev.flotilla.schemas.row.TimeZoneRules;
import dev.flotilla.schemas.topic.Table;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A campaign that starts less than its file asks for says so, before it is accepted and after. */
class CampaignWarningsTest {
    private static final CampaignName UP = new CampaignName("up");
    private static final SiteId NOWHERE = new SiteId("nowher");

    private final Scene scene = Scene.open();

    private List<CampaignWarning> warnings(String name) {
        CampaignRollout campaign = Objects.requireNonNull(scene.state.rollout(new CampaignName(name)));
        scene.state.settle(Gates.standard(), scene.now);
        return CampaignWarnings.of(scene.state, campaign, scene.now);
    }

    private static List<Kind> kinds(List<CampaignWarning> warnings) {
        return warnings.stream().map(CampaignWarning::kind).toList();
    }

    @Test
    void aCampaignThatIsAsItShouldBeHasNone() {
        scene.cluster("a", 1, 2);
        Campaign campaign = CampaignBuilder.named("up").build();
        scene.campaign(campaign);

        assertThat(warnings("up")).isEmpty();
    }

    @Test
    void aDeadlineThatHasPassedIsTold() {
        scene.cluster("a", 1, 2);
        scene.campaign(
                CampaignBuilder.named("up").deadline(scene.now.minusSeconds(1)).build());

        assertThat(kinds(warnings("up"))).containsExactly(Kind.DEADLINE);
        assertThat(warnings("up").get(0).says()).contains("starts nothing more: its deadline ");
    }

    @Test
    void aFreezeIsToldWithWhoAndWhy() {
        scene.cluster("a", 0, 1);
        scene.campaign(CampaignBuilder.named("up").build());
        scene.order(new OperatorOrderKey.FreezeSite(Scene.SITE), OperatorOrder.OrderVerb.FREEZE);
        assertThat(kinds(warnings("up"))).containsExactly(Kind.FREEZE);
        assertThat(warnings("up").get(0).says())
                .startsWith("starts nothing at site " + Scene.SITE + ", which is frozen by the order of ");
        scene.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.FREEZE);
        assertThat(warnings("up"))
                .singleElement()
                .satisfies(warning ->
                        assertThat(warning.says()).startsWith("starts nothing: the fleet is frozen by the order of "));
    }

    @Test
    void anEarlierCampaignThatWantsTheMachinesElsewhereIsToldUntilSomebodyApproves() {
        scene.cluster("a", 0, 3);
        scene.campaign(CampaignBuilder.named("first").build());
        scene.campaign(CampaignBuilder.named("up")
                .target("channel=1.32-classic/stable")
                .allowingDowngrade()
                .build());

        assertThat(kinds(warnings("up"))).containsExactly(Kind.OVERLAP);
        assertThat(warnings("up").get(0).says())
                .contains("waits for campaign first", "`flotilla campaign approve up --overlap`");
        assertThat(warnings("first")).isEmpty();
        scene.order(new OperatorOrderKey.ApproveOverlap(UP), OperatorOrder.OrderVerb.APPROVE);
        assertThat(warnings("up")).isEmpty();
    }

    @Test
    void aPolicyThatCameLaterIsToldUntilSomebodyApproves() {
        scene.cluster("a", 0, 3);
        scene.campaign(CampaignBuilder.named("up").maxUnavailable(1).build());
        rule(new CampaignRule(RequiredApproval.BEFORE_FIRST_WAVE, null, List.of()));

        assertThat(kinds(warnings("up"))).containsExactly(Kind.APPROVAL);
        assertThat(warnings("up").get(0).says())
                .isEqualTo("has no approval, and the fleet's policy requires one before anything starts"
                        + " (campaigns.requireApproval): it waits for the order up/approve/all");
        scene.order(new OperatorOrderKey.ApproveWave(UP, "all"), OperatorOrder.OrderVerb.APPROVE);
        assertThat(warnings("up")).isEmpty();
        rule(new CampaignRule(null, null, List.of("revision=*")));
        assertThat(kinds(warnings("up"))).containsExactly(Kind.POLICY);
    }

    @Test
    void aFirstWaveThatThePolicyFindsTooLargeIsToldBeforeItIsAccepted() {
        scene.cluster("a", 0, 3);
        scene.cluster("b", 0, 3);
        rule(new CampaignRule(RequiredApproval.AFTER_FIRST_WAVE, null, List.of()));
        Wave first = new Wave("first", List.of(), LabelSelector.ALL, null, Wave.WaveApproval.AFTER, 100, Duration.ZERO);
        Wave rest = new Wave("rest", List.of(), LabelSelector.ALL, false, 100);
        Campaign everything = CampaignBuilder.named("up").wave(first).wave(rest).build();

        assertThat(CampaignWarnings.ifAccepted(scene.state, Gates.standard(), everything, scene.now))
                .singleElement()
                .satisfies(warning -> {
                    assertThat(warning.kind()).isEqualTo(Kind.POLICY);
                    assertThat(warning.says()).startsWith("takes 6 of its 6 machines in its first wave, and");
                });
    }

    @Test
    void aCampaignThatThePolicyRefusesIsToldSoOnce() {
        scene.cluster("a", 0, 3);
        rule(new CampaignRule(null, null, List.of("revision=*")));

        assertThat(edited(CampaignBuilder.named("up"))).containsExactly(Kind.POLICY);
    }

    private void rule(CampaignRule rule) {
        scene.arrive(Scene.policy(FleetScope.FLEET, null).with(rule));
    }

    @Test
    void aCampaignThatDoesNotExistIsWaitedForAloud() {
        scene.cluster("a", 0, 1);
        scene.campaign(CampaignBuilder.named("up").after("none", 50).build());

        assertThat(warnings("up").get(0).says()).isEqualTo("waits for campaign none, which does not exist");
    }

    @Test
    void sitesThatNobodyKnowsAndWavesWithoutMachinesAreTold() {
        scene.cluster("a", 0, 1);
        scene.campaign(CampaignBuilder.named("up")
                .wave(new Wave("canary", List.of(NOWHERE), LabelSelector.ALL, false, 100))
                .wave(new Wave("rest", List.of(), LabelSelector.ALL, false, 100))
                .build());

        assertThat(kinds(warnings("up"))).containsExactly(Kind.SITE, Kind.EMPTY_WAVE);
        assertThat(warnings("up").get(0).says())
                .startsWith("names site nowher in wave canary, which no watcher has reported; reported are: ");
        assertThat(warnings("up").get(1).says()).isEqualTo("has no machine in wave canary");
    }

    @Test
    void aCampaignOverNothingIsTold() {
        scene.campaign(CampaignBuilder.named("up").build());

        assertThat(kinds(warnings("up"))).containsExactly(Kind.NO_MACHINES);
    }

    @Test
    void aWindowInAZoneThatNobodyKnowsIsTold() {
        scene.cluster("a", 0, 1);
        scene.campaign(CampaignBuilder.named("up").window(window()).build());

        assertThat(kinds(warnings("up"))).containsExactly(Kind.ZONE);
        assertThat(scene.explain("a-w-0").next())
                .endsWith(" is open; time zone Europe/Berln is unknown, so windows in it never open.");
    }

    /** Asked of a state that is thrown away: what is told is what would hold once it is accepted. */
    @Test
    void beforeItIsAcceptedTheSameIsTold() {
        scene.cluster("a", 0, 4);
        scene.campaign(CampaignBuilder.named("first").build());
        Campaign later = CampaignBuilder.named("up")
                .target("channel=1.32-classic/stable")
                .allowingDowngrade()
                .deadline(scene.now.minus(Duration.ofDays(1)))
                .share("some", new CountOrPercent.Percent(50))
                .wave(new Wave("rest", List.of(), LabelSelector.ALL, false, 100))
                .build();

        assertThat(kinds(CampaignWarnings.ifAccepted(scene.state, Gates.standard(), later, scene.now)))
                .containsExactly(Kind.DEADLINE, Kind.OVERLAP);
    }

    @Test
    void anEditThatEndsApprovalsNamesThem() {
        scene.cluster("a", 0, 2);
        Wave canary = new Wave(
                "canary", List.of(), LabelSelector.ALL, new CountOrPercent.Count(1), Wave.WaveApproval.BEFORE, 100, Duration.ZERO);
        Wave rest = new Wave("rest", List.of(), LabelSelector.ALL, false, 100);
        scene.campaign(CampaignBuilder.named("up").wave(canary).wave(rest).build());
        scene.order(new OperatorOrderKey.ApproveWave(UP, "canary"), OperatorOrder.OrderVerb.APPROVE);

        assertThat(edited(CampaignBuilder.named("up").wave(canary).wave(rest).priority(9)))
                .as("an edit of its urgency ends nothing")
                .doesNotContain(Kind.APPROVALS);
        List<CampaignWarning> warnings = CampaignWarnings.ifAccepted(
                scene.state,
                Gates.standard(),
                CampaignBuilder.named("up")
                        .wave(canary)
                        .wave(rest)
                        .maxUnavailable(2)
                        .build(),
                scene.now);
        assertThat(warnings)
                .filteredOn(warning -> warning.kind() == Kind.APPROVALS)
                .singleElement()
                .satisfies(warning ->
                        assertThat(warning.says()).startsWith("loses by this edit the approval of wave canary:"));
        assertThat(Kind.APPROVALS.needsForce()).isFalse();
    }

    private List<Kind> edited(CampaignBuilder campaign) {
        return kinds(CampaignWarnings.ifAccepted(scene.state, Gates.standard(), campaign.build(), scene.now));
    }

    @Test
    void anOrderThatWasRefusedAlarmsNobody() {
        scene.cluster("a", 0, 1);
        scene.campaign(CampaignBuilder.named("up").build());
        scene.order(new OperatorOrderKey.SkipMachine(UP, Scene.machine("none")), OperatorOrder.OrderVerb.SKIP);
        assertThat(scene.state.rejected()).hasSize(1);
        assertThat(RefusedChanges.count(scene.state)).isEqualTo(1);
        scene.poison("flotilla.orders", "fleet/freeze");
        assertThat(scene.state.rejected()).hasSize(2);
        assertThat(RefusedChanges.count(scene.state))
                .as("one that cannot be read does")
                .isEqualTo(1);
    }

    @Test
    void aRowWithAFlawIsRefusedAndWhatWasAcceptedStays() {
        scene.cluster("a", 0, 1);
        Campaign good = CampaignBuilder.named("up").priority(1).build();
        scene.campaign(good);
        Campaign bad = CampaignBuilder.named("up").priority(2).window(window()).build();
        RejectedRecord why = new RejectedRecord(
                new RejectedRecordKey("flotilla.campaigns", 0, "up"),
                7,
                RejectionReason.BAD_VALUE,
                "spec.windows[0].zone",
                "Europe/Berln",
                "is not an IANA time zone",
                scene.now,
                true,
                null);

        scene.take(new Input.Arrived(bad, 0, 7, why, scene.now));

        assertThat(scene.campaignStatus("up").acceptedCampaign()).isEqualTo(good);
        assertThat(scene.state.rejected(why.key())).isEqualTo(why);
        assertThat(scene.state.campaign(UP)).isEqualTo(bad);
        assertThat(scene.state.rejected()).hasSize(1);
        assertThat(RefusedChanges.count(scene.state)).isEqualTo(1);
        scene.take(new Input.Arrived(good, 0, 8, why, scene.now));
        assertThat(scene.state.rejected(why.key())).isNull();
    }

    @Test
    void aRowInWhosePlaceNothingIsInForceIsNoRefusedChange() {
        Campaign bad = CampaignBuilder.named("up").window(window()).build();
        RejectedRecord why = new RejectedRecord(
                new RejectedRecordKey("flotilla.campaigns", 0, "up"),
                7,
                RejectionReason.BAD_VALUE,
                "spec.windows[0].zone",
                "Europe/Berln",
                "is not an IANA time zone",
                scene.now,
                true,
                null);

        scene.take(new Input.Arrived(bad, 0, 7, why, scene.now));

        assertThat(scene.state.rejected()).hasSize(1);
        assertThat(RefusedChanges.count(scene.state)).isZero();
    }

    private static MaintenanceWindow window() {
        return new MaintenanceWindow(List.of(), null, 0, 0, new TimeZoneName("Europe/Berln"));
    }

    @Test
    void aCampaignThatIsOverHasNone() {
        scene.cluster("a", 0, 1);
        scene.campaign(
                CampaignBuilder.named("up").deadline(scene.now.minusSeconds(1)).build());
        scene.order(new OperatorOrderKey.SetCampaignState(UP), OperatorOrder.OrderVerb.ABORT);
        assertThat(warnings("up")).isEmpty();
    }

    @Test
    void oneThatIsWrittenAgainAfterItWasOverIsJudgedAsNew() {
        scene.cluster("a", 0, 1);
        Campaign campaign = CampaignBuilder.named("up").build();
        scene.campaign(campaign);
        scene.order(new OperatorOrderKey.SetCampaignState(UP), OperatorOrder.OrderVerb.ABORT);
        assertThat(edited(CampaignBuilder.named("up").deadline(scene.now.minusSeconds(1))))
                .containsExactly(Kind.DEADLINE);
    }

    @Test
    void aFrozenSiteThatItDoesNotSelectIsNotTold() {
        scene.cluster("a", 0, 1);
        scene.site(new SiteId("south"));
        scene.campaign(CampaignBuilder.named("up")
                .select(new MachineSelection(List.of(Scene.SITE), LabelSelector.ALL, LabelSelector.ALL, List.of(), List.of(), List.of()))
                .build());
        scene.order(new OperatorOrderKey.FreezeSite(new SiteId("south")), OperatorOrder.OrderVerb.FREEZE);
        assertThat(warnings("up")).isEmpty();
        scene.order(new OperatorOrderKey.FreezeSite(Scene.SITE), OperatorOrder.OrderVerb.FREEZE);
        assertThat(kinds(warnings("up"))).containsExactly(Kind.FREEZE);
    }

    @Test
    void ofManyFrozenSitesOnlyHowManyIsTold() {
        scene.cluster("a", 0, 1);
        scene.campaign(CampaignBuilder.named("up").build());
        for (String name : List.of("east", "south")) {
            scene.site(new SiteId(name));
            scene.order(new OperatorOrderKey.FreezeSite(new SiteId(name)), OperatorOrder.OrderVerb.FREEZE);
        }
        assertThat(kinds(warnings("up"))).containsExactly(Kind.FREEZE, Kind.FREEZE);
        scene.order(new OperatorOrderKey.FreezeSite(Scene.SITE), OperatorOrder.OrderVerb.FREEZE);
        assertThat(warnings("up"))
                .singleElement()
                .extracting(CampaignWarning::says)
                .isEqualTo("starts nothing at 3 sites, which are frozen: `flotilla site list` names them");
    }

    @Test
    void aPolicyThatForbidsWhatWasAcceptedBeforeIsTold() {
        scene.cluster("a", 0, 1);
        scene.campaign(CampaignBuilder.named("up").build());
        scene.arrive(Scene.policy(FleetScope.FLEET, null).with(new CampaignRule(null, null, List.of("revision=*"))));
        assertThat(warnings("up"))
                .singleElement()
                .isEqualTo(new CampaignWarning(
                        Kind.POLICY,
                        "leads to channel=1.33-classic/stable, and the fleet's policy allows campaigns to lead to"
                                + " revision=* (campaigns.targets): what has not begun waits. Abort the campaign, or let"
                                + " the policy allow its target"));
    }

    @Test
    void howMuchOfAnotherCampaignIsWaitedForIsTold() {
        scene.cluster("a", 0, 2);
        scene.campaign(CampaignBuilder.named("first").build());
        scene.campaign(CampaignBuilder.named("up").after("first", 50).build());
        assertThat(warnings("up"))
                .singleElement()
                .isEqualTo(new CampaignWarning(Kind.DEPENDENCY, "waits until 50% of campaign first have succeeded"));
    }

    @Test
    void aWindowByTheClusterOwnClocksOrInAZoneThatIsKnownIsNotTold() {
        scene.cluster("a", 0, 1);
        TimeZoneName berlin = new TimeZoneName("Europe/Berlin");
        scene.take(new Input.ZoneRead(Objects.requireNonNull(TimeZoneRules.fromJvm(berlin, scene.now)), scene.now));
        scene.campaign(CampaignBuilder.named("up")
                .window(new MaintenanceWindow(List.of(), null, 0, 0, null), new MaintenanceWindow(List.of(), null, 0, 0, berlin))
                .build());
        assertThat(warnings("up")).isEmpty();
    }

    @Test
    void aSiteThatNobodyKnowsIsToldWithThoseThatAreKnown() {
        assertThat(mistyped()).endsWith("reported are: north");
        for (int i = 0; i < 9; i++) {
            scene.site(new SiteId("s" + i));
        }
        assertThat(mistyped()).endsWith("reported are: north, s0, s1, s2, s3, s4, s5, s6, s7, s8");
        scene.site(new SiteId("s9"));
        assertThat(mistyped()).endsWith("reported are: north, s0, s1, s2, s3, s4, s5, s6, s7, s8, …");
    }

    @Test
    void whereNoSiteIsKnownThatIsTold() {
        Scene empty = new Scene();
        empty.take(new Input.TookOver(empty.now));
        assertThat(CampaignWarnings.ifAccepted(empty.state, Gates.standard(), nowhere(), empty.now))
                .filteredOn(warning -> warning.kind() == Kind.SITE)
                .singleElement()
                .satisfies(warning -> assertThat(warning.says()).endsWith("reported are: none"));
    }

    private String mistyped() {
        FleetState copy = new FleetState();
        scene.rows.values().forEach(copy::put);
        return CampaignWarnings.ifAccepted(copy, Gates.standard(), nowhere(), scene.now).stream()
                .filter(warning -> warning.kind() == Kind.SITE)
                .map(CampaignWarning::says)
                .findFirst()
                .orElseThrow();
    }

    private static Campaign nowhere() {
        return CampaignBuilder.named("up")
                .select(new MachineSelection(List.of(NOWHERE), LabelSelector.ALL, LabelSelector.ALL, List.of(), List.of(), List.of()))
                .build();
    }

    @Test
    void whatAWaveTakesIsNotToldBeforeItIsSettled() {
        scene.cluster("a", 0, 1);
        scene.waited(() -> {
            scene.campaign(CampaignBuilder.named("up")
                    .share("some", new CountOrPercent.Percent(50))
                    .wave(new Wave("rest", List.of(), LabelSelector.ALL, false, 100))
                    .build());
            assertThat(warnings("up")).isEmpty();
        });
    }

    @Test
    void nothingIsSaidOfMachinesWhereASiteIsNotRead() {
        SiteId away = new SiteId("away");
        scene.state.put(SiteHead.of(away));
        scene.campaign(CampaignBuilder.named("up")
                .select(new MachineSelection(List.of(away), LabelSelector.ALL, LabelSelector.ALL, List.of(), List.of(), List.of()))
                .build());
        assertThat(warnings("up")).isEmpty();
        scene.state.markRead(away);
        assertThat(kinds(warnings("up"))).containsExactly(Kind.NO_MACHINES);
    }

    @Test
    void anEditNamesTheOverlapsWhoseApprovalsItEnds() {
        scene.cluster("a", 0, 3);
        scene.campaign(CampaignBuilder.named("first").build());
        scene.campaign(CampaignBuilder.named("up")
                .target("channel=1.32-classic/stable")
                .allowingDowngrade()
                .build());
        scene.state.settle(Gates.standard(), scene.now);
        scene.order(new OperatorOrderKey.ApproveOverlap(UP), OperatorOrder.OrderVerb.APPROVE);

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
        scene.rows.values().forEach(copy::put);
        return CampaignWarnings.ifAccepted(copy, Gates.standard(), edit.build(), scene.now).stream()
                .filter(warning -> warning.kind() == Kind.APPROVALS)
                .map(CampaignWarning::says)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void anApprovalOfAClosedWaveIsNotLostByAnEdit() {
        scene.cluster("a", 0, 1);
        scene.cluster("b", 0, 1);
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
        scene.campaign(campaign.build());
        scene.order(new OperatorOrderKey.ApproveWave(UP, "canary"), OperatorOrder.OrderVerb.APPROVE);
        scene.inFlight().forEach(scene::succeed);
        assertThat(edited(campaign.budget(9))).doesNotContain(Kind.APPROVALS);
    }

    @Test
    void onlyAPolicyThatIsInForceMakesARefusedPolicyOne() {
        scene.poison("flotilla.policies", "north");
        scene.poison("no.topic.of.ours", "x");
        scene.poison("flotilla.inventory.north", "no key of ours");
        assertThat(RefusedChanges.count(scene.state)).isZero();
        scene.arrive(new Tombstone(new RowKey(Table.POLICIES, FleetScope.FLEET)));
        assertThat(RefusedChanges.count(scene.state)).isEqualTo(1);
    }

    @Test
    void whatIsMostLikelyAMistakeHasToBeInsistedOn() {
        assertThat(Kind.values())
                .filteredOn(Kind::needsForce)
                .containsExactly(Kind.DEADLINE, Kind.POLICY, Kind.SITE, Kind.NO_MACHINES);
    }
}
