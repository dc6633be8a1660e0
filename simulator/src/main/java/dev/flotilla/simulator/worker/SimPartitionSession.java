package dev.flotilla.simulator.worker;

import dev.flotilla.core.procedure.BrokerClockEstimate;
import dev.flotilla.core.procedure.ClockReading;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.schemas.topic.Table;
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
 * One session of one partition's owner. It has fenced whoever owned the partition before, and it ends as soon as it is
 * fenced itself, loses the partition, or cannot tell what came of a commit.
 */
final class SimPartitionSession {
    private static final long CUT_OFF_RETRY = 1000;

    private final SimSiteWorkers world;
    private final SimProcess process;
    private final int partition;
    private final SimProducer producer;
    private final SimLogReader commands;
    private final TablePartition commandPlace;
    private final TablePartition progressPlace;
    private final Map<MachineKey, SimMachineUpgrade> drives = new LinkedHashMap<>();
    private final Map<MachineKey, AttemptProgress> told = new LinkedHashMap<>();
    private BrokerClockEstimate broker = BrokerClockEstimate.UNKNOWN;
    private boolean isEnded;
    private boolean reading;

    SimPartitionSession(SimSiteWorkers world, SimProcess process, int partition) {
        this.world = world;
        this.process = process;
        this.partition = partition;
        SiteId site = world.site().id();
        this.commandPlace = new TablePartition(Table.COMMANDS, site, partition);
        this.progressPlace = new TablePartition(Table.PROGRESS, site, partition);
        this.producer = world.log().init("flotilla.worker." + site + "." + partition);
        this.commands = new SimLogReader(world.log());
        commands.seek(commandPlace, 0);
    }

    SimSiteWorkers world() {
        return world;
    }

    SimProcess process() {
        return process;
    }

    int partition() {
        return partition;
    }

    /** The time, as this worker knows it: its own clock counts where no record tells of a later time. */
    ClockReading now() {
        long own = process.clock();
        long ticks = world.now();
        return new ClockReading(broker.earliestWallMillis(own, ticks), ticks);
    }

    boolean isEnded() {
        return isEnded;
    }

    void end() {
        isEnded = true;
    }

    /**
     * Reads both tables to the end and goes on with what they say.
     *
     * @param before what this process has said in an earlier session
     */
    void restore(Map<MachineKey, AttemptProgress> before) {
        for (SimLogReader.FetchedRecord fetchedRecord :
                new SimLogReader(world.log()).upTo(progressPlace, world.log().end(progressPlace))) {
            if (fetchedRecord.logged().rowChange() instanceof AttemptProgress progress) {
                told.put(progress.key(), progress);
            } else {
                told.remove((MachineKey) fetchedRecord.logged().key().key());
            }
        }
        sayAgainWhatIsLost(before);
        read();
    }

    /** Nobody takes a word back: one that is not there any more was lost with its topic. */
    private void sayAgainWhatIsLost(Map<MachineKey, AttemptProgress> before) {
        boolean any = false;
        for (AttemptProgress word : before.values()) {
            if (told.putIfAbsent(word.key(), word) == null) {
                any = true;
                producer.send(progressPlace, word);
            }
        }
        isEnded = any && !producer.commit(null);
    }

    /** There may be new commands. */
    void onCommand() {
        if (!isEnded && !reading) {
            reading = true;
            later(process.drawDuration(20, 400), this::read);
        }
    }

    private void read() {
        reading = false;
        if (process.cannotRead()) {
            reading = true;
            later(CUT_OFF_RETRY, this::read);
            return;
        }
        if (commands.hasOffsetMovedBack()) {
            world.story()
                    .append(process.name(), () -> "has read commands that are not there any more, and begins again");
            isEnded = true;
            world.beginAgain(process, partition, told);
            return;
        }
        Map<MachineKey, @Nullable WorkerCommand> newest = new LinkedHashMap<>();
        List<SimLogReader.FetchedRecord> fetched = commands.poll(world.now(), Integer.MAX_VALUE);
        for (SimLogReader.FetchedRecord one : fetched) {
            broker = broker.withAppend(one.logged().appendedAt(), world.now());
            newest.put(
                    (MachineKey) one.logged().key().key(),
                    one.logged().rowChange() instanceof WorkerCommand command ? command : null);
        }
        newest.forEach(this::commanded);
    }

    private void commanded(MachineKey key, @Nullable WorkerCommand command) {
        SimMachineUpgrade simMachineUpgrade = drives.get(key);
        if (command == null) {
            if (simMachineUpgrade != null) {
                simMachineUpgrade.stop();
                drives.remove(key);
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
        drives.put(key, next);
        next.begin(told.get(key));
    }

    void later(long delay, Runnable action) {
        process.later(delay, () -> {
            if (!isEnded) {
                action.run();
            }
        });
    }

    /** Says something of an attempt: goes on once it is committed, and tries again where Kafka is out of reach. */
    void report(WorkerCommand command, AttemptReport report, Runnable again, Runnable then) {
        SimMachineUpgrade simMachineUpgrade = drives.get(command.key());
        if (isEnded || simMachineUpgrade == null || simMachineUpgrade.attempt() != command.attemptId()) {
            // A word about an attempt that is no longer commanded would hide the newer one's.
            return;
        }
        if (!process.continuesAfter("before a report")) {
            return;
        }
        if (process.cannotWrite()) {
            later(CUT_OFF_RETRY, again);
            return;
        }
        AttemptProgress progress = new AttemptProgress(
                command.key(), command.uid(), command.attemptId(), report, Instant.ofEpochMilli(now().wallMillis()));
        producer.send(progressPlace, progress);
        if (!process.continuesAfter("with a report sent and not committed")) {
            return;
        }
        if (!producer.commit(report)) {
            world.story().append(process.name(), () -> "is fenced off partition " + partition);
            isEnded = true;
            return;
        }
        broker = broker.withAppend(world.now(), world.now());
        told.put(progress.key(), progress);
        world.story()
                .append(
                        process.name(),
                        () -> "reports " + command.key() + " attempt " + command.attemptId() + ": " + report);
        if (world.faults().unclearNow(process.chance())) {
            world.story().append(process.name(), () -> "does not learn whether it was committed, and begins again");
            isEnded = true;
            world.beginAgain(process, partition, told);
            return;
        }
        later(process.drawDuration(3, 30), then);
    }
}
