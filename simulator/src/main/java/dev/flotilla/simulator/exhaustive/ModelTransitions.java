package dev.flotilla.simulator.exhaustive;

import dev.flotilla.core.Decider;
import dev.flotilla.core.DecisionEngine;
import dev.flotilla.core.DecisionInput;
import dev.flotilla.core.procedure.CallResult;
import dev.flotilla.core.procedure.UpgradeAction;
import dev.flotilla.core.procedure.UpgradeInput;
import dev.flotilla.core.procedure.UpgradeSafeguards;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.simulator.run.SystemUnderTest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All that may happen next in a small world. */
final class ModelTransitions {
    private static final int CRASHES = 1;
    private static final int MISHAPS = 1;
    private static final int ALL = 1000;

    private final Decider decider;
    private final UpgradeSafeguards upgradeSafeguards;
    private final List<MachineKey> machines;

    ModelTransitions(SystemUnderTest systemUnderTest, List<MachineKey> machines) {
        this.decider = systemUnderTest.decider().get();
        this.upgradeSafeguards = systemUnderTest.worker();
        this.machines = machines;
    }

    /** Something that happens, and what is then. */
    record ModelTransition(String description, ModelState nextState) {}

    List<ModelTransition> nextTransitions(ModelState now) {
        List<ModelTransition> moves = new ArrayList<>();
        for (int i = 0; i < now.leaders().size(); i++) {
            leader(now, i, moves);
        }
        for (int i = 0; i < now.workers().size(); i++) {
            worker(now, i, moves);
        }
        for (int i = 0; i < now.nodes().size(); i++) {
            if (now.nodes().get(i).busy()) {
                moves.add(new ModelTransition(
                        "node " + i + " ends its change",
                        now.with(i, now.nodes().get(i).finished())));
            }
        }
        if (now.spent().all() < MISHAPS) {
            moves.add(new ModelTransition(
                    "sixteen minutes pass", now.with(now.spent().leap())));
        }
        return moves;
    }

    // Leaders.

    private void leader(ModelState now, int number, List<ModelTransition> moves) {
        ModelLeader leader = now.leaders().get(number);
        String name = "leader " + number;
        if (leader.isLeader()) {
            ModelState then = decided(now, number);
            if (then != null) {
                moves.add(new ModelTransition(name + " decides and commits", then));
            }
            if (leader.crashes() < CRASHES) {
                moves.add(new ModelTransition(name + " crashes", now.with(number, leader.crashed())));
            }
            return;
        }
        boolean another = now.leaders().stream().anyMatch(ModelLeader::isLeader);
        if (!another || now.spent().all() < MISHAPS) {
            moves.add(new ModelTransition(
                    name + " takes over",
                    takeOver(another ? now.with(now.spent().hint()) : now, number)));
        }
    }

    /** Whoever led is fenced: what it had not committed is never seen, as if it had not decided. */
    private ModelState takeOver(ModelState now, int number) {
        ModelState then = now;
        for (int i = 0; i < now.leaders().size(); i++) {
            if (now.leaders().get(i).isLeader()) {
                then = then.with(i, now.leaders().get(i).standby());
            }
        }
        List<RowChange> facts = new ArrayList<>();
        new DecisionEngine(decider, now.rows().restored())
                .processInput(
                        new DecisionInput.LeaderElected(now.now()), 0, decision -> facts.addAll(decision.changes()));
        HashedRowMap rows = now.rows().with(facts);
        return then.with(number, now.leaders().get(number).leading(rows));
    }

    /**
     * What workers have said, and then what is due. What happens between a decision and its commit is the same as if it
     * happened after both, unless it ends the leader: then nothing of it was ever there.
     */
    private @Nullable ModelState decided(ModelState now, int number) {
        ModelLeader leader = now.leaders().get(number);
        List<RowChange> facts = new ArrayList<>();
        DecisionEngine decisionEngine =
                new DecisionEngine(decider, leader.decidedRows().restored());
        for (int i = 0; i < now.waiting().size(); i++) {
            decisionEngine.processInput(
                    new DecisionInput.RecordReceived(now.waiting().get(i), 0, i, now.now()),
                    0,
                    decision -> facts.addAll(decision.changes()));
        }
        decisionEngine.decideDueWork(now.now(), ALL, decision -> facts.addAll(decision.changes()));
        boolean took = leader.decidedRows().hash() != now.rows().hash();
        if (now.waiting().isEmpty() && facts.isEmpty() && !took) {
            return null;
        }
        HashedRowMap rows = leader.decidedRows().with(facts);
        return now.committed(rows).with(number, leader.leading(rows));
    }

    // Workers.

    private void worker(ModelState now, int number, List<ModelTransition> moves) {
        ModelWorker worker = now.workers().get(number);
        String name = "worker " + number;
        switch (worker.phase()) {
            case IDLE -> {
                boolean another = now.workers().stream()
                        .anyMatch(other ->
                                other.phase() == ModelWorker.WorkerPhase.OWNING && other.epoch() == now.session());
                if (!another || now.spent().all() < MISHAPS) {
                    ModelState then = another ? now.with(now.spent().hint()) : now;
                    moves.add(new ModelTransition(name + " takes the partition", owned(then, number)));
                }
            }
            case OWNING -> {
                ModelState read = read(now, number);
                if (read != null) {
                    moves.add(new ModelTransition(name + " reads its commands", read));
                }
                for (int i = 0; i < machines.size(); i++) {
                    ModelAttempt modelAttempt = worker.drives().get(i);
                    if (modelAttempt != null) {
                        drive(now, number, i, modelAttempt, moves);
                    }
                }
                if (worker.crashes() < CRASHES) {
                    moves.add(new ModelTransition(name + " crashes", now.with(number, worker.crashed())));
                }
            }
        }
    }

    private ModelState owned(ModelState now, int number) {
        ModelState then = now.nextSession();
        then = then.with(number, then.workers().get(number).owning(then.session(), machines.size()));
        ModelState read = read(then, number);
        return read == null ? then : read;
    }

    /** Takes in all commands that are others than it knows; null where none is. */
    private @Nullable ModelState read(ModelState now, int number) {
        ModelWorker worker = now.workers().get(number);
        boolean news = false;
        for (int i = 0; i < machines.size(); i++) {
            WorkerCommand command = command(now, i);
            ModelAttempt modelAttempt = worker.drives().get(i);
            WorkerCommand known = modelAttempt == null ? null : modelAttempt.command();
            if (command == null ? modelAttempt != null : !command.equals(known)) {
                news = true;
                worker = worker.with(i, driven(now, i, command, modelAttempt));
            }
        }
        return news ? now.with(number, worker) : null;
    }

    private @Nullable WorkerCommand command(ModelState now, int machine) {
        return now.rows().get(new RowKey(Table.COMMANDS, machines.get(machine))) instanceof WorkerCommand command
                ? command
                : null;
    }

    private @Nullable ModelAttempt driven(
            ModelState now, int machine, @Nullable WorkerCommand command, @Nullable ModelAttempt modelAttempt) {
        if (command == null) {
            return null;
        }
        ModelNode node = now.nodes().get(machine);
        return modelAttempt != null && modelAttempt.command().attemptId() == command.attemptId()
                ? modelAttempt.withCommand(command, node, now.moment(), upgradeSafeguards)
                : ModelAttempt.begin(command, now.last().get(machine), node, now.moment(), upgradeSafeguards);
    }

    private void drive(
            ModelState now, int number, int machine, ModelAttempt modelAttempt, List<ModelTransition> moves) {
        String what = "worker " + number + ", machine " + machine + ", attempt "
                + modelAttempt.first().attemptId() + ": ";
        for (UpgradeAction upgradeAction : modelAttempt.pendingActions()) {
            switch (upgradeAction) {
                case UpgradeAction.WriteReport writeReport ->
                    moves.add(new ModelTransition(
                            what + "says " + writeReport.report(), said(now, number, machine, writeReport)));
                case UpgradeAction.Wait wait -> {
                    if (modelAttempt.isInspectionOutdated(now.nodes().get(machine), now.moment())) {
                        moves.add(new ModelTransition(
                                what + "looks again",
                                answered(now, number, machine, new UpgradeInput.WaitElapsed(), upgradeAction)));
                    }
                }
                case UpgradeAction.CallRefresh callRefresh -> call(now, number, machine, callRefresh, what, moves);
                default -> throw new IllegalStateException("left open: " + upgradeAction);
            }
        }
    }

    private ModelState answered(
            ModelState now, int number, int machine, UpgradeInput upgradeInput, UpgradeAction upgradeAction) {
        ModelWorker worker = now.workers().get(number);
        ModelAttempt modelAttempt = worker.drives().get(machine);
        if (modelAttempt == null) {
            throw new IllegalStateException("nobody drives machine " + machine);
        }
        return now.with(
                number,
                worker.with(
                        machine,
                        modelAttempt.withInput(
                                upgradeInput,
                                upgradeAction,
                                now.nodes().get(machine),
                                now.moment(),
                                upgradeSafeguards)));
    }

    /** What a session says that is not the newest is not written, and it ends. */
    private ModelState said(ModelState now, int number, int machine, UpgradeAction.WriteReport writeReport) {
        ModelWorker worker = now.workers().get(number);
        ModelAttempt modelAttempt = worker.drives().get(machine);
        if (modelAttempt == null || worker.epoch() != now.session()) {
            return now.with(number, worker.idle());
        }
        AttemptProgress progress = new AttemptProgress(
                modelAttempt.first().key(),
                modelAttempt.first().uid(),
                modelAttempt.first().attemptId(),
                writeReport.report(),
                now.now());
        return answered(
                now.withReport(machine, progress),
                number,
                machine,
                new UpgradeInput.ReportCommitted(writeReport.report()),
                writeReport);
    }

    private void call(
            ModelState now,
            int number,
            int machine,
            UpgradeAction.CallRefresh callRefresh,
            String what,
            List<ModelTransition> moves) {
        if (now.moment().monotonicMillis() >= callRefresh.permitDeadline()) {
            moves.add(new ModelTransition(
                    what + "comes too late to call",
                    answered(now, number, machine, new UpgradeInput.PermitExpired(), callRefresh)));
            return;
        }
        ModelNode node = now.nodes().get(machine);
        ModelWorker worker = now.workers().get(number);
        ModelAttempt modelAttempt = worker.drives().get(machine);
        long attempt = modelAttempt == null ? 0 : modelAttempt.first().attemptId();
        ModelState then = now.with(machine, node.withCall(attempt));
        moves.add(new ModelTransition(
                what + "calls",
                answered(then, number, machine, new UpgradeInput.CallReturned(node.callResult()), callRefresh)));
        if (now.spent().all() < MISHAPS) {
            ModelState lost = then.with(then.spent().answer());
            moves.add(new ModelTransition(
                    what + "calls, and the answer is lost",
                    answered(
                            lost,
                            number,
                            machine,
                            new UpgradeInput.CallReturned(new CallResult.NoAnswer("the connection was cut")),
                            callRefresh)));
        }
    }
}
