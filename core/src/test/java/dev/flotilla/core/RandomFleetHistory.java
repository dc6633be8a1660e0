package dev.flotilla.core;

import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.id.PolicyScope;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.id.TimeZoneName;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.FailureCohortRule;
import dev.flotilla.schemas.row.ForeignActivity;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineSelection;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.MaintenanceWindow;
import dev.flotilla.schemas.row.NodeUpgradeTemplateRef;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.ProviderRule;
import dev.flotilla.schemas.row.RetryRule;
import dev.flotilla.schemas.row.TimeZoneRules;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.UpgradeProvider;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.schemas.row.WorkerCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** A random history of a small fleet, drawn from a seed. */
final class RandomFleetHistory {
    private static final SiteId SOUTH = new SiteId("south");
    private static final TimeZoneName BERLIN = new TimeZoneName("Europe/Berlin");
    private static final TimeZoneName LIMA = new TimeZoneName("America/Lima");
    private static final String RING = "ring";
    private static final List<String> RINGS = List.of("canary", "east", "west");
    private static final List<String> VERSIONS = List.of("v1.31.4", "v1.32.1", "v1.33.2");
    private static final String RELEASE = "version=v1.33.2";
    private static final List<String> OPTIONS =
            List.of("channel=1.33-classic/stable", "channel=1.32-classic/stable", "revision=4");
    private static final List<CampaignName> CAMPAIGNS =
            List.of(new CampaignName("up"), new CampaignName("on"), new CampaignName("in"));

    final FleetScenario scenario = FleetScenario.open();
    final List<MachineKey> machines = new ArrayList<>();
    private final List<ClusterKey> clusters = new ArrayList<>();
    private final Random random;

    RandomFleetHistory(long seed) {
        random = new Random(seed);
        scenario.site(SOUTH);
        scenario.decide(new DecisionInput.TimeZoneRead(
                Optional.ofNullable(TimeZoneRules.fromJvm(BERLIN, scenario.now)).orElseThrow(), scenario.now));
        cluster(FleetScenario.SITE, "a", 3, 2);
        cluster(FleetScenario.SITE, "b", 1, 3);
        cluster(SOUTH, "c", 0, 2);
        cluster(SOUTH, "d", 2, 0);
        campaign(CAMPAIGNS.get(0));
    }

    private void cluster(SiteId site, String name, int controlPlanes, int workers) {
        clusters.add(scenario.cluster(site, name, controlPlanes, workers, CampaignBuilder.labels(RING, any(RINGS))));
        for (int i = 0; i < controlPlanes; i++) {
            machines.add(new MachineKey(site, "default", name + "-cp-" + i));
        }
        for (int i = 0; i < workers; i++) {
            machines.add(new MachineKey(site, "default", name + "-w-" + i));
        }
    }

    /** Adds one more input. */
    void addInput() {
        scenario.advance(Duration.ofSeconds(40));
        switch (random.nextInt(16)) {
            case 0, 1, 2, 3, 4 -> report();
            case 5, 6 -> machine();
            case 7 -> clusterRow();
            case 8 -> campaign(any(CAMPAIGNS));
            case 9, 10 -> order();
            case 11 -> intent();
            case 12 -> policy();
            case 13 -> site();
            case 14 -> unreadable();
            default -> scenario.advance(Duration.ofMinutes(1 + random.nextInt(90)));
        }
    }

    private <T> T any(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    private boolean one(int of) {
        return random.nextInt(of) == 0;
    }

    private void report() {
        List<MachineStatus> flying = scenario.rows.values().stream()
                .filter(MachineStatus.class::isInstance)
                .map(MachineStatus.class::cast)
                .filter(status -> status.attempt() != null)
                .toList();
        if (flying.isEmpty()) {
            return;
        }
        MachineStatus status = any(flying);
        boolean cancelled =
                scenario.rows.get(new RowKey(Table.COMMANDS, status.key())) instanceof WorkerCommand.CancelUpgrade;
        AttemptReport report = switch (random.nextInt(9)) {
            case 0 -> new AttemptReport.StepReached(AttemptStep.GUARDING, null);
            case 1 -> new AttemptReport.StepReached(AttemptStep.REFRESHING, "42");
            case 2, 3, 4 ->
                new AttemptReport.Succeeded(
                        one(4) ? AttemptReport.SuccessProof.UNCHANGED : AttemptReport.SuccessProof.UPGRADED,
                        "3421",
                        any(VERSIONS));
            case 5 ->
                new AttemptReport.Failed(
                        dev.flotilla.schemas.row.FailureClass.RETRYABLE,
                        dev.flotilla.schemas.row.FailureReason.REFRESH_ERROR,
                        "no");
            case 6 ->
                new AttemptReport.Failed(
                        dev.flotilla.schemas.row.FailureClass.TERMINAL,
                        dev.flotilla.schemas.row.FailureReason.REFRESH_ERROR,
                        "never");
            case 7 -> cancelled ? new AttemptReport.Cancelled() : new AttemptReport.Deferred("busy");
            default -> new AttemptReport.OutcomeUnknown("crashed");
        };
        scenario.receive(new AttemptProgress(
                status.key(),
                status.uid(),
                Optional.ofNullable(status.attempt()).orElseThrow().id(),
                report,
                scenario.now));
    }

    private void machine() {
        MachineKey key = any(machines);
        if (one(5)) {
            scenario.receive(new Tombstone(new RowKey(Table.INVENTORY, key)));
            return;
        }
        String cluster = one(9)
                ? any(clusters).name()
                : key.name().substring(0, key.name().indexOf('-'));
        boolean controlPlane = key.name().contains("-cp-");
        MachineRowBuilder machine = MachineRowBuilder.of(key.site(), cluster, key.name())
                .role(controlPlane ? MachineRole.CONTROL_PLANE : MachineRole.WORKER)
                .owner(
                        controlPlane ? OwnerKind.CONTROL_PLANE : OwnerKind.MACHINE_DEPLOYMENT,
                        one(6) ? any(clusters).name() : cluster)
                .labels(one(3) ? Labels.NONE : CampaignBuilder.labels(RING, any(RINGS)))
                .revision(one(2) ? "3000" : "3421")
                .version(one(3) ? null : any(VERSIONS))
                .provider(one(5) ? any(List.of(UpgradeProvider.values())) : UpgradeProvider.K8SD);
        switch (random.nextInt(10)) {
            case 0 -> machine.onHold();
            case 1 -> machine.notReady();
            case 2 -> machine.paused();
            case 3 -> machine.deleting();
            case 4 -> machine.optedOut();
            case 5 -> machine.doing(any(List.of(ForeignActivity.values())));
            case 6 -> machine.uid(FleetScenario.uidOf(key.name() + random.nextInt(3)));
            case 7 -> machine.providerId("provider://shared-" + random.nextInt(2));
            default -> {
                // The usual case.
            }
        }
        scenario.receive(machine.build());
    }

    private void clusterRow() {
        ClusterKey key = any(clusters);
        if (one(8)) {
            scenario.receive(new Tombstone(new RowKey(Table.INVENTORY, key)));
            return;
        }
        int controlPlanes = (int) machines.stream()
                .filter(machine -> machine.name().startsWith(key.name() + "-cp-"))
                .count();
        scenario.receive(new ClusterRow(
                key,
                "uid-" + key.name(),
                CampaignBuilder.labels(RING, any(RINGS)),
                one(5),
                one(5),
                one(2) ? null : any(List.of(BERLIN, LIMA)).id(),
                controlPlanes + (one(8) ? 1 : 0),
                0));
    }

    private void campaign(CampaignName name) {
        if (one(6)) {
            scenario.receive(new Tombstone(new RowKey(Table.CAMPAIGNS, name)));
            return;
        }
        CampaignBuilder campaign = CampaignBuilder.named(name.name())
                .target(OPTIONS.get(CAMPAIGNS.indexOf(name)))
                .priority(random.nextInt(3))
                .weight(1 + random.nextInt(3))
                .maxUnavailable(1 + random.nextInt(3))
                .select(MachineSelection.EVERYTHING.withProviders(one(4) ? List.of(UpgradeProvider.K8SD) : List.of()))
                .attempts(1 + random.nextInt(3));
        switch (random.nextInt(8)) {
            case 0 -> campaign.inFlight(one(2) ? new CountOrPercent.Count(2) : new CountOrPercent.Percent(30));
            case 1 -> campaign.budget(1 + random.nextInt(3));
            case 2 -> campaign.clusterSoak(Duration.ofMinutes(5));
            case 3 -> campaign.window(window());
            case 4 -> campaign.after(any(CAMPAIGNS).name(), 50);
            case 5 -> campaign.domain(RING, new CountOrPercent.Count(1));
            case 6 -> campaign.cohorts(new FailureCohortRule(List.of(RING), 1, 30));
            default -> campaign.deadline(scenario.now.plus(Duration.ofHours(2)));
        }
        switch (random.nextInt(4)) {
            case 0 ->
                campaign.wave("first", CampaignBuilder.where(RING, any(RINGS)), one(2), 50)
                        .wave("rest", LabelSelector.ALL, false, 100);
            case 1 ->
                campaign.share("first", new CountOrPercent.Percent(40)).wave("rest", LabelSelector.ALL, one(2), 100);
            case 2 ->
                campaign.wave(new Wave(
                                "first",
                                List.of(),
                                CampaignBuilder.where(RING, any(RINGS)),
                                null,
                                Wave.WaveApproval.AFTER,
                                60,
                                Duration.ofMinutes(10)))
                        .wave("rest", LabelSelector.ALL, false, 100);
            default -> {
                // One wave of everything.
            }
        }
        if (one(4)) {
            campaign.workersAnyTime();
        }
        scenario.campaign(campaign.build());
    }

    private MaintenanceWindow window() {
        int from = random.nextInt(MaintenanceWindow.MINUTES_OF_A_DAY);
        return new MaintenanceWindow(
                List.of(),
                null,
                from,
                (from + 300) % MaintenanceWindow.MINUTES_OF_A_DAY,
                one(2) ? null : any(List.of(BERLIN, LIMA)));
    }

    private void order() {
        CampaignName name = any(CAMPAIGNS);
        OperatorOrderKey key;
        OperatorOrder.OrderVerb verb;
        switch (random.nextInt(9)) {
            case 0 -> {
                key = new OperatorOrderKey.SetCampaignState(name);
                verb = OperatorOrder.OrderVerb.PAUSE;
            }
            case 1 -> {
                key = new OperatorOrderKey.SetCampaignState(name);
                verb = one(9) ? OperatorOrder.OrderVerb.ABORT : OperatorOrder.OrderVerb.RUN;
            }
            case 2 -> {
                key = new OperatorOrderKey.SkipMachine(name, any(machines));
                verb = OperatorOrder.OrderVerb.SKIP;
            }
            case 3 -> {
                key = new OperatorOrderKey.RetryQuarantined(name);
                verb = OperatorOrder.OrderVerb.RETRY;
            }
            case 4 -> {
                key = new OperatorOrderKey.ApproveWave(name, one(2) ? "first" : "rest");
                verb = OperatorOrder.OrderVerb.APPROVE;
            }
            case 5 -> {
                key = new OperatorOrderKey.ApproveOverlap(name);
                verb = OperatorOrder.OrderVerb.APPROVE;
            }
            case 6 -> {
                key = one(2) ? new OperatorOrderKey.FreezeFleet() : new OperatorOrderKey.FreezeSite(SOUTH);
                verb = OperatorOrder.OrderVerb.FREEZE;
            }
            case 7 -> {
                key = one(2) ? new OperatorOrderKey.FreezeFleet() : new OperatorOrderKey.FreezeSite(SOUTH);
                verb = OperatorOrder.OrderVerb.UNFREEZE;
            }
            default -> {
                key = one(2) ? new OperatorOrderKey.WriteOffSite(SOUTH) : new OperatorOrderKey.AcceptMassRemoval(SOUTH);
                verb = key instanceof OperatorOrderKey.WriteOffSite
                        ? OperatorOrder.OrderVerb.WRITE_OFF
                        : OperatorOrder.OrderVerb.ACCEPT_REMOVAL;
            }
        }
        if (key instanceof OperatorOrderKey.CampaignOrder of && scenario.state.rollout(of.campaign()) == null) {
            return;
        }
        scenario.order(key, verb);
    }

    private void intent() {
        ClusterKey cluster = any(clusters);
        ObjectKey object = switch (random.nextInt(3)) {
            case 0 -> any(machines);
            case 1 -> cluster;
            default ->
                new OwnerKey(
                        cluster.site(),
                        one(2) ? OwnerKind.CONTROL_PLANE : OwnerKind.MACHINE_DEPLOYMENT,
                        "default",
                        cluster.name());
        };
        if (one(3)) {
            scenario.removeIntent(object);
        } else {
            String uid =
                    object instanceof MachineKey machine ? FleetScenario.uidOf(machine.name()) : "uid-" + object.name();
            scenario.receive(
                    new UpgradeIntent(object, uid, UpgradeTarget.parse(one(4) ? RELEASE : any(OPTIONS)), scenario.now));
        }
    }

    private void policy() {
        PolicyScope scope = one(2) ? FleetScope.FLEET : SOUTH;
        UpgradePolicy.IntentRule rule = new UpgradePolicy.IntentRule(
                new CountOrPercent.Count(1 + random.nextInt(2)),
                RetryRule.DEFAULT,
                List.of(),
                one(2) ? null : new CountOrPercent.Count(1),
                null,
                one(2) ? Duration.ZERO : Duration.ofMinutes(3),
                one(3) ? List.of(window()) : List.of(),
                null);
        UpgradePolicy policy = new UpgradePolicy(
                scope,
                one(2) ? null : new CountOrPercent.Count(1 + random.nextInt(4)),
                null,
                one(6),
                null,
                one(2) ? null : Duration.ofMinutes(20),
                one(2) ? null : Duration.ofMinutes(30),
                one(2) ? null : rule,
                one(2) ? null : RING,
                one(2)
                        ? UpgradePolicy.MaintenanceCalendar.NONE
                        : new UpgradePolicy.MaintenanceCalendar(
                                one(2) ? null : BERLIN, one(3) ? List.of(window()) : List.of(), Duration.ofMinutes(9)),
                null);
        scenario.receive(one(4) ? policy.withProviderRules(List.of(providerRule())) : policy);
    }

    private ProviderRule providerRule() {
        UpgradeProvider provider = any(List.of(UpgradeProvider.values()));
        return new ProviderRule(
                List.of(),
                CampaignBuilder.where(RING, any(RINGS)),
                provider,
                provider == UpgradeProvider.NODE_UPGRADE
                        ? new NodeUpgradeTemplateRef("flotilla.dev/v1alpha1", "NodeUpgradeTemplate", "t")
                        : null);
    }

    private void site() {
        SiteId site = one(2) ? FleetScenario.SITE : SOUTH;
        switch (random.nextInt(6)) {
            case 0 -> scenario.decide(new DecisionInput.HeartbeatLost(site, scenario.now));
            case 1 -> scenario.decide(new DecisionInput.SiteUnreachable(site, scenario.now));
            case 2 -> scenario.decide(new DecisionInput.SiteReachable(site, scenario.now));
            case 3 ->
                scenario.receive(
                        new WatcherHeartbeat(site, "uid-of-" + site, "watcher", scenario.now, random.nextInt(2)));
            case 4 -> scenario.decide(new DecisionInput.ClockCompared(one(2), scenario.now));
            default -> scenario.decide(new DecisionInput.HeartbeatResumed(site, scenario.now));
        }
    }

    private void unreadable() {
        MachineKey machine = any(machines);
        switch (random.nextInt(5)) {
            case 0 -> scenario.makeUnreadable("flotilla.policies", one(2) ? "fleet" : "south");
            case 1 -> scenario.makeUnreadable("flotilla.orders", any(CAMPAIGNS) + "/state");
            case 2 ->
                scenario.makeUnreadable(
                        "flotilla.inventory." + machine.site(),
                        "cluster/default/" + any(clusters).name());
            case 3 ->
                scenario.makeUnreadable("flotilla.intents." + machine.site(), "machine/default/" + machine.name());
            default ->
                scenario.makeUnreadable("flotilla.inventory." + machine.site(), "machine/default/" + machine.name());
        }
    }
}
