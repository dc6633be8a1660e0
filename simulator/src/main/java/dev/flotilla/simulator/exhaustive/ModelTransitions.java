package dev.flotilla.simulator.exhaustive;

import dev.flotilla.core.Decider;
import dev.flotilla.core.DecisionEngine;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.upgrade.CallResult;
import dev.flotilla.core.upgrade.UpgradeAction;
import dev.flotilla.core.upgrade.UpgradeInput;
import dev.flotilla.core.upgrade.UpgradeSafeguards;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.simulator.run.SystemUnderTest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All possible transitions from a model state. */
final class ModelTransitions {
    private static final int MAX_CRASHES = 1;
    private static final int MAX_FAULTS = 1;
    private static final int MAX_DECISIONS = 1000;

    private final Decider decider;
    private final UpgradeSafeguards upgradeSafeguards;
    private final List<MachineKey> machines;

    ModelTransitions(SystemUnderTest systemUnderTest, List<MachineKey> machines) {
        this.decider = systemUnderTest.decider().get();
        this.upgradeSafeguards = systemUnderTest.worker();
        this.machines = machines;
    }

    /** A transition, and the state that it leads to. */
    record ModelTransition(String description, ModelState nextState) {}

    List<ModelTransition> nextTransitions(ModelState now) {
        List<ModelTransition> moves = new ArrayList<>();
        for (int i = 0; i < now.leaders().size(); i++) {
            addLeaderTransitions(now, i, moves);
        }
        for (int i = 0; i < now.workers().size(); i++) {
            addWorkerTransitions(now, i, moves);
        }
        for (int i = 0; i < now.nodes().size(); i++) {
            if (now.nodes().get(i).busy()) {
                moves.add(new ModelTransition(
                        "node " + i + " ends its change",
                        now.with(i, now.nodes().get(i).finished())));
            }
        }
        if (now.spent().all() < MAX_FAULTS) {
            moves.add(new ModelTransition(
                    "sixteen minutes pass", now.with(now.spent().leap())));
        }
        return moves;
    }

    // Leaders.

    private void addLeaderTransitions(ModelState now, int number, List<ModelTransition> moves) {
        ModelLeader leader = now.leaders().get(number);
        String name = "leader " + number;
        if (leader.isLeader()) {
            ModelState then = decideAndCommit(now, number);
            if (then != null) {
                moves.add(new ModelTransition(name + " decides and commits", then));
            }
            if (leader.crashes() < MAX_CRASHES) {
                moves.add(new ModelTransition(name + " crashes", now.with(number, leader.crashed())));
            }
            return;
        }
        boolean another = now.leaders().stream().anyMatch(ModelLeader::isLeader);
        if (!another || now.spent().all() < MAX_FAULTS) {
            moves.add(new ModelTransition(
                    name + " takes over",
                    takeOver(another ? now.with(now.spent().hint()) : now, number)));
        }
    }

    /**
     * Takes over leadership. The previous leader is fenced: what it has not committed is lost, as if it had not
     * decided.
     */
    private ModelState takeOver(ModelState now, int number) {
        ModelState then = now;
        for (int i = 0; i < now.leaders().size(); i++) {
            if (now.leaders().get(i).isLeader()) {
                then = then.with(i, now.leaders().get(i).standby());
            }
        }
        List<RowChange> changes = new ArrayList<>();
        new DecisionEngine(decider, now.rows().restored())
                .processInput(
                        new DecisionInput.LeaderElected(now.now()), 0, decision -> changes.addAll(decision.changes()));
        HashedRowMap rows = now.rows().with(changes);
        return then.with(number, now.leaders().get(number).leading(rows));
    }

    /**
     * Decides on the workers' reports and then on due work, and commits. An event between a decision and its commit has
     * the same effect as one after both, unless it ends the leader: then nothing was decided.
     */
    private @Nullable ModelState decideAndCommit(ModelState now, int number) {
        ModelLeader leader = now.leaders().get(number);
        List<RowChange> changes = new ArrayList<>();
        DecisionEngine decisionEngine =
                new DecisionEngine(decider, leader.decidedRows().restored());
        for (int i = 0; i < now.waiting().size(); i++) {
            decisionEngine.processInput(
                    new DecisionInput.RecordReceived(now.waiting().get(i), 0, i, now.now()),
                    0,
                    decision -> changes.addAll(decision.changes()));
        }
        decisionEngine.decideDueWork(now.now(), MAX_DECISIONS, decision -> changes.addAll(decision.changes()));
        boolean hasUncommittedRows = leader.decidedRows().hash() != now.rows().hash();
        if (now.waiting().isEmpty() && changes.isEmpty() && !hasUncommittedRows) {
            return null;
        }
        HashedRowMap rows = leader.decidedRows().with(changes);
        return now.committed(rows).with(number, leader.leading(rows));
    }

    // Workers.

    private void addWorkerTransitions(ModelState now, int number, List<ModelTransition> moves) {
        ModelWorker worker = now.workers().get(number);
        String name = "worker " + number;
        switch (worker.phase()) {
            case IDLE -> {
                boolean another = now.workers().stream()
                        .anyMatch(other ->
                                other.phase() == ModelWorker.WorkerPhase.OWNING && other.epoch() == now.session());
                if (!another || now.spent().all() < MAX_FAULTS) {
                    ModelState then = another ? now.with(now.spent().hint()) : now;
                    moves.add(new ModelTransition(name + " takes the partition", ownPartition(then, number)));
                }
            }
            case OWNING -> {
                ModelState read = readCommands(now, number);
                if (read != null) {
                    moves.add(new ModelTransition(name + " reads its commands", read));
                }
                for (int i = 0; i < machines.size(); i++) {
                    ModelAttempt modelAttempt = worker.attempts().get(i);
                    if (modelAttempt != null) {
                        addAttemptTransitions(now, number, i, modelAttempt, moves);
                    }
                }
                if (worker.crashes() < MAX_CRASHES) {
                    moves.add(new ModelTransition(name + " crashes", now.with(number, worker.crashed())));
                }
            }
        }
    }

    private ModelState ownPartition(ModelState now, int number) {
        ModelState then = now.nextSession();
        then = then.with(number, then.workers().get(number).owning(then.session(), machines.size()));
        ModelState read = readCommands(then, number);
        return read == null ? then : read;
    }

    /** Reads all commands that differ from those the worker knows; null if there are none. */
    private @Nullable ModelState readCommands(ModelState now, int number) {
        ModelWorker worker = now.workers().get(number);
        boolean changed = false;
        for (int i = 0; i < machines.size(); i++) {
            WorkerCommand command = command(now, i);
            ModelAttempt modelAttempt = worker.attempts().get(i);
            WorkerCommand known = modelAttempt == null ? null : modelAttempt.command();
            if (command == null ? modelAttempt != null : !command.equals(known)) {
                changed = true;
                worker = worker.with(i, updateAttempt(now, i, command, modelAttempt));
            }
        }
        return changed ? now.with(number, worker) : null;
    }

    private @Nullable WorkerCommand command(ModelState now, int machine) {
        return now.rows().get(new RowKey(Table.COMMANDS, machines.get(machine))) instanceof WorkerCommand command
                ? command
                : null;
    }

    private @Nullable ModelAttempt updateAttempt(
            ModelState now, int machine, @Nullable WorkerCommand command, @Nullable ModelAttempt modelAttempt) {
        if (command == null) {
            return null;
        }
        ModelNode node = now.nodes().get(machine);
        return modelAttempt != null && modelAttempt.command().attemptId() == command.attemptId()
                ? modelAttempt.withCommand(command, node, now.clockReading(), upgradeSafeguards)
                : ModelAttempt.begin(command, now.last().get(machine), node, now.clockReading(), upgradeSafeguards);
    }

    private void addAttemptTransitions(
            ModelState now, int number, int machine, ModelAttempt modelAttempt, List<ModelTransition> moves) {
        String what = "worker " + number + ", machine " + machine + ", attempt "
                + modelAttempt.first().attemptId() + ": ";
        for (UpgradeAction upgradeAction : modelAttempt.pendingActions()) {
            switch (upgradeAction) {
                case UpgradeAction.WriteReport writeReport ->
                    moves.add(new ModelTransition(
                            what + "reports " + writeReport.report(), writeReport(now, number, machine, writeReport)));
                case UpgradeAction.Wait wait -> {
                    if (modelAttempt.isInspectionOutdated(now.nodes().get(machine), now.clockReading())) {
                        moves.add(new ModelTransition(
                                what + "inspects the node again",
                                withInput(now, number, machine, new UpgradeInput.WaitElapsed(), upgradeAction)));
                    }
                }
                case UpgradeAction.CallUpgrade callUpgrade ->
                    addCallTransitions(now, number, machine, callUpgrade, what, moves);
                default -> throw new IllegalStateException("unexpected pending action: " + upgradeAction);
            }
        }
    }

    private ModelState withInput(
            ModelState now, int number, int machine, UpgradeInput upgradeInput, UpgradeAction upgradeAction) {
        ModelWorker worker = now.workers().get(number);
        ModelAttempt modelAttempt = worker.attempts().get(machine);
        if (modelAttempt == null) {
            throw new IllegalStateException("the worker has no attempt for machine " + machine);
        }
        return now.with(
                number,
                worker.with(
                        machine,
                        modelAttempt.withInput(
                                upgradeInput,
                                upgradeAction,
                                now.nodes().get(machine),
                                now.clockReading(),
                                upgradeSafeguards)));
    }

    /** Writes a report. In a session that is not the newest, nothing is written and the session ends. */
    private ModelState writeReport(ModelState now, int number, int machine, UpgradeAction.WriteReport writeReport) {
        ModelWorker worker = now.workers().get(number);
        ModelAttempt modelAttempt = worker.attempts().get(machine);
        if (modelAttempt == null || worker.epoch() != now.session()) {
            return now.with(number, worker.idle());
        }
        AttemptProgress progress = new AttemptProgress(
                modelAttempt.first().key(),
                modelAttempt.first().uid(),
                modelAttempt.first().attemptId(),
                writeReport.report(),
                now.now());
        return withInput(
                now.withReport(machine, progress),
                number,
                machine,
                new UpgradeInput.ReportCommitted(writeReport.report()),
                writeReport);
    }

    private void addCallTransitions(
            ModelState now,
            int number,
            int machine,
            UpgradeAction.CallUpgrade callUpgrade,
            String what,
            List<ModelTransition> moves) {
        if (!callUpgrade.isInTime(now.clockReading().monotonicMillis())) {
            moves.add(new ModelTransition(
                    what + "is too late to call",
                    withInput(
                            now,
                            number,
                            machine,
                            new UpgradeInput.CallReturned(new CallResult.NotSent("the time of the call had passed")),
                            callUpgrade)));
            return;
        }
        ModelNode node = now.nodes().get(machine);
        ModelWorker worker = now.workers().get(number);
        ModelAttempt modelAttempt = worker.attempts().get(machine);
        long attempt = modelAttempt == null ? 0 : modelAttempt.first().attemptId();
        ModelState then = now.with(machine, node.withCall(attempt));
        moves.add(new ModelTransition(
                what + "calls",
                withInput(then, number, machine, new UpgradeInput.CallReturned(node.callResult()), callUpgrade)));
        if (now.spent().all() < MAX_FAULTS) {
            ModelState lost = then.with(then.spent().answer());
            moves.add(new ModelTransition(
                    what + "calls, and the response is lost",
                    withInput(
                            lost,
                            number,
                            machine,
                            new UpgradeInput.CallReturned(new CallResult.NoAnswer("the connection was cut")),
                            callUpgrade)));
        }
    }
}
