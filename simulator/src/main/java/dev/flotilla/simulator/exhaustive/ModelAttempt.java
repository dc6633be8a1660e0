package dev.flotilla.simulator.exhaustive;

import dev.flotilla.core.fleet.StableHash;
import dev.flotilla.core.procedure.ClockReading;
import dev.flotilla.core.procedure.ConnectResult;
import dev.flotilla.core.procedure.UpgradeAction;
import dev.flotilla.core.procedure.UpgradeInput;
import dev.flotilla.core.procedure.UpgradeProcedure;
import dev.flotilla.core.procedure.UpgradeSafeguards;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.WorkerCommand;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One attempt in a worker's hands. A procedure cannot be copied, so this is what it has been told since it began; it is told
 * so again whenever something more happens.
 *
 * @param command as it was read last
 * @param pendingActions what it wants done that takes time: to write a word, to call, to rest
 * @param seen the mark of the node when it was looked at last
 * @param hash of all that it has been told
 */
record ModelAttempt(
        WorkerCommand first,
        WorkerCommand command,
        @Nullable AttemptProgress last,
        ClockReading startedAt,
        List<Told> inputs,
        List<UpgradeAction> pendingActions,
        long seen,
        long hash) {
    private static final long NEVER = -1;

    private record Told(UpgradeInput signal, ClockReading at) {}

    static ModelAttempt begin(
            WorkerCommand command,
            @Nullable AttemptProgress last,
            ModelNode node,
            ClockReading now,
            UpgradeSafeguards upgradeSafeguards) {
        return new ModelAttempt(command, command, last, now, List.of(), List.of(), NEVER, 0)
                .settle(node, now, upgradeSafeguards);
    }

    ModelAttempt withCommand(
            WorkerCommand next, ModelNode node, ClockReading now, UpgradeSafeguards upgradeSafeguards) {
        return new ModelAttempt(first, next, last, startedAt, inputs, pendingActions, seen, hash)
                .withInput(new UpgradeInput.CommandChanged(next), null, node, now, upgradeSafeguards);
    }

    /** What came of something it wanted done; null for what came by itself. */
    ModelAttempt withInput(
            UpgradeInput upgradeInput,
            @Nullable UpgradeAction done,
            ModelNode node,
            ClockReading now,
            UpgradeSafeguards upgradeSafeguards) {
        List<Told> more = new ArrayList<>(inputs);
        more.add(new Told(upgradeInput, now));
        List<UpgradeAction> left = new ArrayList<>(pendingActions);
        left.remove(done);
        return new ModelAttempt(first, command, last, startedAt, more, left, seen, hash)
                .settle(node, now, upgradeSafeguards);
    }

    /** Whether to rest and look again would show anything new. */
    boolean isInspectionOutdated(ModelNode node, ClockReading now) {
        return seen != look(node, now);
    }

    private static long look(ModelNode node, ClockReading now) {
        return now.monotonicMillis() + node.visibleStateHash();
    }

    /** Tells the procedure all of it again, and answers at once whatever takes no time here. */
    private ModelAttempt settle(ModelNode node, ClockReading now, UpgradeSafeguards upgradeSafeguards) {
        UpgradeProcedure procedure = new UpgradeProcedure(first, upgradeSafeguards);
        List<UpgradeAction> acts = procedure.begin(last, startedAt);
        for (Told one : inputs) {
            acts = procedure.handle(one.signal(), one.at());
        }
        List<Told> all = new ArrayList<>(inputs);
        List<UpgradeAction> waiting = new ArrayList<>(pendingActions);
        Deque<UpgradeAction> next = new ArrayDeque<>(acts);
        long looked = seen;
        while (!next.isEmpty()) {
            UpgradeAction upgradeAction = next.remove();
            UpgradeInput answer = atOnce(upgradeAction, node);
            if (answer == null) {
                // A word that is not written yet gives way to a later one.
                waiting.removeIf(other -> upgradeAction instanceof UpgradeAction.WriteReport
                        && other instanceof UpgradeAction.WriteReport);
                waiting.add(upgradeAction);
                continue;
            }
            looked = upgradeAction instanceof UpgradeAction.InspectNode
                            || upgradeAction instanceof UpgradeAction.PollChange
                    ? look(node, now)
                    : looked;
            all.add(new Told(answer, now));
            next.addAll(procedure.handle(answer, now));
        }
        StableHash stableHash =
                new StableHash().add(first.toString()).add(String.valueOf(last)).add(startedAt.monotonicMillis());
        all.forEach(one -> stableHash.add(one.signal().toString()).add(one.at().monotonicMillis()));
        return new ModelAttempt(first, command, last, startedAt, all, waiting, looked, stableHash.value());
    }

    private static @Nullable UpgradeInput atOnce(UpgradeAction upgradeAction, ModelNode node) {
        return switch (upgradeAction) {
            case UpgradeAction.InspectNode inspectNode -> new UpgradeInput.NodeInspected(node.inspection());
            case UpgradeAction.PollChange pollChange ->
                new UpgradeInput.ChangePolled(node.change(pollChange.changeId()));
            case UpgradeAction.ConnectToK8sd connectToK8sd ->
                new UpgradeInput.ConnectAttempted(new ConnectResult.Connected());
            case UpgradeAction.SetGuards setGuards -> new UpgradeInput.GuardsSet(null);
            case UpgradeAction.CheckPreconditions checkPreconditions -> new UpgradeInput.PreconditionsChecked(null);
            case UpgradeAction.RunChecks runChecks -> new UpgradeInput.ChecksRun(List.of());
            case UpgradeAction.CleanUp cleanUp -> new UpgradeInput.CleanedUp();
            case UpgradeAction.WriteReport writeReport -> null;
            case UpgradeAction.CallRefresh callRefresh -> null;
            case UpgradeAction.Wait wait -> null;
        };
    }

    void addTo(StableHash stableHash) {
        stableHash.add(hash).add(pendingActions.toString()).add(seen);
    }
}
