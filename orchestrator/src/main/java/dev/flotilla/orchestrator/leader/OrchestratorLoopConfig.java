package dev.flotilla.orchestrator.leader;

import dev.flotilla.core.Decider;
import dev.flotilla.kafka.KafkaClientSettings;
import dev.flotilla.orchestrator.chapter.JournalChapterPolicy;
import dev.flotilla.runtime.process.ProcessClock;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The configuration of the decision loop.
 *
 * @param name of this process, for logs
 * @param chapterPolicy when the leader starts a journal chapter
 * @param sessionTimeout how long the consumer group waits for a silent leader
 * @param requestTimeout how long Kafka may take to respond before the term ends
 * @param traced whether records name the trace of their attempt, and the listener receives attempts that have ended
 */
public record OrchestratorLoopConfig(
        String name,
        KafkaClientSettings clients,
        Supplier<Decider> decider,
        ProcessClock clock,
        TransactionLimits limits,
        JournalChapterPolicy chapterPolicy,
        Duration sessionTimeout,
        Duration requestTimeout,
        Consumer<LoopCrashPoint> crashPoints,
        OrchestratorListener listener,
        boolean traced) {
    public static final Duration SESSION_TIMEOUT = Duration.ofSeconds(6);
    public static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(5);

    /** A configuration without traces. */
    public OrchestratorLoopConfig(
            String name,
            KafkaClientSettings clients,
            Supplier<Decider> decider,
            ProcessClock clock,
            TransactionLimits limits,
            JournalChapterPolicy chapterPolicy,
            Duration sessionTimeout,
            Duration requestTimeout,
            Consumer<LoopCrashPoint> crashPoints,
            OrchestratorListener listener) {
        this(
                name,
                clients,
                decider,
                clock,
                limits,
                chapterPolicy,
                sessionTimeout,
                requestTimeout,
                crashPoints,
                listener,
                false);
    }

    /** Returns a copy with or without traces. */
    public OrchestratorLoopConfig withTraces(boolean now) {
        return new OrchestratorLoopConfig(
                name,
                clients,
                decider,
                clock,
                limits,
                chapterPolicy,
                sessionTimeout,
                requestTimeout,
                crashPoints,
                listener,
                now);
    }

    /** The production configuration. */
    public static OrchestratorLoopConfig defaults(
            String name,
            KafkaClientSettings clients,
            Supplier<Decider> decider,
            Consumer<LoopCrashPoint> crashPoints,
            OrchestratorListener listener) {
        return defaults(name, clients, decider, JournalChapterPolicy.DEFAULT, crashPoints, listener);
    }

    /** The production configuration, with another chapter policy. */
    public static OrchestratorLoopConfig defaults(
            String name,
            KafkaClientSettings clients,
            Supplier<Decider> decider,
            JournalChapterPolicy chapters,
            Consumer<LoopCrashPoint> crashPoints,
            OrchestratorListener listener) {
        return new OrchestratorLoopConfig(
                name,
                clients,
                decider,
                ProcessClock.SYSTEM,
                TransactionLimits.DEFAULT,
                chapters,
                SESSION_TIMEOUT,
                REQUEST_TIMEOUT,
                crashPoints,
                listener);
    }
}
