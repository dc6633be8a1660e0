package dev.flotilla.orchestrator.loop;

import dev.flotilla.core.DecisionFailedException;
import dev.flotilla.runtime.kafka.ConsumedRecord;
import dev.flotilla.schemas.id.EntityKey;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What could not be decided in this process's earlier terms, by a bug. What has failed twice is parked by its next term, and
 * not tried again: neither by this process nor, since a row says so, by any other.
 */
final class FailedDecisionTracker {
    /** The first time may be the doing of a state that was wrong, and is read anew. */
    private static final int PARKED_AFTER = 2;

    /** So many are remembered; a process with more bugs is of no use. */
    private static final int MOST = 1_000;

    private final Map<String, Integer> inputs = new LinkedHashMap<>();
    private final Map<EntityKey, Integer> due = new LinkedHashMap<>();

    /** An input could not be decided on. */
    static final class InputDecisionException extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final transient ConsumedRecord consumedRecord;

        InputDecisionException(ConsumedRecord consumedRecord, RuntimeException bug) {
            super("cannot decide on " + nameOf(consumedRecord) + ": " + bug, bug);
            this.consumedRecord = consumedRecord;
        }
    }

    void countFailure(InputDecisionException inputDecisionException) {
        count(inputs, nameOf(inputDecisionException.consumedRecord));
    }

    void countFailure(DecisionFailedException failed) {
        count(due, failed.subject());
    }

    private static <K> void count(Map<K, Integer> counts, K key) {
        if (counts.size() < MOST || counts.containsKey(key)) {
            counts.merge(key, 1, Integer::sum);
        }
    }

    /** Whether an input is to be parked, and not decided on. */
    boolean isParked(ConsumedRecord consumedRecord) {
        return !inputs.isEmpty() && inputs.getOrDefault(nameOf(consumedRecord), 0) >= PARKED_AFTER;
    }

    /**
     * What nothing more is to be decided about. It is forgotten here: from now on a row says so, and whoever takes that away, or
     * replaces the machine, has it tried again.
     */
    List<EntityKey> removeParked() {
        List<EntityKey> parked = due.entrySet().stream()
                .filter(each -> each.getValue() >= PARKED_AFTER)
                .map(Map.Entry::getKey)
                .toList();
        parked.forEach(due::remove);
        return parked;
    }

    /** The place of an input, with its offset and key. */
    static String nameOf(ConsumedRecord consumedRecord) {
        return consumedRecord.partition() + " offset " + consumedRecord.offset() + " key "
                + consumedRecord.record().key();
    }
}
