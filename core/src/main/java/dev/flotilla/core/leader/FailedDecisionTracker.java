package dev.flotilla.core.leader;

import dev.flotilla.core.decision.DecisionFailedException;
import dev.flotilla.schemas.id.EntityKey;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts decisions that failed because of a bug in earlier terms of this process. The next term parks a subject that
 * has failed twice. It is not tried again: not by this process, nor by another one, because a row records that it is
 * parked.
 */
public final class FailedDecisionTracker {
    /** The first failure may be due to wrong state, which is dropped and restored before the second try. */
    public static final int PARKED_AFTER = 2;

    /** Limit of remembered failures. */
    private static final int MAX_REMEMBERED = 1_000;

    private final int inputsParkedAfter;
    private final int subjectsParkedAfter;
    private final Map<String, Integer> failedInputs = new LinkedHashMap<>();
    private final Map<EntityKey, Integer> failedSubjects = new LinkedHashMap<>();

    /** An input could not be decided on because of a bug. */
    public static final class InputDecisionException extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final String input;

        InputDecisionException(InputRecord input, RuntimeException bug) {
            super("cannot decide on " + describeInput(input) + ": " + bug, bug);
            this.input = describeInput(input);
        }

        /** Partition, offset and key of the input, as text. */
        public String input() {
            return input;
        }
    }

    public FailedDecisionTracker() {
        this(PARKED_AFTER, PARKED_AFTER);
    }

    /** Parks inputs and subjects after these numbers of failures. */
    public FailedDecisionTracker(int inputsParkedAfter, int subjectsParkedAfter) {
        this.inputsParkedAfter = inputsParkedAfter;
        this.subjectsParkedAfter = subjectsParkedAfter;
    }

    public void countFailure(InputDecisionException failed) {
        increment(failedInputs, failed.input);
    }

    public void countFailure(DecisionFailedException failed) {
        increment(failedSubjects, failed.subject());
    }

    private static <K> void increment(Map<K, Integer> counts, K key) {
        if (counts.size() < MAX_REMEMBERED || counts.containsKey(key)) {
            counts.merge(key, 1, Integer::sum);
        }
    }

    /** Whether an input is parked instead of being decided on. */
    boolean isParked(InputRecord input) {
        return !failedInputs.isEmpty() && failedInputs.getOrDefault(describeInput(input), 0) >= inputsParkedAfter;
    }

    /**
     * Removes and returns the subjects to be parked. From now on a row records each; when an operator removes that row,
     * or the machine is replaced, the subject is tried again.
     */
    List<EntityKey> removeParked() {
        List<EntityKey> parked = failedSubjects.entrySet().stream()
                .filter(entry -> entry.getValue() >= subjectsParkedAfter)
                .map(Map.Entry::getKey)
                .toList();
        parked.forEach(failedSubjects::remove);
        return parked;
    }

    /** Partition, offset and key of an input, as text. */
    private static String describeInput(InputRecord input) {
        return input.partition() + " offset " + input.offset() + " key " + input.writtenKey();
    }
}
