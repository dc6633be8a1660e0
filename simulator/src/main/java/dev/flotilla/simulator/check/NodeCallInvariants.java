package dev.flotilla.simulator.check;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
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
import dev.flotilla.schemas.row.UpgradeProvider;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.WorkerCommand;
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

/** What must hold for every call that a node receives, at the time when it receives it. */
final class NodeCallInvariants {
    private static final long COMMAND_DELAY = 2000;
    private static final int MINOR = 100;

    /**
     * A worker calls within ten seconds of its call permit, or writes another permit; the additional second is for the
     * call's way.
     */
    private static final long MAX_PERMIT_AGE = 11_000;

    /**
     * The longest command lease: a quarter of an hour, plus how far a leader's clock may be ahead, a minute and its own
     * two seconds.
     */
    private static final long LONGEST_COMMAND = 16 * 60_000L + 2_000;

    /** What the log contains about an attempt. */
    private static final class AttemptCommand {
        private long leaseExpiresAt;
        private long revokedAt = Long.MAX_VALUE;
        private long permitSince;
        private int maxUnavailable;
        private int newer = Integer.MAX_VALUE;
        private @Nullable UpgradeProvider provider;
    }

    private final SimFleet fleet;
    private final ViolationLog violationLog;
    private final Map<String, SimProcess> workers = new LinkedHashMap<>();
    private final Map<Long, AttemptCommand> commands = new HashMap<>();

    /** The attempt that holds each machine's slot, by the rows. */
    private final Map<MachineKey, Long> slotHolders = new HashMap<>();

    /**
     * When the reports of a site's workers were last lost: a worker that restarts after that does not know what was
     * called.
     */
    private final Map<SiteId, Long> reportsLostAt = new HashMap<>();

    /** Attempts that were written off or dropped with their machine: one of their calls may still be in progress. */
    private final Set<Long> abandoned = new HashSet<>();

    NodeCallInvariants(SimFleet fleet, ViolationLog violationLog, List<SimProcess> workers) {
        this.fleet = fleet;
        this.violationLog = violationLog;
        workers.forEach(worker -> this.workers.put(worker.name(), worker));
    }

    /** Records a committed row of the orchestrator; {@code before} is the machine's status until then. */
    void applyChange(RowChange rowChange, @Nullable MachineStatus before, long now) {
        trackSlot(rowChange, before);
        if (rowChange instanceof WorkerCommand.UpgradeMachine upgrade) {
            AttemptCommand command = commandOf(upgrade.attemptId());
            violationLog.require(
                    upgrade.leaseExpiresAt().toEpochMilli() - now <= LONGEST_COMMAND,
                    Invariant.LEASE,
                    upgrade.key() + " may be called until " + upgrade.leaseExpiresAt()
                            + ", longer than any command lease");
            command.leaseExpiresAt =
                    Math.max(command.leaseExpiresAt, upgrade.leaseExpiresAt().toEpochMilli());
            command.maxUnavailable = upgrade.maxUnavailable();
            violationLog.require(
                    command.provider == null || command.provider == upgrade.provider(),
                    Invariant.PROVIDER,
                    upgrade.key() + " attempt " + upgrade.attemptId() + " changes its provider from " + command.provider
                            + " to " + upgrade.provider());
            command.provider = upgrade.provider();
            command.newer = firstNewerRevision(upgrade);
        } else if (rowChange instanceof WorkerCommand.CancelUpgrade cancel) {
            revoke(cancel.attemptId(), now);
        } else if (rowChange instanceof MachineStatus status
                && status.attempt() != null
                && status.attempt().cancelled()) {
            revoke(status.attempt().id(), now);
        } else if (rowChange instanceof Tombstone tombstone
                && tombstone.rowKey().table() == Table.COMMANDS
                && before != null
                && before.attempt() != null) {
            revoke(before.attempt().id(), now);
        }
    }

    private void trackSlot(RowChange rowChange, @Nullable MachineStatus before) {
        if (rowChange instanceof MachineStatus status) {
            UpgradeAttempt open = status.attempt();
            AttemptFailure failure = status.lastFailure();
            if (open != null) {
                slotHolders.put(status.key(), open.id());
            } else if (slotHolders.remove(status.key()) != null
                    && failure != null
                    && failure.reason() == FailureReason.WRITTEN_OFF) {
                abandoned.add(failure.attemptId());
            }
        } else if (rowChange instanceof Tombstone
                && rowChange.rowKey().table() == Table.STATUS
                && before != null
                && before.attempt() != null) {
            slotHolders.remove(before.key());
            abandoned.add(before.attempt().id());
        }
    }

    /** Records that a topic has lost records. */
    void recordsLost(TablePartition tablePartition, long now) {
        if (tablePartition.site() != null && tablePartition.table() == Table.PROGRESS) {
            reportsLostAt.put(tablePartition.site(), now);
        }
    }

    /** Records a committed report. */
    void applyReport(AttemptProgress progress, long now) {
        if (progress.report() instanceof AttemptReport.StepReached stepReached
                && stepReached.step() == AttemptStep.STARTING) {
            commandOf(progress.attemptId()).permitSince = now;
        }
    }

    private AttemptCommand commandOf(long attempt) {
        return commands.computeIfAbsent(attempt, absent -> new AttemptCommand());
    }

    private void revoke(long attempt, long now) {
        AttemptCommand command = commandOf(attempt);
        command.revokedAt = Math.min(command.revokedAt, now);
    }

    void checkCall(NodeCallLedger ledger, NodeCallLedger.NodeCall call) {
        AttemptCommand command = commands.get(call.attempt());
        if (command == null) {
            violationLog.addViolation(
                    Invariant.ZOMBIE,
                    call.machine() + " was called for attempt " + call.attempt() + ", for which there is no command");
            return;
        }
        Long holder = slotHolders.get(call.machine());
        violationLog.require(
                (holder != null && holder == call.attempt()) || abandoned.contains(call.attempt()),
                Invariant.CAPS,
                call.machine() + " was called for attempt " + call.attempt()
                        + ", which does not hold the slot: attempt " + holder + " does");
        violationLog.require(
                call.calledAt() <= command.leaseExpiresAt,
                Invariant.LEASE,
                call.machine() + " was called " + (call.calledAt() - command.leaseExpiresAt)
                        + " ms after its command lease expired, by " + call.caller());
        violationLog.require(
                call.calledAt() - command.permitSince <= MAX_PERMIT_AGE,
                Invariant.ONE_CALL,
                call.machine() + " was called " + (call.calledAt() - command.permitSince)
                        + " ms after its call permit, by " + call.caller());
        SimProcess caller = workers.get(call.caller());
        boolean readsLog = caller != null && !caller.troubledSince(command.revokedAt);
        violationLog.require(
                call.calledAt() <= deadlineAfterRevocation(command.revokedAt) || !readsLog,
                Invariant.CANCELLED,
                call.machine() + " was called " + (call.calledAt() - command.revokedAt)
                        + " ms after its command was revoked, by " + call.caller());
        int accepted = 0;
        long lostAt = reportsLostAt.getOrDefault(call.machine().site(), Long.MIN_VALUE);
        for (NodeCallLedger.NodeCall other : ledger.calls(call.machine())) {
            boolean known = other.attempt() == call.attempt() && other.calledAt() > lostAt;
            accepted += known && !other.rejected() ? 1 : 0;
        }
        violationLog.require(
                accepted <= 1 && (call.rejected() ? accepted == 0 : true),
                Invariant.ONE_CALL,
                call.machine() + " was called again in attempt " + call.attempt() + " by " + call.caller());
        if (call.effective()) {
            requireNoDowngrade(call, command.newer);
            checkCluster(call, command.maxUnavailable);
        }
    }

    /** The first revision of the minor version after the target's, if the command forbids a downgrade from there. */
    private static int firstNewerRevision(WorkerCommand.UpgradeMachine upgrade) {
        if (upgrade.target() instanceof UpgradeTarget.KubernetesRelease && !upgrade.allowDowngrade()) {
            return SnapReleases.revision(upgrade.target()) + 1;
        }
        boolean named = upgrade.target() instanceof UpgradeTarget.Channel channel
                && !channel.channel().equals(SnapReleases.LATEST);
        return upgrade.allowDowngrade() || !named
                ? Integer.MAX_VALUE
                : SnapReleases.revision(upgrade.target()) / MINOR * MINOR + MINOR;
    }

    private void requireNoDowngrade(NodeCallLedger.NodeCall call, int newer) {
        SimMachine machine = fleet.machine(call.machine());
        violationLog.require(
                machine == null || machine.node().revision() < newer,
                Invariant.VERSION,
                call.machine() + " was called to downgrade, by " + call.caller());
    }

    private static long deadlineAfterRevocation(long revokedAt) {
        return revokedAt == Long.MAX_VALUE ? revokedAt : revokedAt + COMMAND_DELAY;
    }

    /** Checks the cluster as it really is, which the worker must have inspected. */
    private void checkCluster(NodeCallLedger.NodeCall call, int maxUnavailable) {
        SimMachine machine = fleet.machine(call.machine());
        if (machine == null) {
            return;
        }
        int unavailable = 1;
        for (SimMachine other : machine.cluster().machines()) {
            boolean healthy = other.node().isReady() && !other.node().isRemoved();
            if (other != machine && other.role() == machine.role()) {
                unavailable += healthy ? 0 : 1;
                violationLog.require(
                        machine.role() == MachineRole.WORKER
                                || (healthy && !other.node().isRefreshing()),
                        Invariant.CONTROL_PLANE,
                        call.machine() + " was called while control-plane machine " + other.key() + " was unavailable");
            }
        }
        violationLog.require(
                machine.role() == MachineRole.CONTROL_PLANE || unavailable <= maxUnavailable,
                Invariant.WORKERS,
                call.machine() + " was called: including it, " + unavailable
                        + " workers are unavailable; maxUnavailable is " + maxUnavailable);
    }
}
