package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.NodeUpgradeTemplateRef;
import dev.flotilla.schemas.row.OperatorOrder.OrderVerb;
import dev.flotilla.schemas.row.ProviderRule;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.UpgradeProvider;
import dev.flotilla.schemas.row.WorkerCommand;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A NodeUpgrade that runs is aborted when nobody requests it any more. A refresh by k8sd never is. */
class NodeUpgradeAbortTest {
    private static final String RELEASE = "version=v1.33.2";
    private static final String CHANNEL = "channel=1.33-classic/stable";
    private static final ObjectKey MACHINE = FleetScenario.machine("w0");
    private static final AttemptReport ABORTED = new AttemptReport.Aborted("it was aborted: before step restart");
    private static final NodeUpgradeTemplateRef TEMPLATE =
            new NodeUpgradeTemplateRef("flotilla.dev/v1alpha1", "NodeUpgradeTemplate", "kubeadm");

    private final FleetScenario fleetScenario = FleetScenario.open();

    /** An order or a change that ends the request for an upgrade. */
    private enum Withdrawal {
        CAMPAIGN_ABORTED("rollout-ended"),
        CAMPAIGN_DELETED("rollout-ended"),
        MACHINE_SKIPPED("skipped");

        private final String reason;

        Withdrawal(String reason) {
            this.reason = reason;
        }
    }

    private void worker(UpgradeProvider provider) {
        fleetScenario.receive(FleetScenario.policy(FleetScope.FLEET, null)
                .withProviderRules(List.of(new ProviderRule(
                        List.of(),
                        LabelSelector.ALL,
                        provider,
                        provider == UpgradeProvider.NODE_UPGRADE ? TEMPLATE : null))));
        fleetScenario.receive(new ClusterRow(
                new ClusterKey(FleetScenario.SITE, "default", "k"), "uid-k", Labels.NONE, false, false, null, 0, 1));
        fleetScenario.receive(row(provider).build());
    }

    private static MachineRowBuilder row(UpgradeProvider provider) {
        return MachineRowBuilder.of(FleetScenario.SITE, "k", "w0")
                .provider(provider)
                .version("v1.32.1")
                .revision(provider == UpgradeProvider.K8SD ? "3000" : null);
    }

    private void campaign(String target) {
        fleetScenario.campaign(CampaignBuilder.named("up").target(target).build());
    }

    private void called() {
        fleetScenario.step("w0", AttemptStep.STARTING);
        fleetScenario.step("w0", AttemptStep.REFRESHING);
    }

    private void withdraw(Withdrawal withdrawal) {
        CampaignName up = new CampaignName("up");
        switch (withdrawal) {
            case CAMPAIGN_ABORTED -> fleetScenario.order(new OperatorOrderKey.SetCampaignState(up), OrderVerb.ABORT);
            case CAMPAIGN_DELETED -> fleetScenario.receive(new Tombstone(new RowKey(Table.CAMPAIGNS, up)));
            case MACHINE_SKIPPED ->
                fleetScenario.order(new OperatorOrderKey.SkipMachine(up, FleetScenario.machine("w0")), OrderVerb.SKIP);
        }
    }

    private WorkerCommand.@Nullable CancelUpgrade cancellation() {
        return fleetScenario.command("w0") instanceof WorkerCommand.CancelUpgrade cancel ? cancel : null;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatHasCalledIsAbortedWhenItsMachineIsDeleted(boolean byNodeUpgrade) {
        UpgradeProvider provider = byNodeUpgrade ? UpgradeProvider.NODE_UPGRADE : UpgradeProvider.K8SD;
        worker(provider);
        campaign(byNodeUpgrade ? RELEASE : CHANNEL);
        called();
        fleetScenario.receive(row(provider).deleting().build());
        if (!byNodeUpgrade) {
            assertThat(cancellation()).isNull();
            return;
        }
        assertThat(cancellation()).isNotNull().satisfies(cancel -> {
            assertThat(cancel.reason()).isEqualTo("machine-deleted");
            assertThat(cancel.upgrade()).isNotNull();
        });
        assertThat(fleetScenario.inFlight()).containsExactly("w0");
        fleetScenario.report("w0", ABORTED);
        assertThat(fleetScenario.inFlight()).isEmpty();
        fleetScenario.advance(Duration.ofHours(1));
        assertThat(fleetScenario.inFlight()).isEmpty();
    }

    @Test
    void whatHasCalledIsNotAbortedWhenAnotherMachineOfTheNameIsDeleted() {
        worker(UpgradeProvider.NODE_UPGRADE);
        campaign(RELEASE);
        called();
        fleetScenario.receive(
                row(UpgradeProvider.NODE_UPGRADE).uid("uid-later").deleting().build());
        assertThat(cancellation()).isNull();
    }

    @ParameterizedTest
    @EnumSource(Withdrawal.class)
    void whatHasCalledIsAbortedWhenTheCampaignWantsItNoMore(Withdrawal withdrawal) {
        worker(UpgradeProvider.NODE_UPGRADE);
        campaign(RELEASE);
        called();
        withdraw(withdrawal);
        assertThat(cancellation()).isNotNull().satisfies(cancel -> {
            assertThat(cancel.reason()).isEqualTo(withdrawal.reason);
            assertThat(cancel.template()).isEqualTo(TEMPLATE);
            assertThat(cancel.upgrade()).isNotNull();
            assertThat(cancel.upgrade().target().text()).isEqualTo(RELEASE);
        });
        assertThat(fleetScenario.inFlight()).containsExactly("w0");
        fleetScenario.report("w0", ABORTED);
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.events()).contains(DecisionEvent.ATTEMPT_ABORTED);
        assertThat(fleetScenario.events()).doesNotContain(DecisionEvent.ATTEMPT_FAILED);
    }

    @ParameterizedTest
    @EnumSource(Withdrawal.class)
    void aRefreshIsNeverInterrupted(Withdrawal withdrawal) {
        worker(UpgradeProvider.K8SD);
        campaign(CHANNEL);
        called();
        withdraw(withdrawal);
        assertThat(cancellation()).isNull();
        assertThat(fleetScenario.attempt("w0").cancelled()).isFalse();
    }

    @Test
    void whatAnUnknownOutcomeHasBegunIsAborted() {
        worker(UpgradeProvider.NODE_UPGRADE);
        campaign(RELEASE);
        called();
        fleetScenario.report("w0", new AttemptReport.OutcomeUnknown("its controller is silent"));
        withdraw(Withdrawal.CAMPAIGN_ABORTED);
        assertThat(cancellation()).isNotNull();
    }

    @Test
    void aPauseOrAFreezeAwaitsWhatRuns() {
        worker(UpgradeProvider.NODE_UPGRADE);
        campaign(RELEASE);
        called();
        fleetScenario.order(new OperatorOrderKey.SetCampaignState(new CampaignName("up")), OrderVerb.PAUSE);
        fleetScenario.order(new OperatorOrderKey.FreezeFleet(), OrderVerb.FREEZE);
        assertThat(fleetScenario.campaignStatus("up").state()).isEqualTo(CampaignState.PAUSED);
        assertThat(cancellation()).isNull();
    }

    @Test
    void anIntentThatIsWithdrawnAbortsWhatRuns() {
        worker(UpgradeProvider.NODE_UPGRADE);
        fleetScenario.requestUpgrade(MACHINE, RELEASE);
        called();
        fleetScenario.removeIntent(MACHINE);
        assertThat(cancellation())
                .isNotNull()
                .satisfies(cancel -> assertThat(cancel.reason()).isEqualTo("rollout-ended"));
        fleetScenario.report("w0", ABORTED);
        assertThat(fleetScenario.inFlight()).isEmpty();
    }

    @Test
    void anotherTargetAbortsWhatRunsAndIsTriedThen() {
        worker(UpgradeProvider.NODE_UPGRADE);
        fleetScenario.requestUpgrade(MACHINE, RELEASE);
        called();
        fleetScenario.advance(Duration.ofMinutes(1));
        fleetScenario.requestUpgrade(MACHINE, "version=v1.33.3");
        assertThat(cancellation()).isNotNull();
        fleetScenario.report("w0", ABORTED);
        assertThat(fleetScenario.attempt("w0").target().text()).isEqualTo("version=v1.33.3");
    }

    @Test
    void anIntentThatIsWrittenAgainAbortsNothing() {
        worker(UpgradeProvider.NODE_UPGRADE);
        fleetScenario.requestUpgrade(MACHINE, RELEASE);
        called();
        fleetScenario.advance(Duration.ofMinutes(1));
        fleetScenario.requestUpgrade(MACHINE, RELEASE);
        assertThat(cancellation()).isNull();
    }

    @Test
    void anotherIntentForTheMachineAwaitsWhatRuns() {
        worker(UpgradeProvider.NODE_UPGRADE);
        fleetScenario.requestUpgrade(new ClusterKey(FleetScenario.SITE, "default", "k"), RELEASE);
        called();
        fleetScenario.requestUpgrade(MACHINE, "version=v1.33.3");
        assertThat(cancellation()).isNull();
    }

    @Test
    void anAbortIsNoFailureAndSpendsNoBudget() {
        worker(UpgradeProvider.NODE_UPGRADE);
        campaign(RELEASE);
        called();
        withdraw(Withdrawal.CAMPAIGN_ABORTED);
        fleetScenario.report("w0", ABORTED);
        assertThat(fleetScenario.entry("w0").failedAttempts()).isZero();
        assertThat(fleetScenario.outcome("w0")).isEqualTo(MachineOutcome.OPEN);
        assertThat(fleetScenario.status("w0").lastFailure()).isNull();
    }

    @Test
    void anIntentThatIsRequestedAgainStartsTheMachineAgain() {
        worker(UpgradeProvider.NODE_UPGRADE);
        fleetScenario.requestUpgrade(MACHINE, RELEASE);
        called();
        long first = fleetScenario.attempt("w0").id();
        fleetScenario.removeIntent(MACHINE);
        fleetScenario.requestUpgrade(MACHINE, RELEASE);
        assertThat(fleetScenario.attempt("w0").id()).as("one attempt at a time").isEqualTo(first);
        fleetScenario.report("w0", ABORTED);
        assertThat(fleetScenario.attempt("w0").id()).isGreaterThan(first);
    }
}
