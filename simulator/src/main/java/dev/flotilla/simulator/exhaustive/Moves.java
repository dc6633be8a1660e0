package dev.flotilla.simulator.exhaustive;

import dev.flotilla.core.DecisionEngine;
import dev.flotilla.core.Decider;
import dev.flotilla.core.DecisionInput;
import dev.flotilla.core.procedure.UpgradeAction;
import dev.flotilla.core.procedure.CallResult;
import dev.flotilla.core.procedure.UpgradeSafeguards;
import dev.flotilla.core.procedure.UpgradeInput;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.simulator.run.Variant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All that may happen next in a small world. */
final class Moves {
    private static final int CRASHES = 1;
    private static final int MISHAPS = 1;
    private static final int ALL = 1000;

    private final Decider decider;
    private final UpgradeSafeguards upgradeSafeguards;
    private final List<MachineKey> machines;

    Moves(Variant variant, List<MachineKey> machines) {
        this.decider = variant.decider().get();
        this.upgradeSafeguards = variant.worker();
        this.machines = machines;
    }

    /** Something that happens, and what is then. */
    record Move(String what, Small then) {}

    List<Move> of(Small now) {
        List<Move> moves = new ArrayList<>();
        for (int i = 0; i < now.leaders().size(); i++) {
            leader(now, i, moves);
        }
        for (int i = 0; i < now.workers().size(); i++) {
            worker(now, i, moves);
        }
        for (int i = 0; i < now.nodes().size(); i++) {
            if (now.nodes().get(i).busy()) {
                moves.add(new Move(
                        "node " + i + " ends its change",
                        now.with(i, now.nodes().get(i).finished())));
            }
        }
        if (now.spent().all() < MISHAPS) {
            moves.add(new Move("sixteen minutes pass", now.with(now.spent().leap())));
        }
        return moves;
    }

    // Leaders.

    private void leader(Small now, int number, List<Move> moves) {
        Leader leader = now.leaders().get(number);
        String name = "leader " + number;
        if (leader.leads()) {
            Small then = decided(now, number);
            if (then != null) {
                moves.add(new Move(name + " decides and commits", then));
            }
            if (leader.crashes() < CRASHES) {
                moves.add(new Move(name + " crashes", now.with(number, leader.crashed())));
            }
            return;
        }
        boolean another = now.leaders().stream().anyMatch(Leader::leads);
        if (!another || now.spent().all() < MISHAPS) {
            moves.add(new Move(
                    name + " takes over",
                    takeOver(another ? now.with(now.spent().hint()) : now, number)));
        }
    }

    /** Whoever led is fenced: what it had not committed is never seen, as if it had not decided. */
    private Small takeOver(Small now, int number) {
        Small then = now;
        for (int i = 0; i < now.leaders().size(); i++) {
            if (now.leaders().get(i).leads()) {
                then = then.with(i, now.leaders().get(i).standby());
            }
        }
        List<RowChange> facts = new ArrayList<>();
        new DecisionEngine(decider, now.rows().restored())
                .processInput(new DecisionInput.LeaderElected(now.now()), 0, decision -> facts.addAll(decision.changes()));
        RowMap rows = now.rows().with(facts);
        return then.with(number, now.leaders().get(number).leading(rows));
    }

    /**
     * What workers have said, and then what is due. What happens between a decision and its commit is the same as if it
     * happened after both, unless it ends the leader: then nothing of it was ever there.
     */
    private @Nullable Small decided(Small now, int number) {
        Leader leader = now.leaders().get(number);
        List<RowChange> facts = new ArrayList<>();
        DecisionEngine decisionEngine = new DecisionEngine(decider, leader.memory().restored());
        for (int i = 0; i < now.waiting().size(); i++) {
            decisionEngine.processInput(
                    new DecisionInput.RecordReceived(now.waiting().get(i), 0, i, now.now()),
                    0,
                    decision -> facts.addAll(decision.changes()));
        }
        decisionEngine.decideDueWork(now.now(), ALL, decision -> facts.addAll(decision.changes()));
        boolean took = leader.memory().hash() != now.rows().hash();
        if (now.waiting().isEmpty() && facts.isEmpty() && !took) {
            return null;
        }
        RowMap rows = leader.memory().with(facts);
        return now.committed(rows).with(number, leader.leading(rows));
    }

    // Workers.

    private void worker(Small now, int number, List<Move> moves) {
        Worker worker = now.workers().get(number);
        String name = "worker " + number;
        switch (worker.phase()) {
            case IDLE -> {
                boolean another = now.workers().stream()
                        .anyMatch(other -> other.phase() == Worker.Phase.OWNING && other.epoch() == now.session());
                if (!another || now.spent().all() < MISHAPS) {
                    Small then = another ? now.with(now.spent().hint()) : now;
                    moves.add(new Move(name + " takes the partition", owned(then, number)));
                }
            }
            case OWNING -> {
                Small read = read(now, number);
                if (read != null) {
                    moves.add(new Move(name + " reads its commands", read));
                }
                for (int i = 0; i < machines.size(); i++) {
                    Drive drive = worker.drives().get(i);
                    if (drive != null) {
                        drive(now, number, i, drive, moves);
                    }
                }
                if (worker.crashes() < CRASHES) {
                    moves.add(new Move(name + " crashes", now.with(number, worker.crashed())));
                }
            }
        }
    }

    private Small owned(Small now, int number) {
        Small then = now.nextSession();
        then = then.with(number, then.workers().get(number).owning(then.session(), machines.size()));
        Small read = read(then, number);
        return read == null ? then : read;
    }

    /** Takes in all commands that are others than it knows; null where none is. */
    private @Nullable Small read(Small now, int number) {
        Worker worker = now.workers().get(number);
        boolean news = false;
        for (int i = 0; i < machines.size(); i++) {
            WorkerCommand command = command(now, i);
            Drive drive = worker.drives().get(i);
            WorkerCommand known = drive == null ? null : drive.command();
            if (command == null ? drive != null : !command.equals(known)) {
                news = true;
                worker = worker.with(i, driven(now, i, command, drive));
            }
        }
        return news ? now.with(number, worker) : null;
    }

    private @Nullable WorkerCommand command(Small now, int machine) {
        return now.rows().get(new RowKey(Table.COMMANDS, machines.get(machine))) instanceof WorkerCommand command
                ? command
                : null;
    }

    private @Nullable Drive driven(Small now, int machine, @Nullable WorkerCommand command, @Nullable Drive drive) {
        if (command == null) {
            return null;
        }
        Node node = now.nodes().get(machine);
        return drive != null && drive.command().attemptId() == command.attemptId()
                ? drive.commanded(command, node, now.moment(), upgradeSafeguards)
                : Drive.begin(command, now.last().get(machine), node, now.moment(), upgradeSafeguards);
    }

    private void drive(Small now, int number, int machine, Drive drive, List<Move> moves) {
        String what = "worker " + number + ", machine " + machine + ", attempt "
                + drive.first().attemptId() + ": ";
        for (UpgradeAction upgradeAction : drive.open()) {
            switch (upgradeAction) {
                case UpgradeAction.WriteReport writeReport -> moves.add(new Move(what + "says " + writeReport.report(), said(now, number, machine, writeReport)));
                case UpgradeAction.Wait wait -> {
                    if (drive.hasNews(now.nodes().get(machine), now.moment())) {
                        moves.add(new Move(
                                what + "looks again", answered(now, number, machine, new UpgradeInput.WaitElapsed(), upgradeAction)));
                    }
                }
                case UpgradeAction.CallRefresh callRefresh -> call(now, number, machine, callRefresh, what, moves);
                default -> throw new IllegalStateException("left open: " + upgradeAction);
            }
        }
    }

    private Small answered(Small now, int number, int machine, UpgradeInput upgradeInput, UpgradeAction upgradeAction) {
        Worker worker = now.workers().get(number);
        Drive drive = worker.drives().get(machine);
        if (drive == null) {
            throw new IllegalStateException("nobody drives machine " + machine);
        }
        return now.with(
                number, worker.with(machine, drive.take(upgradeInput, upgradeAction, now.nodes().get(machine), now.moment(), upgradeSafeguards)));
    }

    /** What a session says that is not the newest is not written, and it ends. */
    private Small said(Small now, int number, int machine, UpgradeAction.WriteReport writeReport) {
        Worker worker = now.workers().get(number);
        Drive drive = worker.drives().get(machine);
        if (drive == null || worker.epoch() != now.session()) {
            return now.with(number, worker.idle());
        }
        AttemptProgress progress = new AttemptProgress(
                drive.first().key(), drive.first().uid(), drive.first().attemptId(), writeReport.report(), now.now());
        return answered(now.said(machine, progress), number, machine, new UpgradeInput.ReportCommitted(writeReport.report()), writeReport);
    }

    private void call(Small now, int number, int machine, UpgradeAction.CallRefresh callRefresh, String what, List<Move> moves) {
        if (now.moment().monotonicMillis() >= callRefresh.permitDeadline()) {
            moves.add(
                    new Move(what + "comes too late to call", answered(now, number, machine, new UpgradeInput.PermitExpired(), callRefresh)));
            return;
        }
        Node node = now.nodes().get(machine);
        Worker worker = now.workers().get(number);
        Drive drive = worker.drives().get(machine);
        long attempt = drive == null ? 0 : drive.first().attemptId();
        Small then = now.with(machine, node.called(attempt));
        moves.add(new Move(what + "calls", answered(then, number, machine, new UpgradeInput.CallReturned(node.answer()), callRefresh)));
        if (now.spent().all() < MISHAPS) {
            Small lost = then.with(then.spent().answer());
            moves.add(new Move(
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
