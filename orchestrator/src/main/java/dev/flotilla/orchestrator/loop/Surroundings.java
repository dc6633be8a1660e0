package dev.flotilla.orchestrator.loop;

import dev.flotilla.core.Decider;
import dev.flotilla.orchestrator.chapter.ChapterRules;
import dev.flotilla.runtime.kafka.KafkaClientSettings;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * What the loop is given.
 *
 * @param name of this process, for logs
 * @param chapters when the journal begins one
 * @param session how long the group waits for a silent leader
 * @param patience how long Kafka may take to answer before a term is given up
 */
public record Surroundings(
        String name,
        KafkaClientSettings clients,
        Supplier<Decider> decider,
        TimeSource time,
        Bounds bounds,
        ChapterRules chapters,
        Duration session,
        Duration patience,
        Step.Witness witness,
        LoopListener listener) {
    public static final Duration SESSION = Duration.ofSeconds(6);
    public static final Duration PATIENCE = Duration.ofSeconds(5);

    /** As they are in production. */
    public static Surroundings usual(
            String name,
            KafkaClientSettings clients,
            Supplier<Decider> decider,
            Step.Witness witness,
            LoopListener listener) {
        return usual(name, clients, decider, ChapterRules.USUAL, witness, listener);
    }

    /** As they are in production, but for the lengths of chapters. */
    public static Surroundings usual(
            String name,
            KafkaClientSettings clients,
            Supplier<Decider> decider,
            ChapterRules chapters,
            Step.Witness witness,
            LoopListener listener) {
        return new Surroundings(
                name,
                clients,
                decider,
                TimeSource.SYSTEM,
                Bounds.USUAL,
                chapters,
                SESSION,
                PATIENCE,
                witness,
                listener);
    }
}
