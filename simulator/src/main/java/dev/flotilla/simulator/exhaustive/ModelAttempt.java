package dev.flotilla.simulator.exhaustive;

import dev.flotilla.core.fleet.column.StableHash;
import dev.flotilla.core.upgrade.ClockReading;
import dev.flotilla.core.upgrade.ConnectResult;
import dev.flotilla.core.upgrade.UpgradeAction;
import dev.flotilla.core.upgrade.UpgradeInput;
import dev.flotilla.core.upgrade.UpgradeProcedure;
import dev.flotilla.core.upgrade.UpgradeSafeguards;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.WorkerCommand;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of a worker. An upgrade procedure cannot be copied, so this holds all inputs since it began, and replays
 * them for each new input.
 *
 * @param command the command as last read
 * @param pendingActions requested actions that take time: writing a report, calling, waiting
 * @param lastSeenHash the hash of what the last inspection saw
 * @param hash of all inputs
 */
record ModelAttempt(
        WorkerCommand first,
        WorkerCommand command,
        @Nullable AttemptProgress last,
        ClockReading startedAt,
        List<TimedInput> inputs,
        List<UpgradeAction> pendingActions,
        long lastSeenHash,
        long hash) {
    private static final long NEVER = -1;

    private record TimedInput(UpgradeInput input, ClockReading at) {}

    static ModelAttempt begin(
            WorkerCommand command,
            @Nullable AttemptProgress last,
            ModelNode node,
            ClockReading now,
            UpgradeSafeguards upgradeSafeguards) {
        return new ModelAttempt(command, command, last, now, List.of(), List.of(), NEVER, 0)
                .replay(node, now, upgradeSafeguards);
    }

    ModelAttempt withCommand(
            WorkerCommand next, ModelNode node, ClockReading now, UpgradeSafeguards upgradeSafeguards) {
        return new ModelAttempt(first, next, last, startedAt, inputs, pendingActions, lastSeenHash, hash)
                .withInput(new UpgradeInput.CommandChanged(next), null, node, now, upgradeSafeguards);
    }

    /** Adds an input; {@code done} is the action that it is the result of, or null. */
    ModelAttempt withInput(
            UpgradeInput upgradeInput,
            @Nullable UpgradeAction done,
            ModelNode node,
            ClockReading now,
            UpgradeSafeguards upgradeSafeguards) {
        List<TimedInput> more = new ArrayList<>(inputs);
        more.add(new TimedInput(upgradeInput, now));
        List<UpgradeAction> left = new ArrayList<>(pendingActions);
        left.remove(done);
        return new ModelAttempt(first, command, last, startedAt, more, left, lastSeenHash, hash)
                .replay(node, now, upgradeSafeguards);
    }

    /** Whether another inspection would show anything new. */
    boolean isInspectionOutdated(ModelNode node, ClockReading now) {
        return lastSeenHash != visibleHash(node, now);
    }

    private static long visibleHash(ModelNode node, ClockReading now) {
        return now.monotonicMillis() + node.visibleStateHash();
    }

    /** Replays all inputs, and answers every action immediately that takes no time in the model. */
    private ModelAttempt replay(ModelNode node, ClockReading now, UpgradeSafeguards upgradeSafeguards) {
        UpgradeProcedure procedure = new UpgradeProcedure(first, upgradeSafeguards);
        List<UpgradeAction> actions = procedure.begin(last, startedAt);
        for (TimedInput input : inputs) {
            actions = procedure.handle(input.input(), input.at());
        }
        List<TimedInput> all = new ArrayList<>(inputs);
        List<UpgradeAction> waiting = new ArrayList<>(pendingActions);
        Deque<UpgradeAction> next = new ArrayDeque<>(actions);
        long looked = lastSeenHash;
        while (!next.isEmpty()) {
            UpgradeAction upgradeAction = next.remove();
            UpgradeInput answer = immediateResult(upgradeAction, node);
            if (answer == null) {
                // A report that is not written yet is replaced by a later one.
                waiting.removeIf(other -> upgradeAction instanceof UpgradeAction.WriteReport
                        && other instanceof UpgradeAction.WriteReport);
                waiting.add(upgradeAction);
                continue;
            }
            looked = upgradeAction instanceof UpgradeAction.InspectNode
                            || upgradeAction instanceof UpgradeAction.PollChange
                    ? visibleHash(node, now)
                    : looked;
            all.add(new TimedInput(answer, now));
            next.addAll(procedure.handle(answer, now));
        }
        StableHash stableHash =
                new StableHash().add(first.toString()).add(String.valueOf(last)).add(startedAt.monotonicMillis());
        all.forEach(
                input -> stableHash.add(input.input().toString()).add(input.at().monotonicMillis()));
        return new ModelAttempt(first, command, last, startedAt, all, waiting, looked, stableHash.value());
    }

    private static @Nullable UpgradeInput immediateResult(UpgradeAction upgradeAction, ModelNode node) {
        return switch (upgradeAction) {
            case UpgradeAction.InspectNode inspectNode -> new UpgradeInput.NodeInspected(node.inspection());
            case UpgradeAction.PollChange pollChange ->
                new UpgradeInput.ChangePolled(node.change(pollChange.changeId()));
            // The model's node has k8sd, whose changes are not aborted.
            case UpgradeAction.AbortChange abortChange -> null;
            case UpgradeAction.ConnectToProvider connectToProvider ->
                new UpgradeInput.ConnectAttempted(new ConnectResult.Connected());
            case UpgradeAction.SetGuards setGuards -> new UpgradeInput.GuardsSet(null);
            case UpgradeAction.CheckPreconditions checkPreconditions -> new UpgradeInput.PreconditionsChecked(null);
            case UpgradeAction.RunChecks runChecks -> new UpgradeInput.ChecksRun(List.of());
            case UpgradeAction.CleanUp cleanUp -> new UpgradeInput.CleanedUp();
            case UpgradeAction.WriteReport writeReport -> null;
            case UpgradeAction.CallUpgrade callUpgrade -> null;
            case UpgradeAction.Wait wait -> null;
        };
    }

    void addTo(StableHash stableHash) {
        stableHash.add(hash).add(pendingActions.toString()).add(lastSeenHash);
    }
}
