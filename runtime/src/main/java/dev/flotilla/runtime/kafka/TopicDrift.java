package dev.flotilla.runtime.kafka;

import dev.flotilla.schemas.topic.Topic;

/**
 * Something about a topic that is not as the catalogue has it.
 *
 * @param setting of the topic, or {@code exists}, {@code partitions}, {@code replication.factor}
 * @param remedy what it does and how to mend it
 * @param fixable whether {@link TopicReconciler#fixDrifts} may set it: it takes nothing away from anybody
 */
public record TopicDrift(
        Topic topic,
        String setting,
        String actual,
        String expected,
        DriftSeverity severity,
        String remedy,
        boolean fixable) {

    /** What it can do. */
    public enum DriftSeverity {
        /** Nothing may rest on this topic. */
        COULD_LOSE_DATA,
        MERELY_DIFFERENT
    }

    @Override
    public String toString() {
        return topic + " " + setting + " is " + actual + ", should be " + expected + " (" + severity + "): " + remedy;
    }
}
