package dev.flotilla.simulator.leader;

import dev.flotilla.core.DecisionFailedException;
import dev.flotilla.schemas.id.EntityKey;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.simulator.log.SimLogReader;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The inputs and the due work on which a process has tripped, in this life. What it has tripped over twice is parked. */
final class FailedDecisionCounter {
    static final int TRIED = 2;

    private record At(TablePartition place, long offset) {}

    private final Map<At, Integer> inputs = new LinkedHashMap<>();
    private final Map<EntityKey, Integer> due = new LinkedHashMap<>();
    private int highestCount;

    void addFailure(SimLogReader.FetchedRecord failed) {
        highestCount = Math.max(highestCount, inputs.merge(at(failed), 1, Integer::sum));
    }

    void addFailure(DecisionFailedException failed) {
        highestCount = Math.max(highestCount, due.merge(failed.subject(), 1, Integer::sum));
    }

    /** How often any of them was tried in one life, in all lives. */
    int highestCount() {
        return highestCount;
    }

    boolean isToBeParked(SimLogReader.FetchedRecord fetchedRecord) {
        return inputs.getOrDefault(at(fetchedRecord), 0) >= TRIED;
    }

    /** What nothing more is to be decided about by itself. */
    List<EntityKey> subjectsToPark() {
        return due.entrySet().stream()
                .filter(each -> each.getValue() >= TRIED)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** A row says so now: whoever takes that away has it tried again. */
    void parked(EntityKey subject) {
        due.remove(subject);
    }

    void clear() {
        inputs.clear();
        due.clear();
    }

    private static At at(SimLogReader.FetchedRecord fetchedRecord) {
        return new At(fetchedRecord.tablePartition(), fetchedRecord.logged().offset());
    }
}
