package dev.flotilla.simulator.leader;

import dev.flotilla.core.decision.DecisionFailedException;
import dev.flotilla.schemas.id.EntityKey;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.simulator.log.SimLogReader;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts, for one life of a process, the inputs and the due work that it failed to decide. What failed twice is parked.
 */
final class FailedDecisionCounter {
    static final int MAX_FAILURES = 2;

    private record InputPosition(TablePartition tablePartition, long offset) {}

    private final Map<InputPosition, Integer> inputs = new LinkedHashMap<>();
    private final Map<EntityKey, Integer> due = new LinkedHashMap<>();
    private int highestCount;

    void addFailure(SimLogReader.FetchedRecord failed) {
        highestCount = Math.max(highestCount, inputs.merge(at(failed), 1, Integer::sum));
    }

    void addFailure(DecisionFailedException failed) {
        highestCount = Math.max(highestCount, due.merge(failed.subject(), 1, Integer::sum));
    }

    /** The highest number of failures of one input or subject in one life, over all lives. */
    int highestCount() {
        return highestCount;
    }

    boolean isToBeParked(SimLogReader.FetchedRecord fetchedRecord) {
        return inputs.getOrDefault(at(fetchedRecord), 0) >= MAX_FAILURES;
    }

    /** The subjects that are to be parked. */
    List<EntityKey> subjectsToPark() {
        return due.entrySet().stream()
                .filter(entry -> entry.getValue() >= MAX_FAILURES)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Records that a subject is parked. When that row is removed, the subject is decided on again. */
    void removeParked(EntityKey subject) {
        due.remove(subject);
    }

    void clear() {
        inputs.clear();
        due.clear();
    }

    private static InputPosition at(SimLogReader.FetchedRecord fetchedRecord) {
        return new InputPosition(
                fetchedRecord.tablePartition(), fetchedRecord.logged().offset());
    }
}
