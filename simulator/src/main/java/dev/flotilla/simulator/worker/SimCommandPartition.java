package dev.flotilla.simulator.worker;

import dev.flotilla.core.command.CommandedUpgrade;
import dev.flotilla.core.command.PartitionEffect;
import dev.flotilla.core.command.PartitionSnapshot;
import dev.flotilla.core.command.PartitionUpgrades;
import dev.flotilla.core.upgrade.BrokerClockEstimate;
import dev.flotilla.core.upgrade.ClockReading;
import dev.flotilla.core.upgrade.UpgradeAction;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.simulator.log.SimLogReader;
import dev.flotilla.simulator.log.SimProducer;
import dev.flotilla.simulator.world.SimProcess;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A partition of a site's commands in a simulated worker: carries out the effects of the core's {@link
 * PartitionUpgrades} on the simulated log. It lives until the worker dies or learns that another one owns the partition.
 */
final class SimCommandPartition {
    private static final long CUT_OFF_RETRY = 1000;
    private static final long RETRY_PAUSE = 500;
    private static final long FENCED_PAUSE = 3000;
    private static final long SETTLE_TIMEOUT = 2000;
    private static final long SETTLE_CHECK_INTERVAL = 50;

    private final SimSiteWorkers workers;
    private final SimProcess process;
    private final int number;
    private final TablePartition commandPartition;
    private final TablePartition progressPartition;
    private final PartitionUpgrades partitionUpgrades;
    private final Map<CommandedUpgrade, SimMachineUpgrade> machineUpgrades = new LinkedHashMap<>();
    private BrokerClockEstimate brokerClock = BrokerClockEstimate.UNKNOWN;
    private @Nullable SimProducer producer;
    private @Nullable SimLogReader commands;
    private boolean isDropped;
    private boolean isLeaving;
    private boolean readScheduled;

    SimCommandPartition(SimSiteWorkers workers, SimProcess process, int number) {
        this.workers = workers;
        this.process = process;
        this.number = number;
        SiteId site = workers.site().id();
        this.commandPartition = new TablePartition(Table.COMMANDS, site, number);
        this.progressPartition = new TablePartition(Table.PROGRESS, site, number);
        this.partitionUpgrades = new PartitionUpgrades(workers.safeguards());
    }

    SimSiteWorkers workers() {
        return workers;
    }

    SimProcess process() {
        return process;
    }

    int number() {
        return number;
    }

    boolean isDropped() {
        return isDropped;
    }

    /** Whether it is handed over, so that it opens no session any more. */
    boolean isLeaving() {
        return isLeaving;
    }

    boolean isSessionOpen() {
        return partitionUpgrades.isSessionOpen();
    }

    /** The producer of the newest session. */
    @Nullable
    SimProducer producer() {
        return producer;
    }

    /** The time as this worker knows it: its own clock, unless a record proves that it is later. */
    ClockReading now() {
        long own = process.clock();
        long monotonic = workers.now();
        return new ClockReading(brokerClock.earliestWallMillis(own, monotonic), monotonic);
    }

    // The session.

    /** Fences the previous owner, reads both tables to their ends, and opens a session. */
    void openSession() {
        carryOut(partitionUpgrades.endSession(now()));
        producer = workers.log().init("flotilla.worker." + workers.site().id() + "." + number);
        if (!process.continuesAfter("before it reads its partition")) {
            return;
        }
        Map<MachineKey, @Nullable WorkerCommand> newestCommands = new LinkedHashMap<>();
        SimLogReader reader = new SimLogReader(workers.log());
        reader.seek(commandPartition, 0);
        commands = reader;
        pollCommands(reader, newestCommands::put);
        List<PartitionEffect> effects =
                partitionUpgrades.openSession(new PartitionSnapshot(newestCommands, readLastReports()), now());
        flushReports(null);
        carryOut(effects);
    }

    private Map<MachineKey, AttemptProgress> readLastReports() {
        Map<MachineKey, AttemptProgress> lastReports = new LinkedHashMap<>();
        for (SimLogReader.FetchedRecord fetchedRecord : new SimLogReader(workers.log())
                .upTo(progressPartition, workers.log().end(progressPartition))) {
            if (fetchedRecord.logged().rowChange() instanceof AttemptProgress progress) {
                lastReports.put(progress.key(), progress);
            } else {
                lastReports.remove((MachineKey) fetchedRecord.logged().key().key());
            }
        }
        return lastReports;
    }

    /** Ends the session after a failure, and tries to open another one after a pause. */
    private void commitFailed(List<AttemptProgress> batch, long pause, String failure) {
        workers.transcript().append(process.name(), () -> failure);
        carryOut(partitionUpgrades.commitFailed(batch, now()));
        workers.reopenSession(this, pause);
    }

    /** Settles uncertain calls for another worker, for a limited time, and then drops the partition. */
    void handOver() {
        if (!isLeaving) {
            isLeaving = true;
            carryOut(partitionUpgrades.handOver(now()));
            dropWhenSettled(workers.now() + SETTLE_TIMEOUT);
        }
    }

    private void dropWhenSettled(long end) {
        if (partitionUpgrades.isSettled() || workers.now() >= end) {
            drop();
        } else {
            process.later(SETTLE_CHECK_INTERVAL, () -> dropWhenSettled(end));
        }
    }

    /** Drops all upgrades: the worker has died, or another one owns the partition. */
    void drop() {
        isDropped = true;
        partitionUpgrades.drop();
        machineUpgrades.clear();
    }

    // Commands.

    /** Receives commands. */
    private interface CommandHandler {
        void onCommand(MachineKey machine, @Nullable WorkerCommand command);
    }

    /** Called when there may be new commands. */
    void onCommand() {
        scheduleRead(process.drawDuration(20, 400));
    }

    private void scheduleRead(long delay) {
        readScheduled = true;
        process.later(delay, this::readCommands);
    }

    boolean awaitsCommands() {
        return !isDropped && !isLeaving && !readScheduled && commands != null;
    }

    private void readCommands() {
        readScheduled = false;
        SimLogReader reader = commands;
        if (isDropped || isLeaving || reader == null) {
            return;
        }
        if (process.cannotRead()) {
            scheduleRead(CUT_OFF_RETRY);
            return;
        }
        if (reader.hasOffsetMovedBack()) {
            commands = null;
            commitFailed(List.of(), RETRY_PAUSE, "has read commands that no longer exist, and restarts its session");
            return;
        }
        pollCommands(reader, (machine, command) -> carryOut(partitionUpgrades.handleCommand(machine, command, now())));
    }

    /** Passes on the commands that have arrived. A record that cannot be decoded commands nothing. */
    private void pollCommands(SimLogReader reader, CommandHandler handler) {
        List<SimLogReader.FetchedRecord> fetched = reader.poll(workers.now(), Integer.MAX_VALUE);
        for (SimLogReader.FetchedRecord fetchedRecord : fetched) {
            brokerClock = brokerClock.withAppend(fetchedRecord.logged().appendedAt(), workers.now());
        }
        for (SimLogReader.FetchedRecord fetchedRecord : fetched) {
            RowChange rowChange = fetchedRecord.logged().rowChange();
            if (rowChange instanceof WorkerCommand command) {
                handler.onCommand(command.key(), command);
            } else if (rowChange instanceof Tombstone) {
                handler.onCommand((MachineKey) fetchedRecord.logged().key().key(), null);
            }
        }
    }

    // Reports.

    /** Writes a report of an upgrade. Returns the next actions of the upgrade. */
    List<UpgradeAction> writeReport(CommandedUpgrade upgrade, AttemptReport report) {
        List<UpgradeAction> actions = partitionUpgrades.enqueueReport(upgrade, report, now());
        flushReports(report);
        return actions;
    }

    /**
     * Writes the waiting reports. If the outcome of the transaction is unknown, the session ends.
     *
     * @param note the newest report; null if all are from before the session, so that none permits a call
     */
    private void flushReports(@Nullable AttemptReport note) {
        SimProducer writer = producer;
        List<AttemptProgress> batch = partitionUpgrades.nextReports();
        if (writer == null || batch.isEmpty() || !process.continuesAfter("before a report")) {
            return;
        }
        if (process.cannotWrite()) {
            commitFailed(batch, RETRY_PAUSE, "cannot write its reports, and ends its session");
            return;
        }
        batch.forEach(progress -> writer.send(progressPartition, progress));
        if (!process.continuesAfter("with a report sent and not committed")) {
            return;
        }
        if (!writer.commit(note)) {
            commitFailed(batch, FENCED_PAUSE, "is fenced off partition " + number);
            return;
        }
        brokerClock = brokerClock.withAppend(workers.now(), workers.now());
        for (AttemptProgress progress : batch) {
            workers.transcript()
                    .append(
                            process.name(),
                            () -> "reports " + progress.key() + " attempt " + progress.attemptId() + ": "
                                    + progress.report());
        }
        if (workers.faults().unclearNow(process.chance())) {
            commitFailed(batch, RETRY_PAUSE, "does not learn whether it was committed, and restarts its session");
            return;
        }
        carryOut(partitionUpgrades.reportsCommitted(batch));
    }

    // Effects.

    private void carryOut(List<PartitionEffect> effects) {
        effects.forEach(this::carryOut);
    }

    private void carryOut(PartitionEffect effect) {
        SimMachineUpgrade known = machineUpgrades.get(effect.upgrade());
        switch (effect) {
            case PartitionEffect.StartUpgrade start -> {
                SimMachineUpgrade next = new SimMachineUpgrade(this, start.upgrade());
                machineUpgrades.put(start.upgrade(), next);
                next.begin(start.lastReport());
            }
            case PartitionEffect.PerformActions perform -> {
                if (known != null) {
                    known.perform(perform.actions());
                }
            }
            case PartitionEffect.ReportCommitted committed -> {
                if (known != null) {
                    known.onReportCommitted(committed.report());
                }
            }
            // A simulated machine has no guards or connections that stay.
            case PartitionEffect.StopUpgrade stop -> machineUpgrades.remove(stop.upgrade());
            case PartitionEffect.CleanUpAbandoned abandoned -> machineUpgrades.remove(abandoned.upgrade());
        }
    }
}
