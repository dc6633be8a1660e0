package dev.flotilla.orchestrator;

import dev.flotilla.core.gate.GateChain;
import dev.flotilla.orchestrator.chapter.JournalChapterPolicy;
import dev.flotilla.runtime.config.ConfigReadResult;
import dev.flotilla.runtime.config.HostPort;
import dev.flotilla.runtime.config.HttpServerConfig;
import dev.flotilla.runtime.kafka.KafkaClientSettings;

/** Starts the orchestrator. */
public final class Main {
    private Main() {}

    /** Starts it, and returns where it is asked. A signal ends it in order. */
    public static String start(
            String instance, KafkaClientSettings kafka, HttpServerConfig server, JournalChapterPolicy chapters) {
        return start(instance, kafka, server, chapters, GateChain.standard());
    }

    /** Starts one that goes by these gates, whatever is wrong with them. */
    public static String start(
            String instance,
            KafkaClientSettings kafka,
            HttpServerConfig server,
            JournalChapterPolicy chapters,
            GateChain gates) {
        return OrchestratorProcess.start(instance, kafka, server, chapters, gates)
                .url();
    }

    /**
     * As the demo and tests start it, on a Kafka on this machine: {@code --bootstrap H:P --instance NAME}, and with
     * {@code --chapter-mebibytes N} where the journal is to have short chapters.
     */
    public static void main(String[] args) {
        String bootstrap = null;
        String instance = "orchestrator";
        JournalChapterPolicy chapters = JournalChapterPolicy.USUAL;
        for (int i = 0; i + 1 < args.length; i += 2) {
            switch (args[i]) {
                case "--bootstrap" -> bootstrap = args[i + 1];
                case "--instance" -> instance = args[i + 1];
                case "--chapter-mebibytes" ->
                    chapters = JournalChapterPolicy.of(JournalChapterPolicy.DAILY, Integer.parseInt(args[i + 1]));
                default -> {
                    // The server is on a free port of loopback whatever is said here.
                }
            }
        }
        if (bootstrap == null) {
            System.err.println("orchestrator: --bootstrap HOST:PORT is missing");
            System.exit(ConfigReadResult.EXIT);
            return;
        }
        String url = start(
                instance,
                KafkaClientSettings.forLocalBroker(bootstrap),
                new HttpServerConfig(new HostPort("127.0.0.1", 0), null, null),
                chapters);
        System.out.println("orchestrator " + instance + " ready at " + url);
    }
}
