package dev.flotilla.e2e.fault;

import dev.flotilla.kafka.KafkaClientSettings;
import dev.flotilla.orchestrator.Main;
import dev.flotilla.orchestrator.chapter.JournalChapterPolicy;
import dev.flotilla.runtime.config.HostPort;
import dev.flotilla.runtime.config.HttpServerConfig;
import java.io.IOException;

/** The real orchestrator with one faulty gate. Started like the real one, with a system property for the fault. */
public final class BrokenOrchestrator {
    private BrokenOrchestrator() {}

    public static void main(String[] args) throws IOException {
        String bootstrap = args[1];
        String instance = args[3];
        OrchestratorGateFault orchestratorGateFault =
                OrchestratorGateFault.valueOf(System.getProperty(OrchestratorGateFault.PROPERTY));
        String url = Main.start(
                instance,
                KafkaClientSettings.forLocalBroker(bootstrap),
                new HttpServerConfig(new HostPort("127.0.0.1", 0), null, null),
                JournalChapterPolicy.DEFAULT,
                orchestratorGateFault.gates());
        System.out.println(
                "orchestrator " + instance + " with the fault " + orchestratorGateFault + " ready at " + url);
    }
}
