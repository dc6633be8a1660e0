package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.fleet.time.CommandLeaseTimeouts;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.WorkerCommand;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AttemptLifecycleTest {
    private final FleetScenario fleetScenario = FleetScenario.open();

    @BeforeEach
    void oneWorkerStarts() {
        fleetScenario.cluster("c", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
    }

    @Test
    void isAdmittedWithACommandThatExpires() {
        assertThat(fleetScenario.attempt("c-w-0").state())
                .isEqualTo(new AttemptState.Admitted(fleetScenario.now.plus(CommandLeaseTimeouts.DURATION)));
        assertThat(fleetScenario.command("c-w-0"))
                .isInstanceOfSatisfying(WorkerCommand.UpgradeMachine.class, command -> {
                    assertThat(command.leaseExpiresAt())
                            .isEqualTo(fleetScenario.now.plus(CommandLeaseTimeouts.DURATION));
                    assertThat(command.attemptId())
                            .isEqualTo(fleetScenario.attempt("c-w-0").id());
                    assertThat(command.uid()).isEqualTo(FleetScenario.uidOf("c-w-0"));
                });
    }

    @Test
    void hasTheNumberOfTheJournalRecordThatAdmitsIt() {
        Decision admission = fleetScenario.decisions.stream()
                .filter(decision -> decision.event() == DecisionEvent.ATTEMPT_ADMITTED)
                .findFirst()
                .orElseThrow();
        assertThat(fleetScenario.attempt("c-w-0").id()).isEqualTo(admission.seq());
    }

    @Test
    void succeedsOnTheWorkersProofAndFreesItsSlot() {
        fleetScenario.succeed("c-w-0");
        assertThat(fleetScenario.outcome("c-w-0")).isEqualTo(MachineOutcome.SUCCEEDED);
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.rows.get(new RowKey(Table.COMMANDS, FleetScenario.machine("c-w-0"))))
                .isInstanceOf(Tombstone.class);
        assertThat(fleetScenario.state.inFlight()).isZero();
    }

    /** The entry keeps the target: the attempt is closed, and the campaign may have another target by then. */
    @Test
    void recordsTheTargetThatTheMachineReached() {
        UpgradeTarget target = fleetScenario.attempt("c-w-0").target();
        fleetScenario.succeed("c-w-0");
        assertThat(fleetScenario.entry("c-w-0").target()).isEqualTo(target);
    }

    @Test
    void isUnchangedWhenNoCallWasNeeded() {
        fleetScenario.report("c-w-0", new AttemptReport.Succeeded(AttemptReport.SuccessProof.UNCHANGED, "3421", null));
        assertThat(fleetScenario.outcome("c-w-0")).isEqualTo(MachineOutcome.UNCHANGED);
    }

    @Test
    void resolvesTheChannelFromTheFirstProof() {
        fleetScenario.succeed("c-w-0");
        assertThat(fleetScenario.campaignStatus("up").resolvedTargets())
                .singleElement()
                .satisfies(
                        resolvedTarget -> assertThat(resolvedTarget.revision()).isEqualTo("3421"));
    }

    @Test
    void ignoresAReportOfAnotherNumber() {
        int before = fleetScenario.decisions.size();
        fleetScenario.receive(new AttemptProgress(
                FleetScenario.machine("c-w-0"),
                FleetScenario.uidOf("c-w-0"),
                fleetScenario.attempt("c-w-0").id() + 1,
                new AttemptReport.Succeeded(AttemptReport.SuccessProof.UPGRADED, "1", null),
                fleetScenario.now));
        assertThat(fleetScenario.decisions).hasSize(before);
        assertThat(fleetScenario.inFlight()).containsExactly("c-w-0");
    }

    @Test
    void ignoresAReportOfAnotherUid() {
        fleetScenario.receive(new AttemptProgress(
                FleetScenario.machine("c-w-0"),
                FleetScenario.uidOf("somebody-else"),
                fleetScenario.attempt("c-w-0").id(),
                new AttemptReport.Succeeded(AttemptReport.SuccessProof.UPGRADED, "1", null),
                fleetScenario.now));
        assertThat(fleetScenario.inFlight()).containsExactly("c-w-0");
    }

    @Test
    void ignoresADuplicateOfItsLastReport() {
        fleetScenario.step("c-w-0", AttemptStep.REFRESHING);
        int before = fleetScenario.decisions.size();
        fleetScenario.step("c-w-0", AttemptStep.REFRESHING);
        assertThat(fleetScenario.decisions).hasSize(before);
    }

    @Test
    void neverStepsBack() {
        fleetScenario.step("c-w-0", AttemptStep.VERIFYING);
        fleetScenario.step("c-w-0", AttemptStep.GUARDING);
        assertThat(fleetScenario.attempt("c-w-0").state())
                .isInstanceOfSatisfying(
                        AttemptState.Running.class,
                        running -> assertThat(running.step()).isEqualTo(AttemptStep.VERIFYING));
    }

    @Test
    void isDueWhenItsLeaseExpiresBeforeTheCallAndAtTheAttemptDeadlineAfterIt() {
        fleetScenario.step("c-w-0", AttemptStep.GUARDING);
        assertThat(deadline()).isEqualTo(FleetScenario.START.plus(CommandLeaseTimeouts.DURATION));
        fleetScenario.step("c-w-0", AttemptStep.STARTING);
        assertThat(deadline()).isEqualTo(fleetScenario.now.plus(CommandLeaseTimeouts.ATTEMPT_DEADLINE));
        fleetScenario.advance(Duration.ofMinutes(3));
        fleetScenario.step("c-w-0", AttemptStep.REFRESHING);
        assertThat(deadline()).isEqualTo(FleetScenario.START.plus(CommandLeaseTimeouts.ATTEMPT_DEADLINE));
    }

    @Test
    void usesThePolicysAttemptDeadline() {
        fleetScenario.receive(
                new UpgradePolicy(FleetScope.FLEET, null, null, false, null, Duration.ofMinutes(7), null, null));
        fleetScenario.step("c-w-0", AttemptStep.STARTING);
        assertThat(deadline()).isEqualTo(fleetScenario.now.plus(Duration.ofMinutes(7)));
    }

    @Test
    void isRenewedUnderTheSameNumberBeforeItsLeaseExpires() {
        long number = fleetScenario.attempt("c-w-0").id();
        fleetScenario.advance(CommandLeaseTimeouts.DURATION.minus(CommandLeaseTimeouts.RENEW_BEFORE));
        assertThat(fleetScenario.events()).contains(DecisionEvent.ATTEMPT_RENEWED);
        assertThat(fleetScenario.attempt("c-w-0").id()).isEqualTo(number);
        assertThat(fleetScenario.command("c-w-0"))
                .isInstanceOfSatisfying(
                        WorkerCommand.UpgradeMachine.class,
                        command -> assertThat(command.leaseExpiresAt())
                                .isEqualTo(fleetScenario.now.plus(CommandLeaseTimeouts.DURATION)));
    }

    @Test
    void isNotRenewedWhileItsSiteIsSilent() {
        fleetScenario.decide(new DecisionInput.HeartbeatLost(FleetScenario.SITE, fleetScenario.now));
        fleetScenario.advance(CommandLeaseTimeouts.DURATION.minus(CommandLeaseTimeouts.RENEW_BEFORE));
        assertThat(fleetScenario.events()).doesNotContain(DecisionEvent.ATTEMPT_RENEWED);
    }

    @Test
    void isNotRenewedPastTheCampaignsDeadline() {
        Instant deadline = fleetScenario.now.plus(Duration.ofMinutes(20));
        fleetScenario.campaign(CampaignBuilder.named("up").deadline(deadline).build());
        fleetScenario.advance(Duration.ofMinutes(10));
        assertThat(fleetScenario.command("c-w-0"))
                .isInstanceOfSatisfying(
                        WorkerCommand.UpgradeMachine.class,
                        command -> assertThat(command.leaseExpiresAt()).isEqualTo(deadline));
    }

    @Test
    void isUnknownWithoutAReportByTheEndOfItsLease() {
        fleetScenario.decide(new DecisionInput.HeartbeatLost(FleetScenario.SITE, fleetScenario.now));
        fleetScenario.advance(CommandLeaseTimeouts.DURATION);
        assertThat(fleetScenario.attempt("c-w-0").state()).isInstanceOf(AttemptState.Admitted.class);
        fleetScenario.advance(CommandLeaseTimeouts.GRACE);
        assertThat(fleetScenario.attempt("c-w-0").state()).isInstanceOf(AttemptState.Unknown.class);
        assertThat(fleetScenario.state.inFlight()).isEqualTo(1);
    }

    @Test
    void isUnknownWhenTheCallTakesTooLong() {
        fleetScenario.step("c-w-0", AttemptStep.REFRESHING);
        fleetScenario.advance(CommandLeaseTimeouts.ATTEMPT_DEADLINE);
        assertThat(fleetScenario.attempt("c-w-0").state())
                .isEqualTo(new AttemptState.Unknown(fleetScenario.now, "no report by its deadline"));
    }

    @Test
    void isLostAfterTheUnknownTimeout() {
        fleetScenario.report("c-w-0", new AttemptReport.OutcomeUnknown("crashed"));
        fleetScenario.advance(CommandLeaseTimeouts.LOST_AFTER.minusSeconds(1));
        assertThat(fleetScenario.inFlight()).containsExactly("c-w-0");
        fleetScenario.advance(Duration.ofSeconds(1));
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.status("c-w-0")).isNotNull();
        assertThat(fleetScenario.status("c-w-0").lastFailure().failureClass()).isEqualTo(FailureClass.LOST);
        assertThat(fleetScenario.status("c-w-0").lastFailure().reason()).isEqualTo(FailureReason.NO_REPORT);
        assertThat(fleetScenario.entry("c-w-0").failedAttempts()).isEqualTo(1);
    }

    @Test
    void appliesAChangedUnknownTimeout() {
        fleetScenario.report("c-w-0", new AttemptReport.OutcomeUnknown("crashed"));
        fleetScenario.receive(
                new UpgradePolicy(FleetScope.FLEET, null, null, false, null, null, Duration.ofMinutes(1), null));
        fleetScenario.advance(Duration.ofMinutes(1));
        assertThat(fleetScenario.inFlight()).isEmpty();
    }

    @Test
    void runsAgainAfterUnknownWithAReportOfItsCall() {
        fleetScenario.step("c-w-0", AttemptStep.STARTING);
        fleetScenario.report("c-w-0", new AttemptReport.OutcomeUnknown("cut off"));
        fleetScenario.step("c-w-0", AttemptStep.VERIFYING);
        assertThat(fleetScenario.attempt("c-w-0").state()).isInstanceOf(AttemptState.Running.class);
        fleetScenario.succeed("c-w-0");
        assertThat(fleetScenario.outcome("c-w-0")).isEqualTo(MachineOutcome.SUCCEEDED);
    }

    @Test
    void isRetriedAfterABackoffThatDoubles() {
        fleetScenario.fail("c-w-0");
        Duration first =
                Duration.between(fleetScenario.now, fleetScenario.entry("c-w-0").retryAt());
        assertThat(first).isBetween(Duration.ofSeconds(45), Duration.ofMinutes(1));
        assertThat(fleetScenario.closed("c-w-0")).containsExactly(GateLabel.BACKOFF);
        fleetScenario.advance(first);
        assertThat(fleetScenario.inFlight()).containsExactly("c-w-0");
        fleetScenario.fail("c-w-0");
        Duration second =
                Duration.between(fleetScenario.now, fleetScenario.entry("c-w-0").retryAt());
        assertThat(second).isBetween(Duration.ofSeconds(90), Duration.ofMinutes(2));
    }

    @Test
    void isQuarantinedAfterTheLastTry() {
        for (int i = 0; i < 3; i++) {
            fleetScenario.fail("c-w-0");
            fleetScenario.advance(Duration.ofHours(1));
        }
        assertThat(fleetScenario.outcome("c-w-0")).isEqualTo(MachineOutcome.QUARANTINED);
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.explain("c-w-0").nextStep()).contains("snap said no");
    }

    @Test
    void isQuarantinedAtOnceAfterATerminalFailure() {
        fleetScenario.quarantine("c-w-0");
        assertThat(fleetScenario.outcome("c-w-0")).isEqualTo(MachineOutcome.QUARANTINED);
    }

    @Test
    void countsNoFailureWhenTheWorkerDidNotCall() {
        fleetScenario.report("c-w-0", new AttemptReport.Deferred("another node is away"));
        assertThat(fleetScenario.entry("c-w-0").failedAttempts()).isZero();
        assertThat(fleetScenario.closed("c-w-0")).containsExactly(GateLabel.BACKOFF);
        fleetScenario.advance(Duration.ofSeconds(15));
        assertThat(fleetScenario.inFlight()).containsExactly("c-w-0");
        fleetScenario.report("c-w-0", new AttemptReport.LeaseExpired());
        assertThat(fleetScenario.entry("c-w-0").failedAttempts()).isZero();
        fleetScenario.advance(Duration.ofSeconds(30));
        assertThat(fleetScenario.inFlight()).containsExactly("c-w-0");
    }

    @Test
    void getsANewNumberWithEachTry() {
        long first = fleetScenario.attempt("c-w-0").id();
        fleetScenario.report("c-w-0", new AttemptReport.LeaseExpired());
        fleetScenario.advance(Duration.ofSeconds(15));
        assertThat(fleetScenario.attempt("c-w-0").id()).isGreaterThan(first);
    }

    @Test
    void isCancelledBeforeItsCallWhenItsMachinesRowIsDeleted() {
        fleetScenario.receive(new Tombstone(new RowKey(Table.INVENTORY, FleetScenario.machine("c-w-0"))));
        assertThat(fleetScenario.state.machines()).isZero();
        assertThat(fleetScenario.attempt("c-w-0").cancelled()).isTrue();
        assertThat(fleetScenario.state.inFlight()).isOne();
        fleetScenario.report("c-w-0", new AttemptReport.Cancelled());
        assertThat(fleetScenario.state.inFlight()).isZero();
    }

    @Test
    void endsWhenAnotherMachineHasTheNameAndStartsThatMachine() {
        long first = fleetScenario.attempt("c-w-0").id();
        fleetScenario.receive(MachineRowBuilder.of(FleetScenario.SITE, "c", "c-w-0")
                .uid(FleetScenario.uidOf("again"))
                .providerId("provider://another")
                .build());
        assertThat(fleetScenario.events()).contains(DecisionEvent.ATTEMPT_VANISHED);
        assertThat(fleetScenario.attempt("c-w-0").id()).isGreaterThan(first);
        assertThat(fleetScenario.status("c-w-0").uid()).isEqualTo(FleetScenario.uidOf("again"));
    }

    @Test
    void isCancelledByAFreezeWhileItHasNotCalled() {
        fleetScenario.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.FREEZE);
        assertThat(fleetScenario.attempt("c-w-0").cancelled()).isTrue();
        assertThat(fleetScenario.command("c-w-0")).isInstanceOf(WorkerCommand.CancelUpgrade.class);
        fleetScenario.report("c-w-0", new AttemptReport.Cancelled());
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.entry("c-w-0").failedAttempts()).isZero();
        assertThat(fleetScenario.closed("c-w-0")).contains(GateLabel.FREEZE);
    }

    @Test
    void isNeverCancelledOnceItMayHaveCalled() {
        fleetScenario.step("c-w-0", AttemptStep.STARTING);
        fleetScenario.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.FREEZE);
        assertThat(fleetScenario.attempt("c-w-0").cancelled()).isFalse();
        assertThat(fleetScenario.command("c-w-0")).isInstanceOf(WorkerCommand.UpgradeMachine.class);
    }

    @Test
    void isUnknownWhenItWasCancelledAndNoReportArrives() {
        fleetScenario.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.FREEZE);
        fleetScenario.advance(CommandLeaseTimeouts.DURATION.plus(CommandLeaseTimeouts.GRACE));
        assertThat(fleetScenario.attempt("c-w-0").state()).isInstanceOf(AttemptState.Unknown.class);
    }

    @Test
    void isWrittenOffWithItsSite() {
        fleetScenario.step("c-w-0", AttemptStep.REFRESHING);
        fleetScenario.decide(new DecisionInput.HeartbeatLost(FleetScenario.SITE, fleetScenario.now));
        fleetScenario.order(new OperatorOrderKey.WriteOffSite(FleetScenario.SITE), OperatorOrder.OrderVerb.WRITE_OFF);
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.status("c-w-0").lastFailure().reason()).isEqualTo(FailureReason.WRITTEN_OFF);
    }

    private Instant deadline() {
        return fleetScenario.attempt("c-w-0").state() instanceof AttemptState.Running running
                ? running.deadline()
                : Instant.EPOCH;
    }

    @Test
    void writesResolvedTargetsOnlyWhenTheyChange() {
        fleetScenario.cluster("d", 0, 1);
        fleetScenario.succeed("c-w-0");
        int before = fleetScenario.decisions.size();
        fleetScenario.succeed("d-w-0");
        assertThat(fleetScenario.decisions.get(before).event()).isEqualTo(DecisionEvent.ATTEMPT_SUCCEEDED);
        assertThat(fleetScenario.decisions.get(before).changes())
                .noneMatch(dev.flotilla.schemas.row.CampaignStatus.class::isInstance);
    }
}
