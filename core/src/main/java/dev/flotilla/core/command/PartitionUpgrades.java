package dev.flotilla.core.command;

import dev.flotilla.core.upgrade.ClockReading;
import dev.flotilla.core.upgrade.UpgradeAction;
import dev.flotilla.core.upgrade.UpgradeInput;
import dev.flotilla.core.upgrade.UpgradeSafeguards;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.WorkerCommand;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The upgrades that the commands of a partition ask for, in the worker that owns it, and their reports. A session
 * begins when the previous owner is fenced and the partition has been read to its end. It ends with the first commit
 * that is not known to have succeeded. A call permit counts only in its session. Upgrades outlive sessions, and their
 * reports wait for the next one.
 */
public final class PartitionUpgrades {
    private final UpgradeSafeguards upgradeSafeguards;
    private final Map<MachineKey, CommandedUpgrade> upgrades = new LinkedHashMap<>();
    private final ReportQueue reportQueue = new ReportQueue();
    private boolean sessionOpen;

    public PartitionUpgrades(UpgradeSafeguards upgradeSafeguards) {
        this.upgradeSafeguards = upgradeSafeguards;
    }

    /** Whether reports can be written. */
    public boolean isSessionOpen() {
        return sessionOpen;
    }

    public int countRunning() {
        return (int) upgrades.values().stream()
                .filter(upgrade -> !upgrade.hasEnded())
                .count();
    }

    // The session.

    /** Opens a session. An upgrade that another worker has continued is started again from its last report. */
    public List<PartitionEffect> openSession(PartitionSnapshot snapshot, ClockReading now) {
        List<PartitionEffect> effects = new ArrayList<>(endSession(now));
        sessionOpen = true;
        Map<MachineKey, AttemptProgress> lastReports = reportQueue.restoreLost(snapshot.lastReports());
        for (MachineKey key : List.copyOf(upgrades.keySet())) {
            if (!reportQueue.isOwnReport(key, lastReports.get(key))) {
                effects.add(stopUpgrade(key));
            }
        }
        reportQueue.resetCommitted(lastReports);
        for (MachineKey key : List.copyOf(upgrades.keySet())) {
            if (snapshot.commands().get(key) == null) {
                effects.addAll(handleCommand(key, null, now));
            }
        }
        snapshot.commands().forEach((key, command) -> effects.addAll(handleCommand(key, command, now)));
        return effects;
    }

    /** Ends the session: its call permits count no more. Running upgrades continue, and none starts. */
    public List<PartitionEffect> endSession(ClockReading now) {
        if (!sessionOpen) {
            return List.of();
        }
        sessionOpen = false;
        reportQueue.dropPermits();
        List<PartitionEffect> effects = new ArrayList<>();
        upgrades.values()
                .forEach(upgrade -> addActions(upgrade, upgrade.handle(new UpgradeInput.SessionEnded(), now), effects));
        return effects;
    }

    // Commands.

    /**
     * Handles the newest command for a machine; null if it was removed. Without a session only the command of the
     * running attempt counts: a partition that could not be read to its end is read again from its start, and shows old
     * commands. The next session begins with all commands.
     */
    public List<PartitionEffect> handleCommand(MachineKey key, @Nullable WorkerCommand command, ClockReading now) {
        List<PartitionEffect> effects = new ArrayList<>();
        CommandedUpgrade running = upgrades.get(key);
        if (running != null && command != null && running.attemptId() == command.attemptId()) {
            addActions(running, running.handle(new UpgradeInput.CommandChanged(command), now), effects);
            return effects;
        }
        if (!sessionOpen) {
            return effects;
        }
        if (running != null) {
            boolean abandoned = command == null && !running.hasEnded() && !running.isPreparation();
            PartitionEffect stopped = stopUpgrade(key);
            effects.add(abandoned ? new PartitionEffect.CleanUpAbandoned(running) : stopped);
        }
        if (command != null) {
            CommandedUpgrade next = new CommandedUpgrade(command, upgradeSafeguards);
            upgrades.put(key, next);
            effects.add(new PartitionEffect.StartUpgrade(next, reportQueue.lastCommitted(key)));
        }
        return effects;
    }

    // Reports.

    /**
     * Enqueues a report of an upgrade for the next transaction. Without a session, a call permit is not requested, and
     * the procedure goes on without the report.
     *
     * @return the next actions of the upgrade
     */
    public List<UpgradeAction> enqueueReport(CommandedUpgrade upgrade, AttemptReport report, ClockReading now) {
        AttemptProgress progress = upgrade.createProgress(report, now);
        if (upgrades.get(upgrade.key()) != upgrade) {
            // It would hide the report of a newer attempt.
            return List.of();
        }
        if (sessionOpen) {
            reportQueue.enqueue(progress);
            return List.of();
        }
        if (!ReportQueue.isPermit(report)) {
            reportQueue.enqueue(progress);
        }
        return upgrade.handle(new UpgradeInput.SessionEnded(), now);
    }

    /** The reports of the next transaction; none without a session. */
    public List<AttemptProgress> nextReports() {
        return sessionOpen ? reportQueue.nextBatch() : List.of();
    }

    public List<PartitionEffect> reportsCommitted(List<AttemptProgress> batch) {
        reportQueue.batchCommitted(batch);
        List<PartitionEffect> effects = new ArrayList<>();
        for (AttemptProgress progress : batch) {
            CommandedUpgrade upgrade = upgrades.get(progress.key());
            if (upgrade != null && upgrade.attemptId() == progress.attemptId()) {
                effects.add(new PartitionEffect.ReportCommitted(upgrade, progress.report()));
            }
        }
        return effects;
    }

    /** Ends the session after a transaction that is not known to have succeeded. */
    public List<PartitionEffect> commitFailed(List<AttemptProgress> batch, ClockReading now) {
        reportQueue.batchUncertain(batch);
        return endSession(now);
    }

    // Another owner.

    /** Prepares for another worker: returns unused call permits, and begins nothing more. */
    public List<PartitionEffect> handOver(ClockReading now) {
        List<PartitionEffect> effects = new ArrayList<>();
        upgrades.values().forEach(upgrade -> addActions(upgrade, upgrade.handOver(now), effects));
        return effects;
    }

    /** Whether the log contains all that the next owner must know. */
    public boolean isSettled() {
        return !sessionOpen
                || (reportQueue.isEmpty() && upgrades.values().stream().allMatch(CommandedUpgrade::isSettled));
    }

    /** Stops all upgrades, because another worker owns the partition. */
    public void drop() {
        sessionOpen = false;
        upgrades.values().forEach(CommandedUpgrade::stop);
        upgrades.clear();
        reportQueue.clear();
    }

    private PartitionEffect stopUpgrade(MachineKey key) {
        CommandedUpgrade stopped = upgrades.remove(key);
        if (stopped == null) {
            throw new IllegalStateException("no upgrade of " + key);
        }
        stopped.stop();
        reportQueue.dropWaiting(key);
        return new PartitionEffect.StopUpgrade(stopped);
    }

    private static void addActions(
            CommandedUpgrade upgrade, List<UpgradeAction> actions, List<PartitionEffect> effects) {
        if (!actions.isEmpty()) {
            effects.add(new PartitionEffect.PerformActions(upgrade, actions));
        }
    }
}
