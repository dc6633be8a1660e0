package dev.flotilla.orchestrator.loop;

import dev.flotilla.runtime.kafka.PartitionReader;
import dev.flotilla.schemas.topic.Place;
import java.util.LinkedHashSet;
import java.util.Set;

/** The places of which so many inputs wait for a leader that no more are read: they wait in Kafka. */
final class Held {
    private static final int MOST_WAITING = 10_000;

    private final PartitionReader reader;
    private final Set<Place> places = new LinkedHashSet<>();

    Held(PartitionReader reader) {
        this.reader = reader;
    }

    boolean isEmpty() {
        return places.isEmpty();
    }

    void update(Follower follower) {
        for (Place place : follower.waitingPlaces()) {
            if (follower.waiting(place) > MOST_WAITING && places.add(place)) {
                reader.hold(place, true);
            }
        }
        places.removeIf(place -> {
            boolean goesOn = follower.waiting(place) <= MOST_WAITING;
            if (goesOn) {
                reader.hold(place, false);
            }
            return goesOn;
        });
    }

    void release() {
        places.forEach(place -> reader.hold(place, false));
        places.clear();
    }
}
