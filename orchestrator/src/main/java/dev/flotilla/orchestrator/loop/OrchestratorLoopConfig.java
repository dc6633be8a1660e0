package dev.flotilla.orchestrator.loop;

import dev.flotilla.core.Decider;
import dev.flotilla.orchestrator.chapter.JournalChapterPolicy;
import dev.flotilla.runtime.kafka.KafkaClientSettings;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * What the loop is given.
 *
 * @param name of this process, for logs
 * @param chapterPolicy when the journal begins one
 * @param sessionTimeout how long the group waits for a silent leader
 * @param requestTimeout how long Kafka may take to answer before a term is given up
 */
public record OrchestratorLoopConfig(
        String name,
        KafkaClientSettings clients,
        Supplier<Decider> decider,
        LoopClock clock,
        TransactionLimits limits,
        JournalChapterPolicy chapterPolicy,
        Duration sessionTimeout,
        Duration requestTimeout,
        LoopCrashPoint.CrashPointListener crashPoints,
        OrchestratorLoopListener listener) {
    public static final Duration SESSION = Duration.ofSeconds(6);
    public static final Duration PATIENCE = Duration.ofSeconds(5);

    /** As they are in production. */
    public static OrchestratorLoopConfig defaults(
            String name,
            KafkaClientSettings clients,
            Supplier<Decider> decider,
            LoopCrashPoint.CrashPointListener crashPointListener,
            OrchestratorLoopListener listener) {
        return defaults(name, clients, decider, JournalChapterPolicy.DEFAULT, crashPointListener, listener);
    }

    /** As they are in production, but for the lengths of chapters. */
    public static OrchestratorLoopConfig defaults(
            String name,
            KafkaClientSettings clients,
            Supplier<Decider> decider,
            JournalChapterPolicy chapters,
            LoopCrashPoint.CrashPointListener crashPointListener,
            OrchestratorLoopListener listener) {
        return new OrchestratorLoopConfig(
                name,
                clients,
                decider,
                LoopClock.SYSTEM,
                TransactionLimits.USUAL,
                chapters,
                SESSION,
                PATIENCE,
                crashPointListener,
                listener);
    }
}
