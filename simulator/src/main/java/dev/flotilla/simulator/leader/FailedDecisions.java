package dev.flotilla.simulator.leader;

import dev.flotilla.core.DecisionFailedException;
import dev.flotilla.schemas.id.EntityKey;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.simulator.log.LogReader;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The inputs and the due work on which a process has tripped, in this life. What it has tripped over twice is parked. */
final class FailedDecisions {
    static final int TRIED = 2;

    private record At(TablePartition place, long offset) {}

    private final Map<At, Integer> inputs = new LinkedHashMap<>();
    private final Map<EntityKey, Integer> due = new LinkedHashMap<>();
    private int most;

    void note(LogReader.Fetched failed) {
        most = Math.max(most, inputs.merge(at(failed), 1, Integer::sum));
    }

    void note(DecisionFailedException failed) {
        most = Math.max(most, due.merge(failed.subject(), 1, Integer::sum));
    }

    /** How often any of them was tried in one life, in all lives. */
    int most() {
        return most;
    }

    boolean areDone(LogReader.Fetched fetched) {
        return inputs.getOrDefault(at(fetched), 0) >= TRIED;
    }

    /** What nothing more is to be decided about by itself. */
    List<EntityKey> toPark() {
        return due.entrySet().stream()
                .filter(each -> each.getValue() >= TRIED)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** A row says so now: whoever takes that away has it tried again. */
    void parked(EntityKey subject) {
        due.remove(subject);
    }

    void forget() {
        inputs.clear();
        due.clear();
    }

    private static At at(LogReader.Fetched fetched) {
        return new At(fetched.place(), fetched.logged().offset());
    }
}
