package dev.flotilla.orchestrator;

import dev.flotilla.core.DecisionEvent;
import dev.flotilla.core.FleetDecider;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.core.term.OrchestratorPartitions;
import dev.flotilla.orchestrator.api.Api;
import dev.flotilla.orchestrator.chapter.ChapterRules;
import dev.flotilla.orchestrator.loop.Crash;
import dev.flotilla.orchestrator.loop.Mailbox;
import dev.flotilla.orchestrator.loop.OrchestratorLoop;
import dev.flotilla.orchestrator.loop.Surroundings;
import dev.flotilla.orchestrator.page.Page;
import dev.flotilla.orchestrator.view.EventRing;
import dev.flotilla.runtime.config.HttpServerConfig;
import dev.flotilla.runtime.http.HealthStatus;
import dev.flotilla.runtime.http.ApplicationHttpServer;
import dev.flotilla.runtime.http.HealthAndMetricsRoutes;
import dev.flotilla.runtime.kafka.KafkaClientSettings;
import dev.flotilla.runtime.kafka.OpenTransactionWatcher;
import dev.flotilla.runtime.kafka.ConsumedRecord;
import dev.flotilla.runtime.kafka.PartitionTailFollower;
import dev.flotilla.runtime.metrics.PrometheusMetrics;
import dev.flotilla.runtime.shutdown.ShutdownSequence;
import dev.flotilla.schemas.json.WireRecordCodec;
import dev.flotilla.schemas.json.codec.DecodeResult;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.schemas.topic.Table;
import io.vertx.core.Vertx;
import java.time.Duration;

/** The orchestrator's parts, started and stopped together. */
final class OrchestratorProcess {
    private static final int EVENTS_KEPT = 4_096;

    private final Vertx vertx;
    private final PrometheusMetrics prometheusMetrics = new PrometheusMetrics("orchestrator");
    private final OrchestratorLoop loop;
    private final ApplicationHttpServer endpoint;
    private final Api api;
    private final PartitionTailFollower feed;
    private final OpenTransactionWatcher openTransactions;

    private OrchestratorProcess(
            Vertx vertx,
            String instance,
            KafkaClientSettings kafka,
            HttpServerConfig server,
            ChapterRules chapters,
            GateChain gates) {
        this.vertx = vertx;
        Narrator narrator = new Narrator(new OrchestratorMetrics(prometheusMetrics.registry()), ShutdownSequence::exitAfterBug);
        Mailbox mailbox = new Mailbox(gates);
        this.loop = new OrchestratorLoop(
                Surroundings.usual(
                        instance,
                        kafka,
                        () -> new FleetDecider(gates),
                        chapters,
                        Crash.asked(System.getProperty(Crash.PROPERTY, "")),
                        narrator),
                mailbox);
        EventRing ring = new EventRing(EVENTS_KEPT);
        this.feed = PartitionTailFollower.startTailing(vertx, kafka, TablePartition.of(Table.JOURNAL), consumedRecord -> publish(consumedRecord, ring))
                .await();
        this.openTransactions =
                OpenTransactionWatcher.start(kafka, Surroundings.PATIENCE, OrchestratorPartitions::isInput, narrator::heldBack);
        this.api = new Api(vertx, mailbox, ring, openTransactions::blockingTransactions, prometheusMetrics.registry());
        Page page = new Page();
        this.endpoint = ApplicationHttpServer.start(
                        vertx,
                        server,
                        new HealthAndMetricsRoutes(() -> HealthStatus.healthy("alive"), narrator::health, prometheusMetrics::toPrometheusText),
                        router -> {
                            api.mount(router);
                            page.mount(router);
                        },
                        page::has)
                .await();
    }

    private static void publish(ConsumedRecord consumedRecord, EventRing ring) {
        if (WireRecordCodec.decode(consumedRecord.record()) instanceof DecodeResult.Accepted<RowChange> accepted
                && accepted.value() instanceof JournalRecord record
                // A checkpoint is thousands of records in which nothing happens: it would push out what did.
                && !record.event().equals(DecisionEvent.CHECKPOINTED.label())) {
            ring.publish(record.seq(), record.decidedAt(), record.event(), record.subject(), record.reason());
        }
    }

    /** Starts everything; a signal ends it in order. */
    static OrchestratorProcess start(
            String instance, KafkaClientSettings kafka, HttpServerConfig server, ChapterRules chapters, GateChain gates) {
        OrchestratorProcess process = new OrchestratorProcess(Vertx.vertx(), instance, kafka, server, chapters, gates);
        new ShutdownSequence()
                .addStep("decisions", Duration.ofSeconds(15), process.vertx, process.loop::close)
                .addStep("server", Duration.ofSeconds(5), process.endpoint::stop)
                .addStep("open transactions", Duration.ofSeconds(5), process.vertx, process.openTransactions::close)
                .addStep("events", Duration.ofSeconds(5), process.feed::stop)
                .addStep("vertx", Duration.ofSeconds(5), process.vertx::close)
                .runOnSignal();
        process.loop.start();
        var unused = process.api.count();
        return process;
    }

    String url() {
        return endpoint.uri().toString();
    }
}
