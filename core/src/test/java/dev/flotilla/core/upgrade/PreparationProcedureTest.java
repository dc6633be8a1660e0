package dev.flotilla.core.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.kube.NodeUpgradeName;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.NodeUpgradeTemplateRef;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.WorkerCommand;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class PreparationProcedureTest {
    private static final long LEASE = 900_000;
    private static final long DEADLINE = 3_600_000;
    private static final MachineKey MACHINE = new MachineKey(new SiteId("north"), "fleet", "w-1");
    private static final WorkerCommand.PrepareMachine COMMAND = new WorkerCommand.PrepareMachine(
            MACHINE,
            "uid",
            17,
            MachineRole.WORKER,
            UpgradeTarget.parse("version=v1.36.3"),
            Instant.ofEpochMilli(LEASE),
            Instant.ofEpochMilli(DEADLINE),
            new NodeUpgradeTemplateRef("flotilla.dev/v1alpha1", "NodeUpgradeTemplate", "kubeadm"));
    private static final UpgradeAction CONNECT = new UpgradeAction.ConnectToProvider();
    private static final UpgradeAction POLL = new UpgradeAction.PollChange(NodeUpgradeName.of(COMMAND));
    private static final UpgradeInput CONNECTED = new UpgradeInput.ConnectAttempted(new ConnectResult.Connected());

    private final MachineProcedure procedure = MachineProcedure.create(COMMAND, UpgradeSafeguards.ALL);

    private List<UpgradeAction> handle(UpgradeInput input, long at) {
        return procedure.handle(input, new ClockReading(at, at));
    }

    private List<UpgradeAction> poll(ChangeStatus status, long at) {
        return handle(new UpgradeInput.ChangePolled(status), at);
    }

    private void runToPoll() {
        procedure.begin(null, new ClockReading(0, 0));
        handle(CONNECTED, 0);
        handle(new UpgradeInput.CallReturned(new CallResult.ChangeStarted(NodeUpgradeName.of(COMMAND))), 0);
        assertThat(handle(new UpgradeInput.WaitElapsed(), 1)).containsExactly(POLL);
    }

    private static UpgradeAction report(AttemptReport report) {
        return new UpgradeAction.WriteReport(report);
    }

    @Test
    void createsItsObjectWithoutAPermitAndReportsThatTheMachineIsPrepared() {
        assertThat(procedure.begin(null, new ClockReading(0, 0))).containsExactly(CONNECT);
        assertThat(handle(CONNECTED, 0))
                .containsExactly(new UpgradeAction.CallUpgrade(COMMAND.target(), LEASE - UpgradeTimeouts.CLOCK_MARGIN));
        assertThat(handle(new UpgradeInput.CallReturned(new CallResult.ChangeStarted("name")), 0))
                .containsExactly(new UpgradeAction.Wait(WaitReason.CHANGE));
        assertThat(handle(new UpgradeInput.WaitElapsed(), 1)).containsExactly(POLL);
        assertThat(poll(new ChangeStatus.ChangeDone(), 2)).containsExactly(report(new AttemptReport.Prepared()));
        assertThat(procedure.isOver()).isTrue();
    }

    @Test
    void triesAgainUntilItsLeaseExpires() {
        procedure.begin(null, new ClockReading(0, 0));
        handle(CONNECTED, 0);
        assertThat(handle(new UpgradeInput.CallReturned(new CallResult.NoAnswer("cut off")), 10))
                .containsExactly(new UpgradeAction.Wait(WaitReason.IDLE_NODE));
        assertThat(handle(new UpgradeInput.WaitElapsed(), 20)).containsExactly(CONNECT);
        handle(CONNECTED, 30);
        assertThat(handle(new UpgradeInput.CallReturned(new CallResult.NotSent("late")), LEASE))
                .containsExactly(POLL);
        assertThat(poll(new ChangeStatus.ChangeForgotten(), LEASE))
                .containsExactly(report(new AttemptReport.Failed(
                        FailureClass.RETRYABLE,
                        FailureReason.CHANGE_LOST,
                        "NodeUpgrade " + NodeUpgradeName.of(COMMAND) + " does not exist: late")));
    }

    @Test
    void createsADeletedObjectAgainWithinItsLease() {
        runToPoll();
        assertThat(poll(new ChangeStatus.ChangeForgotten(), 5)).containsExactly(CONNECT);
    }

    @Test
    void workerThatTakesOverAfterTheLeaseReadsTheObject() {
        assertThat(procedure.begin(null, new ClockReading(LEASE, LEASE))).containsExactly(POLL);
    }

    @Test
    void doesNothingAfterItsFinalReport() {
        AttemptProgress last =
                new AttemptProgress(MACHINE, "uid", 17, new AttemptReport.Prepared(), Instant.ofEpochMilli(1));
        assertThat(procedure.begin(last, new ClockReading(0, 0))).isEmpty();
        assertThat(procedure.isOver()).isTrue();
    }

    @Test
    void reportOfAnEarlierAttemptDoesNotEndIt() {
        AttemptProgress last =
                new AttemptProgress(MACHINE, "uid", 16, new AttemptReport.Cancelled(), Instant.ofEpochMilli(1));
        assertThat(procedure.begin(last, new ClockReading(0, 0))).containsExactly(CONNECT);
    }

    @Test
    void passesOnWhyItFailed() {
        runToPoll();
        assertThat(poll(
                        new ChangeStatus.ChangeFailed(
                                FailureClass.TERMINAL, FailureReason.NODE_UPGRADE_FAILED, "no such file"),
                        2))
                .containsExactly(report(new AttemptReport.Failed(
                        FailureClass.TERMINAL, FailureReason.NODE_UPGRADE_FAILED, "no such file")));
    }

    @Test
    void endsAtOnceWithoutATemplateIfItHasNoObject() {
        procedure.begin(null, new ClockReading(0, 0));
        assertThat(handle(new UpgradeInput.ConnectAttempted(new ConnectResult.NotConfigured("no template 'a'")), 1))
                .containsExactly(POLL);
        assertThat(poll(new ChangeStatus.ChangeForgotten(), 2))
                .containsExactly(report(new AttemptReport.Deferred("no template 'a'")));
    }

    @Test
    void objectThatExistsGoesOnWithoutItsTemplate() {
        procedure.begin(null, new ClockReading(0, 0));
        handle(new UpgradeInput.ConnectAttempted(new ConnectResult.NotConfigured("no template 'a'")), 1);
        assertThat(poll(new ChangeStatus.InProgress("fetches"), 2))
                .containsExactly(new UpgradeAction.Wait(WaitReason.CHANGE));
        handle(new UpgradeInput.WaitElapsed(), 3);
        assertThat(poll(new ChangeStatus.ChangeDone(), 4)).containsExactly(report(new AttemptReport.Prepared()));
    }

    @Test
    void failsWhenItIsNotPreparedByItsDeadline() {
        runToPoll();
        assertThat(poll(new ChangeStatus.InProgress("fetching"), DEADLINE))
                .containsExactly(new UpgradeAction.Wait(WaitReason.CHANGE));
        handle(new UpgradeInput.WaitElapsed(), DEADLINE);
        assertThat(poll(new ChangeStatus.StatusUnavailable("silent"), DEADLINE + UpgradeTimeouts.CALL_SETTLED))
                .containsExactly(report(new AttemptReport.Failed(
                        FailureClass.RETRYABLE,
                        FailureReason.DEADLINE,
                        "not prepared by 1970-01-01T01:00:00Z: silent")));
    }

    @Test
    void cancelledPreparationEndsAtOnce() {
        runToPoll();
        assertThat(handle(
                        new UpgradeInput.CommandChanged(new WorkerCommand.CancelUpgrade(MACHINE, "uid", 17, "frozen")),
                        2))
                .containsExactly(report(new AttemptReport.Cancelled()));
        assertThat(poll(new ChangeStatus.ChangeDone(), 3)).isEmpty();
    }
}
