package dev.flotilla.orchestrator.loop;

import dev.flotilla.runtime.kafka.PartitionReader;
import dev.flotilla.schemas.topic.TablePartition;
import java.util.LinkedHashSet;
import java.util.Set;

/** The places of which so many inputs wait for a leader that no more are read: they wait in Kafka. */
final class PausedPartitions {
    private static final int MOST_WAITING = 10_000;

    private final PartitionReader reader;
    private final Set<TablePartition> places = new LinkedHashSet<>();

    PausedPartitions(PartitionReader reader) {
        this.reader = reader;
    }

    boolean isEmpty() {
        return places.isEmpty();
    }

    void pauseFullPartitions(TableFollower tableFollower) {
        for (TablePartition tablePartition : tableFollower.waitingPartitions()) {
            if (tableFollower.countWaitingInputs(tablePartition) > MOST_WAITING && places.add(tablePartition)) {
                reader.setPaused(tablePartition, true);
            }
        }
        places.removeIf(tablePartition -> {
            boolean goesOn = tableFollower.countWaitingInputs(tablePartition) <= MOST_WAITING;
            if (goesOn) {
                reader.setPaused(tablePartition, false);
            }
            return goesOn;
        });
    }

    void resumeAll() {
        places.forEach(tablePartition -> reader.setPaused(tablePartition, false));
        places.clear();
    }
}
