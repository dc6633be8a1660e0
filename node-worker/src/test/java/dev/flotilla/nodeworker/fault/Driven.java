package dev.flotilla.nodeworker.fault;

import dev.flotilla.core.procedure.UpgradeAction;
import dev.flotilla.core.procedure.CallResult;
import dev.flotilla.core.procedure.UpgradeSafeguards;
import dev.flotilla.core.procedure.ChangeStatus;
import dev.flotilla.core.procedure.WaitReason;
import dev.flotilla.core.procedure.UpgradeProcedure;
import dev.flotilla.core.procedure.UpgradeInput;
import dev.flotilla.nodeworker.drive.Asking;
import dev.flotilla.nodeworker.drive.Tools;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.MachineRole;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An attempt by the real procedure with real tools, one act after the other: its shell is the test. */
final class Driven {
    private static final long ATTEMPT = 7;
    private static final Asking.Kind KIND = new Asking.Kind(MachineRole.WORKER, null);
    private static final Duration PATIENCE = Duration.ofHours(3);

    private final Stand stand;
    private final UpgradeProcedure procedure;
    private final Tools tools;
    private final Deque<UpgradeAction> todo = new ArrayDeque<>();
    private final List<AttemptReport> said = new ArrayList<>();
    private @Nullable Instant changedAt;
    private final @Nullable Asking asking;
    private long calledAt;
    private long endedAt;

    private Driven(Stand stand, @Nullable Asking asking) throws Exception {
        this.stand = stand;
        this.asking = asking;
        WorkerCommand.UpgradeMachine command = stand.command(ATTEMPT);
        this.procedure = new UpgradeProcedure(
                stand.isCancelled
                        ? new WorkerCommand.CancelUpgrade(command.key(), command.uid(), ATTEMPT, "freeze")
                        : command,
                UpgradeSafeguards.ALL);
        this.tools = stand.bench().tools(stand.errand(ATTEMPT), false);
    }

    /** Drives it to its end, or until nobody can tell for hours; returns all that was said. */
    static List<AttemptReport> toItsEnd(Stand stand) throws Exception {
        return toItsEnd(stand, null);
    }

    /**
     * The same at the pace of a worker.
     *
     * @param asking null for steps that are the same for all
     */
    static List<AttemptReport> toItsEnd(Stand stand, @Nullable Asking asking) throws Exception {
        stand.pass(stand.headStart);
        Driven driven = new Driven(stand, asking);
        driven.todo.addAll(driven.procedure.begin(null, stand.moment()));
        long end = stand.moment().monotonicMillis() + PATIENCE.toMillis();
        while (!driven.todo.isEmpty() && stand.moment().monotonicMillis() < end) {
            driven.perform(driven.todo.remove());
        }
        driven.tools.leave();
        return driven.said;
    }

    private void signal(UpgradeInput upgradeInput) {
        todo.addAll(procedure.handle(upgradeInput, stand.moment()));
    }

    private void perform(UpgradeAction upgradeAction) throws Exception {
        switch (upgradeAction) {
            case UpgradeAction.WriteReport writeReport -> {
                said.add(writeReport.report());
                signal(new UpgradeInput.ReportCommitted(writeReport.report()));
            }
            case UpgradeAction.InspectNode inspectNode -> signal(new UpgradeInput.NodeInspected(Stand.get(tools.inspect(changedAt))));
            case UpgradeAction.ConnectToK8sd connectToK8sd -> signal(new UpgradeInput.ConnectAttempted(Stand.get(tools.reach())));
            case UpgradeAction.RunChecks runChecks -> signal(new UpgradeInput.ChecksRun(Stand.get(tools.check(runChecks.healthChecks()))));
            case UpgradeAction.SetGuards setGuards ->
                signal(new UpgradeInput.GuardsSet(
                        Stand.get(tools.guard(now().plusSeconds(60), () -> {})).forbidden()));
            case UpgradeAction.CheckPreconditions checkPreconditions ->
                signal(new UpgradeInput.PreconditionsChecked(Stand.get(tools.judge()).forbidden()));
            case UpgradeAction.CallRefresh callRefresh -> {
                calledAt = stand.moment().monotonicMillis();
                endedAt = calledAt;
                CallResult callResult =
                        Stand.get(tools.call(callRefresh.target(), () -> stand.moment().monotonicMillis() < callRefresh.permitDeadline()));
                changedAt = callResult instanceof CallResult.NoAnswer ? now() : changedAt;
                signal(new UpgradeInput.CallReturned(callResult));
            }
            case UpgradeAction.PollChange pollChange -> {
                ChangeStatus sight = Stand.get(tools.poll(pollChange.changeId()));
                boolean tells = sight instanceof ChangeStatus.ChangeDone || sight instanceof ChangeStatus.ChangeForgotten;
                changedAt =
                        tells || (changedAt == null && sight instanceof ChangeStatus.AwaitsPeers) ? now() : changedAt;
                if (sight instanceof ChangeStatus.ChangeDone) {
                    endedAt = stand.moment().monotonicMillis();
                    if (asking != null) {
                        asking.ended(KIND, endedAt - calledAt);
                    }
                }
                signal(new UpgradeInput.ChangePolled(sight));
            }
            case UpgradeAction.Wait wait -> {
                stand.pass(pause(wait.reason()));
                signal(new UpgradeInput.WaitElapsed());
            }
            case UpgradeAction.CleanUp cleanUp -> {
                Stand.get(tools.undo());
                signal(new UpgradeInput.CleanedUp());
            }
        }
    }

    private Instant now() {
        return Instant.ofEpochMilli(stand.moment().wallMillis());
    }

    private Duration pause(WaitReason waitReason) {
        if (asking == null) {
            return length(waitReason);
        }
        long since = waitReason == WaitReason.PROOF ? endedAt : calledAt;
        return Duration.ofMillis(asking.length(waitReason, KIND, stand.moment().monotonicMillis() - since));
    }

    private static Duration length(WaitReason waitReason) {
        return switch (waitReason) {
            case IDLE_NODE, CHANGE -> Duration.ofSeconds(20);
            case PROOF -> Duration.ofSeconds(12);
            case LATE_PROOF -> Duration.ofMinutes(5);
        };
    }
}
