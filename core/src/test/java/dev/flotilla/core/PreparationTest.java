package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.explain.CampaignWarning;
import dev.flotilla.core.explain.CampaignWarningFinder;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.id.TimeZoneName;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachinePreparation;
import dev.flotilla.schemas.row.MachinePreparation.PreparationProgress;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.MaintenanceWindow;
import dev.flotilla.schemas.row.NodeUpgradeTemplateRef;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.PrefetchCaps;
import dev.flotilla.schemas.row.ProviderRule;
import dev.flotilla.schemas.row.TimeZoneRules;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.UpgradeProvider;
import dev.flotilla.schemas.row.WorkerCommand;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Machines are prepared ahead of the time at which they may start. */
class PreparationTest {
    private static final TimeZoneName UTC = new TimeZoneName("Etc/UTC");
    private static final NodeUpgradeTemplateRef TEMPLATE =
            new NodeUpgradeTemplateRef("flotilla.dev/v1alpha1", "NodeUpgradeTemplate", "kubeadm");
    private static final NodeUpgradeTemplateRef OTHER_TEMPLATE =
            new NodeUpgradeTemplateRef("flotilla.dev/v1alpha1", "NodeUpgradeTemplate", "k3s");
    /** From 22:00 to 04:00. The scenario begins at 00:00, in the window. */
    private static final MaintenanceWindow NIGHT = new MaintenanceWindow(List.of(), null, 22 * 60, 4 * 60, UTC);

    private static final int MACHINES = 4;

    private final FleetScenario fleetScenario = FleetScenario.open();

    @BeforeEach
    void createMachines() {
        policy(PrefetchCaps.NONE, TEMPLATE);
        fleetScenario.decide(new DecisionInput.TimeZoneRead(
                Optional.ofNullable(TimeZoneRules.fromJvm(UTC, fleetScenario.now))
                        .orElseThrow(),
                fleetScenario.now));
        fleetScenario.receive(new ClusterRow(
                new ClusterKey(FleetScenario.SITE, "default", "k"),
                "uid-k",
                Labels.NONE,
                false,
                false,
                null,
                0,
                MACHINES));
        for (int i = 0; i < MACHINES; i++) {
            fleetScenario.receive(row("w" + i).build());
        }
        at("2026-03-01T05:00:00Z");
    }

    private static MachineRowBuilder row(String name) {
        return MachineRowBuilder.of(FleetScenario.SITE, "k", name)
                .provider(UpgradeProvider.NODE_UPGRADE)
                .revision(null)
                .version("v1.32.1");
    }

    private void policy(PrefetchCaps caps, NodeUpgradeTemplateRef template) {
        fleetScenario.receive(new UpgradePolicy(
                        FleetScope.FLEET,
                        null,
                        null,
                        false,
                        null,
                        null,
                        null,
                        null,
                        null,
                        new UpgradePolicy.MaintenanceCalendar(UTC, List.of(), Duration.ofMinutes(10)),
                        null)
                .withProviderRules(
                        List.of(new ProviderRule(List.of(), LabelSelector.ALL, UpgradeProvider.NODE_UPGRADE, template)))
                .withPrefetchCaps(caps));
    }

    private void at(String instant) {
        fleetScenario.advance(Duration.between(fleetScenario.now, Instant.parse(instant)));
    }

    private static CampaignBuilder campaign() {
        return CampaignBuilder.named("up").target("version=v1.33.2").prepare(Duration.ofHours(12));
    }

    private List<String> warnings(CampaignBuilder campaign) {
        return CampaignWarningFinder.findIfAccepted(
                        fleetScenario.state, GateChain.standard(), campaign.build(), fleetScenario.now)
                .stream()
                .filter(warning -> warning.kind() == CampaignWarning.WarningKind.PREPARATION)
                .map(CampaignWarning::message)
                .toList();
    }

    @Test
    void warnsThatNothingHoldsMachinesBackLongEnoughToPrepareThem() {
        assertThat(warnings(campaign()))
                .containsExactly(
                        "has prepare, but prepares nothing: with one wave, no startAt ahead and no maintenance window,"
                                + " the upgrades of 4 machines may start at once, and fetch what they need");
    }

    @Test
    void doesNotWarnOfACampaignWithAWindow() {
        assertThat(warnings(campaign().window(NIGHT))).isEmpty();
    }

    @Test
    void doesNotWarnOfACampaignThatStartsLater() {
        assertThat(warnings(campaign().startAt(fleetScenario.now.plus(Duration.ofHours(1)))))
                .isEmpty();
    }

    @Test
    void doesNotWarnOfACampaignWithALaterWave() {
        assertThat(warnings(campaign()
                        .share("canary", new CountOrPercent.Percent(50))
                        .share("rest", new CountOrPercent.Percent(100))))
                .isEmpty();
    }

    private void nightlyCampaign() {
        fleetScenario.campaign(campaign().window(NIGHT).build());
    }

    private List<String> preparing() {
        return fleetScenario.rows.values().stream()
                .filter(row -> row instanceof MachineStatus status && status.isPreparing())
                .map(row -> ((MachineStatus) row).key().name())
                .toList();
    }

    private @Nullable MachinePreparation preparation(String name) {
        MachineStatus status = fleetScenario.status(name);
        return status == null ? null : status.preparation();
    }

    private PreparationProgress progress(String name) {
        MachinePreparation preparation = preparation(name);
        assertThat(preparation).isNotNull();
        return preparation.progress();
    }

    private WorkerCommand.PrepareMachine prepareCommand(String name) {
        WorkerCommand command = fleetScenario.command(name);
        assertThat(command).isInstanceOf(WorkerCommand.PrepareMachine.class);
        return (WorkerCommand.PrepareMachine) command;
    }

    private void report(String name, AttemptReport report) {
        WorkerCommand.PrepareMachine command = prepareCommand(name);
        fleetScenario.receive(
                new AttemptProgress(command.key(), command.uid(), command.attemptId(), report, fleetScenario.now));
    }

    private void failPreparation(String name, FailureClass failureClass) {
        report(
                name,
                new AttemptReport.Failed(failureClass, FailureReason.NODE_UPGRADE_FAILED, "no route to the registry"));
    }

    @Test
    void preparesAheadOfTheWindow() {
        nightlyCampaign();
        at("2026-03-01T09:59:59Z");
        assertThat(preparing()).isEmpty();

        at("2026-03-01T10:00:00Z");

        assertThat(preparing()).containsExactly("w0", "w1", "w2", "w3");
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(prepareCommand("w0").deadline()).isEqualTo("2026-03-01T10:30:00Z");
        assertThat(prepareCommand("w0").leaseExpiresAt()).isEqualTo("2026-03-01T10:15:00Z");
        assertThat(prepareCommand("w0").template()).isEqualTo(TEMPLATE);
    }

    @Test
    void upgradeSaysThatItsMachineIsPrepared() {
        nightlyCampaign();
        at("2026-03-01T10:00:00Z");
        report("w0", new AttemptReport.Prepared());

        assertThat(fleetScenario.command("w0")).isNull();
        assertThat(progress("w0")).isEqualTo(new PreparationProgress.Prepared(fleetScenario.now));

        at("2026-03-01T22:00:00Z");

        assertThat(fleetScenario.command("w0"))
                .isInstanceOfSatisfying(
                        WorkerCommand.UpgradeMachine.class,
                        upgrade -> assertThat(upgrade.prepared()).isTrue());
        fleetScenario.report("w0", new AttemptReport.Succeeded(AttemptReport.SuccessProof.UPGRADED, null, "v1.33.2"));
        assertThat(preparation("w0")).isNull();
    }

    @Test
    void doesNotPrepareWhatIsPrepared() {
        nightlyCampaign();
        at("2026-03-01T10:00:00Z");
        report("w0", new AttemptReport.Prepared());
        at("2026-03-01T11:00:00Z");

        assertThat(preparing()).doesNotContain("w0");
    }

    @Test
    void preparesAgainForAnotherTemplate() {
        nightlyCampaign();
        at("2026-03-01T10:00:00Z");
        report("w0", new AttemptReport.Prepared());

        policy(PrefetchCaps.NONE, OTHER_TEMPLATE);

        assertThat(prepareCommand("w0").template()).isEqualTo(OTHER_TEMPLATE);
    }

    @Test
    void unpreparedMachineIsUpgradedWhenTheWindowOpens() {
        nightlyCampaign();
        fleetScenario.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.FREEZE);
        at("2026-03-01T21:58:00Z");
        fleetScenario.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.UNFREEZE);
        assertThat(preparing()).as("too late to prepare").isEmpty();

        at("2026-03-01T22:00:00Z");

        assertThat(fleetScenario.inFlight()).hasSize(MACHINES);
        assertThat(fleetScenario.command("w0"))
                .isInstanceOfSatisfying(
                        WorkerCommand.UpgradeMachine.class,
                        upgrade -> assertThat(upgrade.prepared()).isFalse());
    }

    @Test
    void upgradeAwaitsTheEndOfAPreparation() {
        nightlyCampaign();
        fleetScenario.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.FREEZE);
        at("2026-03-01T21:50:00Z");
        fleetScenario.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.UNFREEZE);
        assertThat(prepareCommand("w0").deadline()).isEqualTo("2026-03-01T22:00:00Z");

        at("2026-03-01T22:00:00Z");
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.closed("w0")).containsExactly(GateLabel.PREPARATION);
        report("w0", new AttemptReport.Prepared());
        assertThat(fleetScenario.inFlight()).containsExactly("w0");

        at("2026-03-01T22:05:00Z");
        assertThat(fleetScenario.inFlight()).hasSize(MACHINES);
        assertThat(fleetScenario.events()).contains(DecisionEvent.PREPARATION_FAILED);
    }

    @Test
    void countsMachinesThatPrepareAgainstTheirOwnCaps() {
        policy(new PrefetchCaps(new CountOrPercent.Count(3), new CountOrPercent.Count(2)), TEMPLATE);
        nightlyCampaign();
        at("2026-03-01T10:00:00Z");
        assertThat(preparing()).containsExactly("w0", "w1");

        report("w0", new AttemptReport.Prepared());
        assertThat(preparing()).containsExactly("w1", "w2");
        policy(new PrefetchCaps(new CountOrPercent.Count(1), new CountOrPercent.Count(2)), TEMPLATE);
        report("w1", new AttemptReport.Prepared());
        assertThat(preparing()).containsExactly("w2");
        report("w2", new AttemptReport.Prepared());
        assertThat(preparing()).containsExactly("w3");
    }

    @Test
    void tenMachinesOfASitePrepareAtOnceByDefault() {
        for (int i = MACHINES; i < 20; i++) {
            fleetScenario.receive(row("w" + i).build());
        }
        nightlyCampaign();
        at("2026-03-01T10:00:00Z");

        assertThat(preparing()).hasSize(10);
    }

    @Test
    void pausedCampaignBeginsNoPreparation() {
        nightlyCampaign();
        fleetScenario.order(
                new OperatorOrderKey.SetCampaignState(new CampaignName("up")), OperatorOrder.OrderVerb.PAUSE);
        at("2026-03-01T10:00:00Z");
        assertThat(preparing()).isEmpty();

        fleetScenario.order(new OperatorOrderKey.SetCampaignState(new CampaignName("up")), OperatorOrder.OrderVerb.RUN);
        assertThat(preparing()).hasSize(MACHINES);
    }

    @Test
    void frozenFleetBeginsNoPreparation() {
        nightlyCampaign();
        fleetScenario.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.FREEZE);
        at("2026-03-01T10:00:00Z");
        assertThat(preparing()).isEmpty();

        fleetScenario.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.UNFREEZE);
        assertThat(preparing()).hasSize(MACHINES);
    }

    @Test
    void preparesAheadOfTheStartOfTheCampaign() {
        fleetScenario.campaign(
                campaign().startAt(Instant.parse("2026-03-03T08:00:00Z")).build());
        at("2026-03-02T19:59:00Z");
        assertThat(preparing()).isEmpty();
        at("2026-03-02T20:00:00Z");
        assertThat(preparing()).hasSize(MACHINES);
    }

    @Test
    void machinesThatMayStartAreNotPrepared() {
        fleetScenario.cap(1);
        policy(PrefetchCaps.NONE, TEMPLATE);
        fleetScenario.campaign(campaign().inFlight(new CountOrPercent.Count(1)).build());
        at("2026-03-01T10:00:00Z");

        assertThat(fleetScenario.inFlight()).hasSize(1);
        assertThat(preparing()).isEmpty();
    }

    @Test
    void preparationThatWaitsForAPersonIsTriedAgainAndCountsAsNoTry() {
        nightlyCampaign();
        at("2026-03-01T10:00:00Z");
        report("w0", new AttemptReport.Deferred("no NodeUpgradeTemplate"));
        assertThat(progress("w0"))
                .isEqualTo(new PreparationProgress.PreparationFailed(
                        "no NodeUpgradeTemplate", Instant.parse("2026-03-01T10:15:00Z")));
        at("2026-03-01T10:14:59Z");
        assertThat(preparing()).doesNotContain("w0");
        for (String next : List.of("2026-03-01T10:15:00Z", "2026-03-01T10:30:00Z", "2026-03-01T10:45:00Z")) {
            at(next);
            report("w0", new AttemptReport.Deferred("no NodeUpgradeTemplate"));
        }
        at("2026-03-01T11:00:00Z");
        assertThat(preparing()).contains("w0");
    }

    @Test
    void triesAFailedPreparationThreeTimes() {
        nightlyCampaign();
        at("2026-03-01T10:00:00Z");
        failPreparation("w0", FailureClass.RETRYABLE);
        assertThat(progress("w0"))
                .isEqualTo(new PreparationProgress.PreparationFailed(
                        "node-upgrade-failed: no route to the registry", Instant.parse("2026-03-01T10:05:00Z")));
        at("2026-03-01T10:04:59Z");
        assertThat(preparing()).doesNotContain("w0");

        at("2026-03-01T10:05:00Z");
        failPreparation("w0", FailureClass.RETRYABLE);
        at("2026-03-01T10:15:00Z");
        failPreparation("w0", FailureClass.RETRYABLE);

        assertThat(progress("w0"))
                .isInstanceOfSatisfying(
                        PreparationProgress.PreparationFailed.class,
                        failed -> assertThat(failed.retryAt()).isNull());
        at("2026-03-01T22:00:00Z");
        assertThat(fleetScenario.inFlight()).contains("w0");
        assertThat(fleetScenario.events()).doesNotContain(DecisionEvent.MACHINE_QUARANTINED);
    }

    @Test
    void terminalFailureIsNotRetried() {
        nightlyCampaign();
        at("2026-03-01T10:00:00Z");
        failPreparation("w0", FailureClass.TERMINAL);
        at("2026-03-01T21:00:00Z");

        assertThat(preparing()).doesNotContain("w0");
    }

    @Test
    void preparationWithoutReportFails() {
        nightlyCampaign();
        at("2026-03-01T10:00:00Z");
        at("2026-03-01T10:34:59Z");
        assertThat(preparing()).contains("w0");
        at("2026-03-01T10:35:00Z");

        assertThat(progress("w0")).isInstanceOf(PreparationProgress.PreparationFailed.class);
        assertThat(fleetScenario.command("w0")).isNull();
    }

    @Test
    void deletedMachineIsNotPrepared() {
        nightlyCampaign();
        at("2026-03-01T10:00:00Z");
        fleetScenario.receive(row("w0").deleting().build());
        fleetScenario.receive(new Tombstone(new RowKey(Table.INVENTORY, FleetScenario.machine("w0"))));

        assertThat(fleetScenario.command("w0")).isNull();
        assertThat(fleetScenario.status("w0")).isNull();
    }

    @Test
    void secondWaveIsPreparedWhileTheFirstRuns() {
        fleetScenario.receive(new ClusterRow(
                new ClusterKey(FleetScenario.SITE, "default", "canary"),
                "uid-canary",
                CampaignBuilder.labels("ring", "canary"),
                false,
                false,
                null,
                0,
                1));
        fleetScenario.receive(MachineRowBuilder.of(FleetScenario.SITE, "canary", "c0")
                .provider(UpgradeProvider.NODE_UPGRADE)
                .revision(null)
                .version("v1.32.1")
                .build());
        fleetScenario.campaign(campaign()
                .wave("canary", CampaignBuilder.where("ring", "canary"), false, 100)
                .wave("rest", LabelSelector.ALL, false, 100)
                .build());

        assertThat(fleetScenario.inFlight()).containsExactly("c0");
        assertThat(preparing()).containsExactly("w0", "w1", "w2", "w3");
    }

    @Test
    void failedUpgradeForgetsItsPreparation() {
        nightlyCampaign();
        at("2026-03-01T10:00:00Z");
        report("w0", new AttemptReport.Prepared());
        at("2026-03-01T22:00:00Z");
        fleetScenario.fail("w0");

        assertThat(preparation("w0")).isNull();
    }
}
