package dev.flotilla.orchestrator;

import dev.flotilla.core.FleetDecider;
import dev.flotilla.orchestrator.loop.Crash;
import dev.flotilla.orchestrator.loop.Mailbox;
import dev.flotilla.orchestrator.loop.OrchestratorLoop;
import dev.flotilla.orchestrator.loop.Surroundings;
import dev.flotilla.runtime.config.ServerConfig;
import dev.flotilla.runtime.http.Health;
import dev.flotilla.runtime.http.HttpEndpoint;
import dev.flotilla.runtime.http.Probes;
import dev.flotilla.runtime.kafka.KafkaSettings;
import dev.flotilla.runtime.metrics.Metrics;
import dev.flotilla.runtime.shutdown.Shutdown;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;

/** The orchestrator's parts, started and stopped together. */
final class OrchestratorProcess {
    private final Vertx vertx;
    private final Metrics metrics = new Metrics("orchestrator");
    private final OrchestratorLoop loop;
    private final HttpEndpoint endpoint;

    private OrchestratorProcess(Vertx vertx, String instance, KafkaSettings kafka, ServerConfig server) {
        this.vertx = vertx;
        Narrator narrator = new Narrator(new OrchestratorMetrics(metrics.registry()));
        this.loop = new OrchestratorLoop(
                Surroundings.usual(
                        instance,
                        kafka,
                        FleetDecider::standard,
                        Crash.asked(System.getProperty(Crash.PROPERTY, "")),
                        narrator),
                new Mailbox());
        this.endpoint = HttpEndpoint.start(
                        vertx,
                        server,
                        new Probes(() -> Health.good("alive"), narrator::health, metrics::scrape),
                        router -> {})
                .await();
    }

    /** Starts everything; a signal ends it in order. */
    static OrchestratorProcess start(String instance, KafkaSettings kafka, ServerConfig server) {
        OrchestratorProcess process = new OrchestratorProcess(Vertx.vertx(), instance, kafka, server);
        new Shutdown()
                .then("decisions", Duration.ofSeconds(15), process::stopLoop)
                .then("server", Duration.ofSeconds(5), process.endpoint::stop)
                .then("vertx", Duration.ofSeconds(5), process.vertx::close)
                .onSignal();
        process.loop.start();
        return process;
    }

    String url() {
        return endpoint.uri().toString();
    }

    private Future<?> stopLoop() {
        return vertx.executeBlocking(() -> {
            loop.close();
            return true;
        });
    }
}
