package dev.flotilla.simulator.check;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.AttemptFailure;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.simulator.fleet.SimFleet;
import dev.flotilla.simulator.fleet.SimMachine;
import dev.flotilla.simulator.node.NodeCallLedger;
import dev.flotilla.simulator.node.SnapReleases;
import dev.flotilla.simulator.world.SimProcess;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What must hold of every call that a node receives, at the instant at which it does. */
final class NodeCallInvariants {
    private static final long COMMAND_DELAY = 2000;
    private static final int MINOR = 100;

    /** A worker calls within ten seconds of its licence, or writes another; the second more is the call's own way. */
    private static final long LICENCE = 11_000;

    /** A quarter of an hour, and as far as a leader's clock may be ahead: a minute and its own two seconds. */
    private static final long LONGEST_COMMAND = 16 * 60_000L + 2_000;

    /** What the log had said of an attempt. */
    private static final class Licence {
        private long notAfter;
        private long withdrawn = Long.MAX_VALUE;
        private long written;
        private int maxUnavailable;
        private int newer = Integer.MAX_VALUE;
    }

    private final SimFleet fleet;
    private final ViolationLog violationLog;
    private final Map<String, SimProcess> workers = new LinkedHashMap<>();
    private final Map<Long, Licence> licences = new HashMap<>();

    /** The attempt that holds a slot for each machine, by the rows. */
    private final Map<MachineKey, Long> holders = new HashMap<>();

    /** When the workers' words of a site were lost, for the last time: who is started anew then does not know what was called. */
    private final Map<SiteId, Long> wordsLost = new HashMap<>();

    /** Attempts that were given up on by an order or with their machine: a call of theirs may still be under way. */
    private final Set<Long> givenUp = new HashSet<>();

    NodeCallInvariants(SimFleet fleet, ViolationLog violationLog, List<SimProcess> workers) {
        this.fleet = fleet;
        this.violationLog = violationLog;
        workers.forEach(worker -> this.workers.put(worker.name(), worker));
    }

    /** A row of the orchestrator's was committed; {@code before} is the machine's status until then. */
    void committed(RowChange rowChange, @Nullable MachineStatus before, long now) {
        holds(rowChange, before);
        if (rowChange instanceof WorkerCommand.UpgradeMachine upgrade) {
            Licence licence = of(upgrade.attemptId());
            violationLog.require(
                    upgrade.leaseExpiresAt().toEpochMilli() - now <= LONGEST_COMMAND,
                    Invariant.LICENCE,
                    upgrade.key() + " may be called until " + upgrade.leaseExpiresAt()
                            + ", longer than any command lasts");
            licence.notAfter =
                    Math.max(licence.notAfter, upgrade.leaseExpiresAt().toEpochMilli());
            licence.maxUnavailable = upgrade.maxUnavailable();
            licence.newer = newer(upgrade);
        } else if (rowChange instanceof WorkerCommand.CancelUpgrade cancel) {
            withdraw(cancel.attemptId(), now);
        } else if (rowChange instanceof MachineStatus status
                && status.attempt() != null
                && status.attempt().cancelled()) {
            withdraw(status.attempt().id(), now);
        } else if (rowChange instanceof Tombstone tombstone
                && tombstone.rowKey().table() == Table.COMMANDS
                && before != null
                && before.attempt() != null) {
            withdraw(before.attempt().id(), now);
        }
    }

    private void holds(RowChange rowChange, @Nullable MachineStatus before) {
        if (rowChange instanceof MachineStatus status) {
            UpgradeAttempt open = status.attempt();
            AttemptFailure failure = status.lastFailure();
            if (open != null) {
                holders.put(status.key(), open.id());
            } else if (holders.remove(status.key()) != null
                    && failure != null
                    && failure.reason() == FailureReason.WRITTEN_OFF) {
                givenUp.add(failure.attemptId());
            }
        } else if (rowChange instanceof Tombstone
                && rowChange.rowKey().table() == Table.STATUS
                && before != null
                && before.attempt() != null) {
            holders.remove(before.key());
            givenUp.add(before.attempt().id());
        }
    }

    /** A topic has lost records. */
    void recordsLost(TablePartition tablePartition, long now) {
        if (tablePartition.site() != null && tablePartition.table() == Table.PROGRESS) {
            wordsLost.put(tablePartition.site(), now);
        }
    }

    /** A worker's word was committed. */
    void applyReport(AttemptProgress progress, long now) {
        if (progress.report() instanceof AttemptReport.StepReached stepReached
                && stepReached.step() == AttemptStep.STARTING) {
            of(progress.attemptId()).written = now;
        }
    }

    private Licence of(long attempt) {
        return licences.computeIfAbsent(attempt, absent -> new Licence());
    }

    private void withdraw(long attempt, long now) {
        Licence licence = of(attempt);
        licence.withdrawn = Math.min(licence.withdrawn, now);
    }

    void checkCall(NodeCallLedger ledger, NodeCallLedger.NodeCall call) {
        Licence licence = licences.get(call.attempt());
        if (licence == null) {
            violationLog.addViolation(
                    Invariant.ZOMBIE,
                    call.machine() + " was called for attempt " + call.attempt() + ", which nobody has committed");
            return;
        }
        Long holder = holders.get(call.machine());
        violationLog.require(
                (holder != null && holder == call.attempt()) || givenUp.contains(call.attempt()),
                Invariant.CAPS,
                call.machine() + " was called for attempt " + call.attempt() + ", which holds no slot: " + holder
                        + " does");
        violationLog.require(
                call.calledAt() <= licence.notAfter,
                Invariant.LICENCE,
                call.machine() + " was called " + (call.calledAt() - licence.notAfter)
                        + " ms after its command's end, by " + call.caller());
        violationLog.require(
                call.calledAt() - licence.written <= LICENCE,
                Invariant.ONE_CALL,
                call.machine() + " was called " + (call.calledAt() - licence.written) + " ms after its licence, by "
                        + call.caller());
        SimProcess caller = workers.get(call.caller());
        boolean hears = caller != null && !caller.troubledSince(licence.withdrawn);
        violationLog.require(
                call.calledAt() <= saturated(licence.withdrawn) || !hears,
                Invariant.TAKEN_BACK,
                call.machine() + " was called " + (call.calledAt() - licence.withdrawn)
                        + " ms after its command was taken back, by " + call.caller());
        int answered = 0;
        long forgotten = wordsLost.getOrDefault(call.machine().site(), Long.MIN_VALUE);
        for (NodeCallLedger.NodeCall other : ledger.calls(call.machine())) {
            boolean known = other.attempt() == call.attempt() && other.calledAt() > forgotten;
            answered += known && !other.rejected() ? 1 : 0;
        }
        violationLog.require(
                answered <= 1 && (call.rejected() ? answered == 0 : true),
                Invariant.ONE_CALL,
                call.machine() + " was called again in attempt " + call.attempt() + " by " + call.caller());
        if (call.effective()) {
            notBack(call, licence.newer);
            live(call, licence.maxUnavailable);
        }
    }

    /** The first revision of the minor version after the target's, where the command forbids to go back from there. */
    private static int newer(WorkerCommand.UpgradeMachine upgrade) {
        boolean named = upgrade.target() instanceof UpgradeTarget.Channel channel
                && !channel.channel().equals(SnapReleases.LATEST);
        return upgrade.allowDowngrade() || !named
                ? Integer.MAX_VALUE
                : SnapReleases.revision(upgrade.target()) / MINOR * MINOR + MINOR;
    }

    private void notBack(NodeCallLedger.NodeCall call, int newer) {
        SimMachine machine = fleet.machine(call.machine());
        violationLog.require(
                machine == null || machine.node().revision() < newer,
                Invariant.VERSION,
                call.machine() + " was called back to an older version than it runs, by " + call.caller());
    }

    private static long saturated(long withdrawn) {
        return withdrawn == Long.MAX_VALUE ? withdrawn : withdrawn + COMMAND_DELAY;
    }

    /** The cluster as it really is: what the worker has to have looked at. */
    private void live(NodeCallLedger.NodeCall call, int maxUnavailable) {
        SimMachine machine = fleet.machine(call.machine());
        if (machine == null) {
            return;
        }
        int away = 1;
        for (SimMachine other : machine.cluster().machines()) {
            boolean well = other.node().isReady() && !other.node().isRemoved();
            if (other != machine && other.role() == machine.role()) {
                away += well ? 0 : 1;
                violationLog.require(
                        machine.role() == MachineRole.WORKER
                                || (well && !other.node().isRefreshing()),
                        Invariant.CONTROL_PLANE,
                        call.machine() + " was called while control-plane machine " + other.key() + " was away");
            }
        }
        violationLog.require(
                machine.role() == MachineRole.CONTROL_PLANE || away <= maxUnavailable,
                Invariant.WORKERS,
                call.machine() + " was called: with it " + away + " workers are away, " + maxUnavailable + " may be");
    }
}
