package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.fleet.Licence;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.topic.Table;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AttemptTest {
    private final Scene scene = Scene.open();

    @BeforeEach
    void oneWorkerStarts() {
        scene.cluster("c", 0, 1);
        scene.campaign(CampaignBuilder.named("up").build());
    }

    @Test
    void isAdmittedWithACommandThatExpires() {
        assertThat(scene.attempt("c-w-0").state()).isEqualTo(new AttemptState.Admitted(scene.now.plus(Licence.LENGTH)));
        assertThat(scene.command("c-w-0")).isInstanceOfSatisfying(WorkerCommand.UpgradeMachine.class, command -> {
            assertThat(command.leaseExpiresAt()).isEqualTo(scene.now.plus(Licence.LENGTH));
            assertThat(command.attemptId()).isEqualTo(scene.attempt("c-w-0").id());
            assertThat(command.uid()).isEqualTo(Scene.uidOf("c-w-0"));
        });
    }

    @Test
    void hasTheNumberOfItsAdmissionsJournalRecord() {
        Decision admission = scene.decisions.stream()
                .filter(decision -> decision.event() == Event.ATTEMPT_ADMITTED)
                .findFirst()
                .orElseThrow();
        assertThat(scene.attempt("c-w-0").id()).isEqualTo(admission.seq());
    }

    @Test
    void succeedsOnTheWorkersProofAndLetsGoOfItsSlot() {
        scene.succeed("c-w-0");
        assertThat(scene.outcome("c-w-0")).isEqualTo(MachineOutcome.SUCCEEDED);
        assertThat(scene.inFlight()).isEmpty();
        assertThat(scene.rows.get(new RowKey(Table.COMMANDS, Scene.machine("c-w-0"))))
                .isInstanceOf(Tombstone.class);
        assertThat(scene.state.inFlight()).isZero();
    }

    /** Else nothing would say it: the attempt is gone, and the campaign may have another target by then. */
    @Test
    void leavesBehindToWhatTheMachineWasBrought() {
        UpgradeTarget target = scene.attempt("c-w-0").target();
        scene.succeed("c-w-0");
        assertThat(scene.entry("c-w-0").target()).isEqualTo(target);
    }

    @Test
    void isUnchangedWhereNoCallWasNeeded() {
        scene.report("c-w-0", new AttemptReport.Succeeded(AttemptReport.SuccessProof.UNCHANGED, "3421", null));
        assertThat(scene.outcome("c-w-0")).isEqualTo(MachineOutcome.UNCHANGED);
    }

    @Test
    void learnsWhatTheChannelMeansFromTheFirstProof() {
        scene.succeed("c-w-0");
        assertThat(scene.campaignStatus("up").resolvedTargets())
                .singleElement()
                .satisfies(resolvedTarget -> assertThat(resolvedTarget.revision()).isEqualTo("3421"));
    }

    @Test
    void ignoresAReportOfAnotherNumber() {
        int before = scene.decisions.size();
        scene.arrive(new AttemptProgress(
                Scene.machine("c-w-0"),
                Scene.uidOf("c-w-0"),
                scene.attempt("c-w-0").id() + 1,
                new AttemptReport.Succeeded(AttemptReport.SuccessProof.UPGRADED, "1", null),
                scene.now));
        assertThat(scene.decisions).hasSize(before);
        assertThat(scene.inFlight()).containsExactly("c-w-0");
    }

    @Test
    void ignoresAReportOfAnotherUid() {
        scene.arrive(new AttemptProgress(
                Scene.machine("c-w-0"),
                Scene.uidOf("somebody-else"),
                scene.attempt("c-w-0").id(),
                new AttemptReport.Succeeded(AttemptReport.SuccessProof.UPGRADED, "1", null),
                scene.now));
        assertThat(scene.inFlight()).containsExactly("c-w-0");
    }

    @Test
    void ignoresADuplicateOfItsLastReport() {
        scene.step("c-w-0", AttemptStep.REFRESHING);
        int before = scene.decisions.size();
        scene.step("c-w-0", AttemptStep.REFRESHING);
        assertThat(scene.decisions).hasSize(before);
    }

    @Test
    void neverStepsBack() {
        scene.step("c-w-0", AttemptStep.VERIFYING);
        scene.step("c-w-0", AttemptStep.GUARDING);
        assertThat(scene.attempt("c-w-0").state())
                .isInstanceOfSatisfying(
                        AttemptState.Running.class,
                        running -> assertThat(running.step()).isEqualTo(AttemptStep.VERIFYING));
    }

    @Test
    void isDueAtItsLicencesEndBeforeTheCallAndAtTheAttemptDeadlineAfterIt() {
        scene.step("c-w-0", AttemptStep.GUARDING);
        assertThat(deadline()).isEqualTo(Scene.START.plus(Licence.LENGTH));
        scene.step("c-w-0", AttemptStep.STARTING);
        assertThat(deadline()).isEqualTo(scene.now.plus(Licence.ATTEMPT_DEADLINE));
        scene.pass(Duration.ofMinutes(3));
        scene.step("c-w-0", AttemptStep.REFRESHING);
        assertThat(deadline()).isEqualTo(Scene.START.plus(Licence.ATTEMPT_DEADLINE));
    }

    @Test
    void takesThePolicysAttemptDeadline() {
        scene.arrive(new UpgradePolicy(FleetScope.FLEET, null, null, false, null, Duration.ofMinutes(7), null, null));
        scene.step("c-w-0", AttemptStep.STARTING);
        assertThat(deadline()).isEqualTo(scene.now.plus(Duration.ofMinutes(7)));
    }

    @Test
    void isRenewedUnderTheSameNumberBeforeItsLicenceEnds() {
        long number = scene.attempt("c-w-0").id();
        scene.pass(Licence.LENGTH.minus(Licence.RENEW_BEFORE));
        assertThat(scene.events()).contains(Event.ATTEMPT_RENEWED);
        assertThat(scene.attempt("c-w-0").id()).isEqualTo(number);
        assertThat(scene.command("c-w-0"))
                .isInstanceOfSatisfying(
                        WorkerCommand.UpgradeMachine.class,
                        command -> assertThat(command.leaseExpiresAt()).isEqualTo(scene.now.plus(Licence.LENGTH)));
    }

    @Test
    void isNotRenewedWhileItsSiteIsSilent() {
        scene.take(new Input.SiteSilent(Scene.SITE, scene.now));
        scene.pass(Licence.LENGTH.minus(Licence.RENEW_BEFORE));
        assertThat(scene.events()).doesNotContain(Event.ATTEMPT_RENEWED);
    }

    @Test
    void isNotRenewedPastTheCampaignsDeadline() {
        Instant deadline = scene.now.plus(Duration.ofMinutes(20));
        scene.campaign(CampaignBuilder.named("up").deadline(deadline).build());
        scene.pass(Duration.ofMinutes(10));
        assertThat(scene.command("c-w-0"))
                .isInstanceOfSatisfying(
                        WorkerCommand.UpgradeMachine.class,
                        command -> assertThat(command.leaseExpiresAt()).isEqualTo(deadline));
    }

    @Test
    void isUnknownWhenNothingIsHeardByTheEndOfItsLicence() {
        scene.take(new Input.SiteSilent(Scene.SITE, scene.now));
        scene.pass(Licence.LENGTH);
        assertThat(scene.attempt("c-w-0").state()).isInstanceOf(AttemptState.Admitted.class);
        scene.pass(Licence.GRACE);
        assertThat(scene.attempt("c-w-0").state()).isInstanceOf(AttemptState.Unknown.class);
        assertThat(scene.state.inFlight()).isEqualTo(1);
    }

    @Test
    void isUnknownWhenTheCallTakesTooLong() {
        scene.step("c-w-0", AttemptStep.REFRESHING);
        scene.pass(Licence.ATTEMPT_DEADLINE);
        assertThat(scene.attempt("c-w-0").state())
                .isEqualTo(new AttemptState.Unknown(scene.now, "no word by its deadline"));
    }

    @Test
    void isLostAfterTheTimeThatUnknownIsWaitedFor() {
        scene.report("c-w-0", new AttemptReport.OutcomeUnknown("crashed"));
        scene.pass(Licence.LOST_AFTER.minusSeconds(1));
        assertThat(scene.inFlight()).containsExactly("c-w-0");
        scene.pass(Duration.ofSeconds(1));
        assertThat(scene.inFlight()).isEmpty();
        assertThat(scene.status("c-w-0")).isNotNull();
        assertThat(scene.status("c-w-0").lastFailure().failureClass()).isEqualTo(FailureClass.LOST);
        assertThat(scene.status("c-w-0").lastFailure().reason()).isEqualTo(FailureReason.NO_REPORT);
        assertThat(scene.entry("c-w-0").failedAttempts()).isEqualTo(1);
    }

    @Test
    void followsAChangedPolicyOnHowLongUnknownIsWaitedFor() {
        scene.report("c-w-0", new AttemptReport.OutcomeUnknown("crashed"));
        scene.arrive(new UpgradePolicy(FleetScope.FLEET, null, null, false, null, null, Duration.ofMinutes(1), null));
        scene.pass(Duration.ofMinutes(1));
        assertThat(scene.inFlight()).isEmpty();
    }

    @Test
    void comesBackFromUnknownWithAReportOfItsCall() {
        scene.step("c-w-0", AttemptStep.STARTING);
        scene.report("c-w-0", new AttemptReport.OutcomeUnknown("cut off"));
        scene.step("c-w-0", AttemptStep.VERIFYING);
        assertThat(scene.attempt("c-w-0").state()).isInstanceOf(AttemptState.Running.class);
        scene.succeed("c-w-0");
        assertThat(scene.outcome("c-w-0")).isEqualTo(MachineOutcome.SUCCEEDED);
    }

    @Test
    void isTriedAgainAfterAWaitThatDoubles() {
        scene.fail("c-w-0");
        Duration first = Duration.between(scene.now, scene.entry("c-w-0").retryAt());
        assertThat(first).isBetween(Duration.ofSeconds(45), Duration.ofMinutes(1));
        assertThat(scene.closed("c-w-0")).containsExactly(GateLabel.BACKOFF);
        scene.pass(first);
        assertThat(scene.inFlight()).containsExactly("c-w-0");
        scene.fail("c-w-0");
        Duration second = Duration.between(scene.now, scene.entry("c-w-0").retryAt());
        assertThat(second).isBetween(Duration.ofSeconds(90), Duration.ofMinutes(2));
    }

    @Test
    void endsInQuarantineAfterTheLastTry() {
        for (int i = 0; i < 3; i++) {
            scene.fail("c-w-0");
            scene.pass(Duration.ofHours(1));
        }
        assertThat(scene.outcome("c-w-0")).isEqualTo(MachineOutcome.QUARANTINED);
        assertThat(scene.inFlight()).isEmpty();
        assertThat(scene.explain("c-w-0").next()).contains("snap said no");
    }

    @Test
    void endsInQuarantineAtOnceWhereAnotherTryCannotHelp() {
        scene.failForGood("c-w-0");
        assertThat(scene.outcome("c-w-0")).isEqualTo(MachineOutcome.QUARANTINED);
    }

    @Test
    void countsNothingWhenTheWorkerDidNotCall() {
        scene.report("c-w-0", new AttemptReport.Deferred("another node is away"));
        assertThat(scene.entry("c-w-0").failedAttempts()).isZero();
        assertThat(scene.closed("c-w-0")).containsExactly(GateLabel.BACKOFF);
        scene.pass(Duration.ofSeconds(15));
        assertThat(scene.inFlight()).containsExactly("c-w-0");
        scene.report("c-w-0", new AttemptReport.LeaseExpired());
        assertThat(scene.entry("c-w-0").failedAttempts()).isZero();
        scene.pass(Duration.ofSeconds(30));
        assertThat(scene.inFlight()).containsExactly("c-w-0");
    }

    @Test
    void getsANewNumberWithEachTry() {
        long first = scene.attempt("c-w-0").id();
        scene.report("c-w-0", new AttemptReport.LeaseExpired());
        scene.pass(Duration.ofSeconds(15));
        assertThat(scene.attempt("c-w-0").id()).isGreaterThan(first);
    }

    @Test
    void isCancelledAsLongAsItHasNotCalledWhenItsMachinesRowIsGone() {
        scene.arrive(new Tombstone(new RowKey(Table.INVENTORY, Scene.machine("c-w-0"))));
        assertThat(scene.state.machines()).isZero();
        assertThat(scene.attempt("c-w-0").cancelled()).isTrue();
        assertThat(scene.state.inFlight()).isOne();
        scene.report("c-w-0", new AttemptReport.Cancelled());
        assertThat(scene.state.inFlight()).isZero();
    }

    @Test
    void vanishesWhenTheNameIsAnotherMachinesAndStartsThatOneAnew() {
        long first = scene.attempt("c-w-0").id();
        scene.arrive(MachineBuilder.of(Scene.SITE, "c", "c-w-0")
                .uid(Scene.uidOf("again"))
                .providerId("provider://another")
                .build());
        assertThat(scene.events()).contains(Event.ATTEMPT_VANISHED);
        assertThat(scene.attempt("c-w-0").id()).isGreaterThan(first);
        assertThat(scene.status("c-w-0").uid()).isEqualTo(Scene.uidOf("again"));
    }

    @Test
    void isCancelledByAFreezeWhileItHasNotCalled() {
        scene.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.FREEZE);
        assertThat(scene.attempt("c-w-0").cancelled()).isTrue();
        assertThat(scene.command("c-w-0")).isInstanceOf(WorkerCommand.CancelUpgrade.class);
        scene.report("c-w-0", new AttemptReport.Cancelled());
        assertThat(scene.inFlight()).isEmpty();
        assertThat(scene.entry("c-w-0").failedAttempts()).isZero();
        assertThat(scene.closed("c-w-0")).contains(GateLabel.FREEZE);
    }

    @Test
    void isNeverCancelledOnceItMayHaveCalled() {
        scene.step("c-w-0", AttemptStep.STARTING);
        scene.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.FREEZE);
        assertThat(scene.attempt("c-w-0").cancelled()).isFalse();
        assertThat(scene.command("c-w-0")).isInstanceOf(WorkerCommand.UpgradeMachine.class);
    }

    @Test
    void isUnknownWhenItWasCancelledAndNothingIsHeard() {
        scene.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.FREEZE);
        scene.pass(Licence.LENGTH.plus(Licence.GRACE));
        assertThat(scene.attempt("c-w-0").state()).isInstanceOf(AttemptState.Unknown.class);
    }

    @Test
    void isWrittenOffWithItsSite() {
        scene.step("c-w-0", AttemptStep.REFRESHING);
        scene.take(new Input.SiteSilent(Scene.SITE, scene.now));
        scene.order(new OperatorOrderKey.WriteOffSite(Scene.SITE), OperatorOrder.OrderVerb.WRITE_OFF);
        assertThat(scene.inFlight()).isEmpty();
        assertThat(scene.status("c-w-0").lastFailure().reason()).isEqualTo(FailureReason.WRITTEN_OFF);
    }

    private Instant deadline() {
        return scene.attempt("c-w-0").state() instanceof AttemptState.Running running
                ? running.deadline()
                : Instant.EPOCH;
    }

    @Test
    void writesWhatItsCampaignHasLearnedOnlyWhereThatIsNew() {
        scene.cluster("d", 0, 1);
        scene.succeed("c-w-0");
        int before = scene.decisions.size();
        scene.succeed("d-w-0");
        assertThat(scene.decisions.get(before).event()).isEqualTo(Event.ATTEMPT_SUCCEEDED);
        assertThat(scene.decisions.get(before).facts())
                .noneMatch(dev.flotilla.schemas.row.CampaignStatus.class::isInstance);
    }
}
