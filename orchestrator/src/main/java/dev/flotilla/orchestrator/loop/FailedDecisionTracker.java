package dev.flotilla.orchestrator.loop;

import dev.flotilla.core.decision.DecisionFailedException;
import dev.flotilla.runtime.kafka.ConsumedRecord;
import dev.flotilla.schemas.id.EntityKey;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts decisions that failed because of a bug in earlier terms of this process. The next term parks a subject that
 * has failed twice. It is not tried again: not by this process, nor by another one, because a row records that it is
 * parked.
 */
final class FailedDecisionTracker {
    /** The first failure may be due to wrong state, which is dropped and restored before the second try. */
    private static final int PARKED_AFTER = 2;

    /** Limit of remembered failures. */
    private static final int MAX_REMEMBERED = 1_000;

    private final Map<String, Integer> failedInputs = new LinkedHashMap<>();
    private final Map<EntityKey, Integer> failedSubjects = new LinkedHashMap<>();

    /** An input could not be decided on because of a bug. */
    static final class InputDecisionException extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final transient ConsumedRecord consumedRecord;

        InputDecisionException(ConsumedRecord consumedRecord, RuntimeException bug) {
            super("cannot decide on " + describeInput(consumedRecord) + ": " + bug, bug);
            this.consumedRecord = consumedRecord;
        }
    }

    void countFailure(InputDecisionException inputDecisionException) {
        increment(failedInputs, describeInput(inputDecisionException.consumedRecord));
    }

    void countFailure(DecisionFailedException failed) {
        increment(failedSubjects, failed.subject());
    }

    private static <K> void increment(Map<K, Integer> counts, K key) {
        if (counts.size() < MAX_REMEMBERED || counts.containsKey(key)) {
            counts.merge(key, 1, Integer::sum);
        }
    }

    /** Whether an input is parked instead of being decided on. */
    boolean isParked(ConsumedRecord consumedRecord) {
        return !failedInputs.isEmpty() && failedInputs.getOrDefault(describeInput(consumedRecord), 0) >= PARKED_AFTER;
    }

    /**
     * Removes and returns the subjects to be parked. From now on a row records each; when an operator removes that row,
     * or the machine is replaced, the subject is tried again.
     */
    List<EntityKey> removeParked() {
        List<EntityKey> parked = failedSubjects.entrySet().stream()
                .filter(entry -> entry.getValue() >= PARKED_AFTER)
                .map(Map.Entry::getKey)
                .toList();
        parked.forEach(failedSubjects::remove);
        return parked;
    }

    /** Partition, offset and key of an input, as text. */
    static String describeInput(ConsumedRecord consumedRecord) {
        return consumedRecord.partition() + " offset " + consumedRecord.offset() + " key "
                + consumedRecord.record().key();
    }
}
