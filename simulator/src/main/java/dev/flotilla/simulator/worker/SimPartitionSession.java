package dev.flotilla.simulator.worker;

import dev.flotilla.core.procedure.BrokerClockEstimate;
import dev.flotilla.core.procedure.ClockReading;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.simulator.log.SimLogReader;
import dev.flotilla.simulator.log.SimProducer;
import dev.flotilla.simulator.world.SimProcess;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One session of one partition's owner. It fences the previous owner of the partition. It ends when it is fenced
 * itself, loses the partition, or does not know the outcome of a commit.
 */
final class SimPartitionSession {
    private static final long CUT_OFF_RETRY = 1000;

    private final SimSiteWorkers workers;
    private final SimProcess process;
    private final int partition;
    private final SimProducer producer;
    private final SimLogReader commands;
    private final TablePartition commandPartition;
    private final TablePartition progressPartition;
    private final Map<MachineKey, SimMachineUpgrade> upgrades = new LinkedHashMap<>();
    private final Map<MachineKey, AttemptProgress> lastReports = new LinkedHashMap<>();
    private BrokerClockEstimate brokerClock = BrokerClockEstimate.UNKNOWN;
    private boolean isEnded;
    private boolean readScheduled;

    SimPartitionSession(SimSiteWorkers world, SimProcess process, int partition) {
        this.workers = world;
        this.process = process;
        this.partition = partition;
        SiteId site = world.site().id();
        this.commandPartition = new TablePartition(Table.COMMANDS, site, partition);
        this.progressPartition = new TablePartition(Table.PROGRESS, site, partition);
        this.producer = world.log().init("flotilla.worker." + site + "." + partition);
        this.commands = new SimLogReader(world.log());
        commands.seek(commandPartition, 0);
    }

    SimSiteWorkers workers() {
        return workers;
    }

    SimProcess process() {
        return process;
    }

    int partition() {
        return partition;
    }

    /** The time as this worker knows it: its own clock, unless a record proves that it is later. */
    ClockReading now() {
        long own = process.clock();
        long monotonic = workers.now();
        return new ClockReading(brokerClock.earliestWallMillis(own, monotonic), monotonic);
    }

    boolean isEnded() {
        return isEnded;
    }

    void end() {
        isEnded = true;
    }

    /**
     * Reads both tables to the end and continues from them.
     *
     * @param before the reports that this process committed in an earlier session
     */
    void restore(Map<MachineKey, AttemptProgress> before) {
        for (SimLogReader.FetchedRecord fetchedRecord : new SimLogReader(workers.log())
                .upTo(progressPartition, workers.log().end(progressPartition))) {
            if (fetchedRecord.logged().rowChange() instanceof AttemptProgress progress) {
                lastReports.put(progress.key(), progress);
            } else {
                lastReports.remove((MachineKey) fetchedRecord.logged().key().key());
            }
        }
        rewriteLostReports(before);
        readCommands();
    }

    /**
     * Writes reports again that the topic has lost. No process deletes a report, so a missing one was lost with its
     * topic.
     */
    private void rewriteLostReports(Map<MachineKey, AttemptProgress> before) {
        boolean any = false;
        for (AttemptProgress report : before.values()) {
            if (lastReports.putIfAbsent(report.key(), report) == null) {
                any = true;
                producer.send(progressPartition, report);
            }
        }
        isEnded = any && !producer.commit(null);
    }

    /** Called when there may be new commands. */
    void onCommand() {
        if (!isEnded && !readScheduled) {
            readScheduled = true;
            runLater(process.drawDuration(20, 400), this::readCommands);
        }
    }

    private void readCommands() {
        readScheduled = false;
        if (process.cannotRead()) {
            readScheduled = true;
            runLater(CUT_OFF_RETRY, this::readCommands);
            return;
        }
        if (commands.hasOffsetMovedBack()) {
            workers.transcript()
                    .append(process.name(), () -> "has read commands that no longer exist, and restarts its session");
            isEnded = true;
            workers.restartSession(process, partition, lastReports);
            return;
        }
        Map<MachineKey, @Nullable WorkerCommand> newest = new LinkedHashMap<>();
        List<SimLogReader.FetchedRecord> fetched = commands.poll(workers.now(), Integer.MAX_VALUE);
        for (SimLogReader.FetchedRecord fetchedRecord : fetched) {
            brokerClock = brokerClock.withAppend(fetchedRecord.logged().appendedAt(), workers.now());
            newest.put(
                    (MachineKey) fetchedRecord.logged().key().key(),
                    fetchedRecord.logged().rowChange() instanceof WorkerCommand command ? command : null);
        }
        newest.forEach(this::handleCommand);
    }

    private void handleCommand(MachineKey key, @Nullable WorkerCommand command) {
        SimMachineUpgrade simMachineUpgrade = upgrades.get(key);
        if (command == null) {
            if (simMachineUpgrade != null) {
                simMachineUpgrade.stop();
                upgrades.remove(key);
            }
            return;
        }
        if (simMachineUpgrade != null && simMachineUpgrade.attempt() == command.attemptId()) {
            simMachineUpgrade.updateCommand(command);
            return;
        }
        if (simMachineUpgrade != null) {
            simMachineUpgrade.stop();
        }
        SimMachineUpgrade next = new SimMachineUpgrade(this, command);
        upgrades.put(key, next);
        next.begin(lastReports.get(key));
    }

    void runLater(long delay, Runnable action) {
        process.later(delay, () -> {
            if (!isEnded) {
                action.run();
            }
        });
    }

    /**
     * Writes a report of an attempt. Continues with {@code then} once it is committed, and with {@code again} if Kafka
     * is unreachable.
     */
    void report(WorkerCommand command, AttemptReport report, Runnable again, Runnable then) {
        SimMachineUpgrade simMachineUpgrade = upgrades.get(command.key());
        if (isEnded || simMachineUpgrade == null || simMachineUpgrade.attempt() != command.attemptId()) {
            // A report about an attempt that no longer has a command would hide the report of the newer one.
            return;
        }
        if (!process.continuesAfter("before a report")) {
            return;
        }
        if (process.cannotWrite()) {
            runLater(CUT_OFF_RETRY, again);
            return;
        }
        AttemptProgress progress = new AttemptProgress(
                command.key(), command.uid(), command.attemptId(), report, Instant.ofEpochMilli(now().wallMillis()));
        producer.send(progressPartition, progress);
        if (!process.continuesAfter("with a report sent and not committed")) {
            return;
        }
        if (!producer.commit(report)) {
            workers.transcript().append(process.name(), () -> "is fenced off partition " + partition);
            isEnded = true;
            return;
        }
        brokerClock = brokerClock.withAppend(workers.now(), workers.now());
        lastReports.put(progress.key(), progress);
        workers.transcript()
                .append(
                        process.name(),
                        () -> "reports " + command.key() + " attempt " + command.attemptId() + ": " + report);
        if (workers.faults().unclearNow(process.chance())) {
            workers.transcript()
                    .append(process.name(), () -> "does not learn whether it was committed, and restarts its session");
            isEnded = true;
            workers.restartSession(process, partition, lastReports);
            return;
        }
        runLater(process.drawDuration(3, 30), then);
    }
}
