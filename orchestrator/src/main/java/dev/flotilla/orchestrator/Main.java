package dev.flotilla.orchestrator;

import dev.flotilla.core.gate.GateChain;
import dev.flotilla.kafka.KafkaClientSettings;
import dev.flotilla.orchestrator.chapter.JournalChapterPolicy;
import dev.flotilla.runtime.config.ConfigReadResult;
import dev.flotilla.runtime.config.HostPort;
import dev.flotilla.runtime.config.HttpServerConfig;
import dev.flotilla.tracing.TracingConfig;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Starts the orchestrator. */
public final class Main {
    private Main() {}

    /**
     * Starts the orchestrator and returns its URL. A termination signal stops it in order.
     *
     * @param tracing null for no export of traces
     * @throws IOException if a file of the configuration is not valid
     */
    public static String start(
            String instance,
            KafkaClientSettings kafka,
            HttpServerConfig server,
            JournalChapterPolicy chapters,
            @Nullable TracingConfig tracing)
            throws IOException {
        return OrchestratorProcess.start(instance, kafka, server, chapters, tracing, GateChain.standard())
                .url();
    }

    /** Starts the orchestrator with these gates. Only tests pass gates that differ from the standard ones. */
    public static String start(
            String instance,
            KafkaClientSettings kafka,
            HttpServerConfig server,
            JournalChapterPolicy chapters,
            GateChain gates)
            throws IOException {
        return OrchestratorProcess.start(instance, kafka, server, chapters, null, gates)
                .url();
    }

    /**
     * Starts an orchestrator on a Kafka of this host, for the demo and tests: {@code --bootstrap H:P --instance NAME},
     * {@code --chapter-mebibytes N} for short journal chapters, and {@code --traces URL} for the export of traces.
     */
    public static void main(String[] args) throws IOException {
        TracingConfig tracing = null;
        String bootstrap = null;
        String instance = "orchestrator";
        JournalChapterPolicy chapters = JournalChapterPolicy.DEFAULT;
        for (int i = 0; i + 1 < args.length; i += 2) {
            switch (args[i]) {
                case "--bootstrap" -> bootstrap = args[i + 1];
                case "--instance" -> instance = args[i + 1];
                case "--chapter-mebibytes" ->
                    chapters = JournalChapterPolicy.of(JournalChapterPolicy.DAILY, Integer.parseInt(args[i + 1]));
                case "--traces" -> tracing = TracingConfig.ofOption(args[i + 1]);
                default -> {
                    // Other options are ignored: the server always listens on a free loopback port.
                }
            }
        }
        if (bootstrap == null) {
            System.err.println("orchestrator: --bootstrap HOST:PORT is missing; give the address of a Kafka broker");
            System.exit(ConfigReadResult.EXIT);
            return;
        }
        String url = start(
                instance,
                KafkaClientSettings.forLocalBroker(bootstrap),
                new HttpServerConfig(new HostPort("127.0.0.1", 0), null, null),
                chapters,
                tracing);
        System.out.println("orchestrator " + instance + " ready at " + url);
    }
}
