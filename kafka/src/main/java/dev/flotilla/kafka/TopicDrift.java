package dev.flotilla.kafka;

import dev.flotilla.schemas.topic.Topic;

/**
 * A difference between a topic and the catalogue.
 *
 * @param setting a setting of the topic, or {@code exists}, {@code partitions}, {@code replication.factor}
 * @param remedy what it causes and how to correct it
 * @param fixable whether {@link TopicReconciler#fixDrifts} may set it without a loss of data
 */
public record TopicDrift(
        Topic topic,
        String setting,
        String actual,
        String expected,
        DriftSeverity severity,
        String remedy,
        boolean fixable) {

    /** The severity of a difference. */
    public enum DriftSeverity {
        /** The topic must not be used. */
        COULD_LOSE_DATA,
        MERELY_DIFFERENT
    }

    @Override
    public String toString() {
        return topic + " " + setting + " is " + actual + ", should be " + expected + " (" + severity + "): " + remedy;
    }
}
