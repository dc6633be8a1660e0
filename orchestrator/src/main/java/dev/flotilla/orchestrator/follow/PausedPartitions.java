package dev.flotilla.orchestrator.follow;

import dev.flotilla.kafka.PartitionReader;
import dev.flotilla.schemas.topic.TablePartition;
import java.util.LinkedHashSet;
import java.util.Set;

/** Partitions with so many inputs waiting for a leader that no more are read: they wait in Kafka. */
public final class PausedPartitions {
    private static final int MAX_WAITING = 10_000;

    private final PartitionReader reader;
    private final Set<TablePartition> paused = new LinkedHashSet<>();

    public PausedPartitions(PartitionReader reader) {
        this.reader = reader;
    }

    public void pauseFullPartitions(TableFollower tableFollower) {
        for (TablePartition tablePartition : tableFollower.waitingPartitions()) {
            if (tableFollower.countWaitingInputs(tablePartition) > MAX_WAITING && paused.add(tablePartition)) {
                reader.setPaused(tablePartition, true);
            }
        }
        paused.removeIf(tablePartition -> {
            boolean hasRoom = tableFollower.countWaitingInputs(tablePartition) <= MAX_WAITING;
            if (hasRoom) {
                reader.setPaused(tablePartition, false);
            }
            return hasRoom;
        });
    }

    public void resumeAll() {
        paused.forEach(tablePartition -> reader.setPaused(tablePartition, false));
        paused.clear();
    }
}
