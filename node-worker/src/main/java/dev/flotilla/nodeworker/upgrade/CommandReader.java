package dev.flotilla.nodeworker.upgrade;

import dev.flotilla.runtime.kafka.ConsumedRecord;
import dev.flotilla.runtime.kafka.PartitionReader;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.json.WireRecordCodec;
import dev.flotilla.schemas.json.codec.DecodeResult;
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

/** What a worker reads: the commands of its partitions for ever, what was told of them once, when they become its own. */
final class CommandReader {
    private static final Duration TICK = Duration.ofMillis(50);

    private final PartitionReader reader;
    private final BrokerAwareClock clock;

    CommandReader(PartitionReader reader, BrokerAwareClock clock) {
        this.reader = reader;
        this.clock = clock;
    }

    /** What is commanded and what was told last of each machine of a partition. */
    record CommandSnapshot(
            Map<MachineKey, @Nullable WorkerCommand> commands, Map<MachineKey, AttemptProgress> lastProgress) {}

    /** Takes what the orchestrator says. */
    interface CommandHandler {
        void onCommand(TablePartition tablePartition, MachineKey machine, @Nullable WorkerCommand command);
    }

    /** Reads the commands of these from now on. */
    void followCommands(Collection<CommandPartition> partitions) {
        reader.assign(
                partitions.stream().map(CommandPartition::commandPartition).toList());
    }

    boolean hasNoPartitions() {
        return reader.assigned().isEmpty();
    }

    /** Hands on what has arrived. */
    void pollCommands(Duration wait, CommandHandler commandHandler) {
        reads(wait).forEach(consumedRecord -> command(consumedRecord, commandHandler));
    }

    /** Reads a partition to its end, and the others meanwhile. It is followed from then on, and so are the others. */
    CommandSnapshot readPartition(CommandPartition wanted, CommandHandler others) {
        List<TablePartition> both = List.of(wanted.commandPartition(), wanted.progressPartition());
        List<TablePartition> all = new ArrayList<>(reader.assigned());
        all.remove(wanted.commandPartition());
        all.addAll(both);
        reader.assign(all);
        reader.seekToBeginning(both);
        CommandSnapshot commandSnapshot = new CommandSnapshot(new LinkedHashMap<>(), new LinkedHashMap<>());
        Map<TablePartition, Long> ends = reader.endOffsets(both);
        while (!ends.entrySet().stream().allMatch(end -> reader.nextOffset(end.getKey()) >= end.getValue())) {
            for (ConsumedRecord consumedRecord : reads(TICK)) {
                if (consumedRecord.partition().equals(wanted.progressPartition())) {
                    told(consumedRecord, commandSnapshot.lastProgress());
                } else if (consumedRecord.partition().equals(wanted.commandPartition())) {
                    command(
                            consumedRecord,
                            (tablePartition, machine, command) ->
                                    commandSnapshot.commands().put(machine, command));
                } else {
                    command(consumedRecord, others);
                }
            }
        }
        all.remove(wanted.progressPartition());
        reader.assign(all);
        return commandSnapshot;
    }

    private List<ConsumedRecord> reads(Duration wait) {
        List<ConsumedRecord> reads = reader.poll(wait);
        reads.forEach(consumedRecord -> clock.observeAppendTime(consumedRecord.appendedAt()));
        return reads;
    }

    /** What cannot be read of the orchestrator's words commands nothing. */
    private static void command(ConsumedRecord consumedRecord, CommandHandler commandHandler) {
        RowChange rowChange = fact(consumedRecord);
        if (rowChange instanceof WorkerCommand command) {
            commandHandler.onCommand(consumedRecord.partition(), command.key(), command);
        } else {
            MachineKey gone = gone(rowChange);
            if (gone != null) {
                commandHandler.onCommand(consumedRecord.partition(), gone, null);
            }
        }
    }

    private static void told(ConsumedRecord consumedRecord, Map<MachineKey, AttemptProgress> told) {
        RowChange rowChange = fact(consumedRecord);
        if (rowChange instanceof AttemptProgress progress) {
            told.put(progress.key(), progress);
        } else {
            MachineKey gone = gone(rowChange);
            if (gone != null) {
                told.remove(gone);
            }
        }
    }

    private static @Nullable RowChange fact(ConsumedRecord consumedRecord) {
        return WireRecordCodec.decode(consumedRecord.record()) instanceof DecodeResult.Accepted<RowChange> accepted
                ? accepted.value()
                : null;
    }

    private static @Nullable MachineKey gone(@Nullable RowChange rowChange) {
        return rowChange instanceof Tombstone tombstone && tombstone.rowKey().key() instanceof MachineKey machine
                ? machine
                : null;
    }
}
