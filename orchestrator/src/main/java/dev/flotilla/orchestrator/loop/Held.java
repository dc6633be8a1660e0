package dev.flotilla.orchestrator.loop;

import dev.flotilla.runtime.kafka.PartitionReader;
import dev.flotilla.schemas.topic.TablePartition;
import java.util.LinkedHashSet;
import java.util.Set;

/** The places of which so many inputs wait for a leader that no more are read: they wait in Kafka. */
final class Held {
    private static final int MOST_WAITING = 10_000;

    private final PartitionReader reader;
    private final Set<TablePartition> places = new LinkedHashSet<>();

    Held(PartitionReader reader) {
        this.reader = reader;
    }

    boolean isEmpty() {
        return places.isEmpty();
    }

    void update(Follower follower) {
        for (TablePartition tablePartition : follower.waitingPlaces()) {
            if (follower.waiting(tablePartition) > MOST_WAITING && places.add(tablePartition)) {
                reader.setPaused(tablePartition, true);
            }
        }
        places.removeIf(tablePartition -> {
            boolean goesOn = follower.waiting(tablePartition) <= MOST_WAITING;
            if (goesOn) {
                reader.setPaused(tablePartition, false);
            }
            return goesOn;
        });
    }

    void release() {
        places.forEach(tablePartition -> reader.setPaused(tablePartition, false));
        places.clear();
    }
}
