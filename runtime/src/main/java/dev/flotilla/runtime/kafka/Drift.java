package dev.flotilla.runtime.kafka;

import dev.flotilla.schemas.topic.Topic;

/**
 * Something about a topic that is not as the catalogue has it.
 *
 * @param setting of the topic, or {@code exists}, {@code partitions}, {@code replication.factor}
 * @param remedy what it does and how to mend it
 * @param mendable whether {@link TopicKeeper#mend} may set it: it takes nothing away from anybody
 */
public record Drift(
        Topic topic, String setting, String is, String shouldBe, Harm harm, String remedy, boolean mendable) {

    /** What it can do. */
    public enum Harm {
        /** Nothing may rest on this topic. */
        COULD_LOSE_DATA,
        MERELY_DIFFERENT
    }

    @Override
    public String toString() {
        return topic + " " + setting + " is " + is + ", should be " + shouldBe + " (" + harm + "): " + remedy;
    }
}
