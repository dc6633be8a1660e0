package dev.flotilla.orchestrator;

import dev.flotilla.runtime.config.ServerConfig;
import dev.flotilla.runtime.kafka.KafkaSettings;

/** Starts the orchestrator. */
public final class Main {
    private Main() {}

    /** Starts it on a Kafka on this machine, as the demo does. Returns where it is asked. */
    public static String start(String instance, KafkaSettings kafka, ServerConfig server) {
        return OrchestratorProcess.start(instance, kafka, server).url();
    }
}
