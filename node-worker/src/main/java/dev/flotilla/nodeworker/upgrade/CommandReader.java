package dev.flotilla.nodeworker.upgrade;

import dev.flotilla.core.command.PartitionSnapshot;
import dev.flotilla.kafka.ConsumedRecord;
import dev.flotilla.kafka.OrchestratorRowReader;
import dev.flotilla.kafka.PartitionReader;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.schemas.topic.TablePartition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the tables of a worker: the commands of its partitions continuously, and the progress once, when a partition is
 * opened.
 */
final class CommandReader {
    private static final OrchestratorRowReader ROWS = new OrchestratorRowReader("node-worker");
    private static final Duration POLL_TIMEOUT = Duration.ofMillis(50);

    private final PartitionReader reader;
    private final BrokerAwareClock clock;

    CommandReader(PartitionReader reader, BrokerAwareClock clock) {
        this.reader = reader;
        this.clock = clock;
    }

    /** Receives commands. */
    interface CommandHandler {
        void onCommand(TablePartition tablePartition, MachineKey machine, @Nullable WorkerCommand command);
    }

    /** Reads the commands of these partitions from now on. */
    void followCommands(Collection<CommandPartition> partitions) {
        reader.assign(
                partitions.stream().map(CommandPartition::commandPartition).toList());
    }

    boolean hasNoPartitions() {
        return reader.assigned().isEmpty();
    }

    /** Passes on the commands that have arrived. */
    void pollCommands(Duration wait, CommandHandler commandHandler) {
        pollRecords(wait).forEach(consumedRecord -> handleCommand(consumedRecord, commandHandler));
    }

    /**
     * Reads a partition to its end. The commands of other partitions are passed on in the meantime. All are followed
     * from then on.
     */
    PartitionSnapshot readPartition(CommandPartition opened, CommandHandler others) {
        List<TablePartition> both = List.of(opened.commandPartition(), opened.progressPartition());
        List<TablePartition> all = new ArrayList<>(reader.assigned());
        // After a failure both are still assigned.
        all.removeAll(both);
        all.addAll(both);
        reader.assign(all);
        reader.seekToBeginning(both);
        PartitionSnapshot snapshot = new PartitionSnapshot(new LinkedHashMap<>(), new LinkedHashMap<>());
        Map<TablePartition, Long> ends = reader.endOffsets(both);
        while (!ends.entrySet().stream().allMatch(end -> reader.nextOffset(end.getKey()) >= end.getValue())) {
            for (ConsumedRecord consumedRecord : pollRecords(POLL_TIMEOUT)) {
                if (consumedRecord.partition().equals(opened.progressPartition())) {
                    handleProgress(consumedRecord, snapshot.lastReports());
                } else if (consumedRecord.partition().equals(opened.commandPartition())) {
                    handleCommand(
                            consumedRecord,
                            (tablePartition, machine, command) ->
                                    snapshot.commands().put(machine, command));
                } else {
                    handleCommand(consumedRecord, others);
                }
            }
        }
        all.remove(opened.progressPartition());
        reader.assign(all);
        return snapshot;
    }

    private List<ConsumedRecord> pollRecords(Duration wait) {
        List<ConsumedRecord> reads = reader.poll(wait);
        reads.forEach(consumedRecord -> clock.observeAppendTime(consumedRecord.appendedAt()));
        return reads;
    }

    /** Passes on a command. An unreadable record commands nothing: its attempt ends when its lease does. */
    private static void handleCommand(ConsumedRecord consumedRecord, CommandHandler commandHandler) {
        RowChange rowChange = ROWS.read(consumedRecord);
        if (rowChange instanceof WorkerCommand command) {
            commandHandler.onCommand(consumedRecord.partition(), command.key(), command);
        } else {
            MachineKey deleted = deletedMachine(rowChange);
            if (deleted != null) {
                commandHandler.onCommand(consumedRecord.partition(), deleted, null);
            }
        }
    }

    private static void handleProgress(ConsumedRecord consumedRecord, Map<MachineKey, AttemptProgress> lastProgress) {
        RowChange rowChange = ROWS.read(consumedRecord);
        if (rowChange instanceof AttemptProgress progress) {
            lastProgress.put(progress.key(), progress);
        } else {
            MachineKey deleted = deletedMachine(rowChange);
            if (deleted != null) {
                lastProgress.remove(deleted);
            }
        }
    }

    private static @Nullable MachineKey deletedMachine(@Nullable RowChange rowChange) {
        return rowChange instanceof Tombstone tombstone && tombstone.rowKey().key() instanceof MachineKey machine
                ? machine
                : null;
    }
}
