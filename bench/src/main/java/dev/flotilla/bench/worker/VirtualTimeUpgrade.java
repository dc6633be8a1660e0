package dev.flotilla.bench.worker;

import dev.flotilla.core.upgrade.CallResult;
import dev.flotilla.core.upgrade.ChangeStatus;
import dev.flotilla.core.upgrade.ClockReading;
import dev.flotilla.core.upgrade.ConnectResult;
import dev.flotilla.core.upgrade.NodeInspection;
import dev.flotilla.core.upgrade.UpgradeAction;
import dev.flotilla.core.upgrade.UpgradeInput;
import dev.flotilla.core.upgrade.UpgradeProcedure;
import dev.flotilla.core.upgrade.UpgradeSafeguards;
import dev.flotilla.nodeworker.upgrade.PollIntervalEstimator;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.simulator.world.VirtualClockScheduler;
import java.time.Instant;
import java.util.List;

/**
 * One upgrade in virtual time, with the product's procedure and poll schedule. Only the change itself takes time. Polls
 * and the noticed end are counted as the node would.
 */
final class VirtualTimeUpgrade {
    private static final String OLD = "1000";
    private static final String TARGET = "1100";
    private static final String VERSION = "v1.33.0";
    private static final PollIntervalEstimator.MachineKind KIND =
            new PollIntervalEstimator.MachineKind(MachineRole.WORKER, null);
    private static final Instant NEVER = Instant.parse("2100-01-01T00:00:00Z");

    private final VirtualClockScheduler scheduler;
    private final PollIntervalEstimator pollIntervalEstimator;
    private final Runnable onEnd;
    private final long takes;
    private final UpgradeProcedure procedure;
    private long calledAt;
    private boolean called;
    private int polls;
    private long noticedAfter;

    /**
     * Makes an upgrade that has not started.
     *
     * @param takes duration of its change, in milliseconds
     * @param onEnd called when it has ended
     */
    VirtualTimeUpgrade(
            VirtualClockScheduler scheduler,
            PollIntervalEstimator pollIntervalEstimator,
            int number,
            long takes,
            Runnable onEnd) {
        this.scheduler = scheduler;
        this.pollIntervalEstimator = pollIntervalEstimator;
        this.onEnd = onEnd;
        this.takes = takes;
        this.procedure = new UpgradeProcedure(
                new WorkerCommand.UpgradeMachine(
                        new MachineKey(new SiteId("site-1"), "fleet", "m-" + number),
                        "uid",
                        number + 1L,
                        MachineRole.WORKER,
                        new UpgradeTarget.Revision(TARGET),
                        null,
                        null,
                        1,
                        NEVER),
                UpgradeSafeguards.ALL);
    }

    void begin() {
        perform(procedure.begin(null, now()));
    }

    /** Number of polls of the change. */
    int polls() {
        return polls;
    }

    /** Time until its end was noticed, in milliseconds. */
    long delay() {
        return noticedAfter;
    }

    private ClockReading now() {
        return new ClockReading(scheduler.now(), scheduler.now());
    }

    private void signal(UpgradeInput upgradeInput) {
        perform(procedure.handle(upgradeInput, now()));
    }

    private void perform(List<UpgradeAction> acts) {
        acts.forEach(this::perform);
    }

    private void perform(UpgradeAction upgradeAction) {
        switch (upgradeAction) {
            case UpgradeAction.WriteReport writeReport ->
                signalNow(new UpgradeInput.ReportCommitted(writeReport.report()));
            case UpgradeAction.InspectNode inspectNode ->
                signalNow(new UpgradeInput.NodeInspected(
                        new NodeInspection.ObservedNode(isDone() ? TARGET : OLD, VERSION, true, false)));
            case UpgradeAction.ConnectToProvider connectToProvider ->
                signalNow(new UpgradeInput.ConnectAttempted(new ConnectResult.Connected()));
            case UpgradeAction.RunChecks runChecks -> signalNow(new UpgradeInput.ChecksRun(List.of()));
            case UpgradeAction.SetGuards setGuards -> signalNow(new UpgradeInput.GuardsSet(null));
            case UpgradeAction.CheckPreconditions checkPreconditions ->
                signalNow(new UpgradeInput.PreconditionsChecked(null));
            case UpgradeAction.CallUpgrade callUpgrade -> {
                called = true;
                calledAt = scheduler.now();
                signalNow(new UpgradeInput.CallReturned(new CallResult.ChangeStarted("1")));
            }
            case UpgradeAction.PollChange pollChange -> poll();
            case UpgradeAction.AbortChange abortChange -> poll();
            case UpgradeAction.Wait wait ->
                scheduler.after(
                        pollIntervalEstimator.intervalMillis(wait.reason(), KIND, scheduler.now() - calledAt),
                        () -> signal(new UpgradeInput.WaitElapsed()));
            case UpgradeAction.CleanUp cleanUp -> signalNow(new UpgradeInput.CleanedUp());
        }
        if (procedure.isOver()) {
            onEnd.run();
        }
    }

    private void signalNow(UpgradeInput upgradeInput) {
        scheduler.after(0, () -> signal(upgradeInput));
    }

    private boolean isDone() {
        return called && scheduler.now() >= calledAt + takes;
    }

    private void poll() {
        polls++;
        if (!isDone()) {
            signalNow(new UpgradeInput.ChangePolled(new ChangeStatus.InProgress("change 1 is Doing")));
            return;
        }
        noticedAfter = scheduler.now() - calledAt - takes;
        pollIntervalEstimator.recordDuration(KIND, scheduler.now() - calledAt);
        signalNow(new UpgradeInput.ChangePolled(new ChangeStatus.ChangeDone()));
    }
}
