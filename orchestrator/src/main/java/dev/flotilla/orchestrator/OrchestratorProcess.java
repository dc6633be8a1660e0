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
import dev.flotilla.runtime.config.ServerConfig;
import dev.flotilla.runtime.http.Health;
import dev.flotilla.runtime.http.HttpEndpoint;
import dev.flotilla.runtime.http.Probes;
import dev.flotilla.runtime.kafka.KafkaSettings;
import dev.flotilla.runtime.kafka.OpenTransactionWatch;
import dev.flotilla.runtime.kafka.Read;
import dev.flotilla.runtime.kafka.RecordFeed;
import dev.flotilla.runtime.metrics.Metrics;
import dev.flotilla.runtime.shutdown.Shutdown;
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
    private final Metrics metrics = new Metrics("orchestrator");
    private final OrchestratorLoop loop;
    private final HttpEndpoint endpoint;
    private final Api api;
    private final RecordFeed feed;
    private final OpenTransactionWatch openTransactions;

    private OrchestratorProcess(
            Vertx vertx,
            String instance,
            KafkaSettings kafka,
            ServerConfig server,
            ChapterRules chapters,
            GateChain gates) {
        this.vertx = vertx;
        Narrator narrator = new Narrator(new OrchestratorMetrics(metrics.registry()), Shutdown::byBug);
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
        this.feed = RecordFeed.follow(vertx, kafka, TablePartition.of(Table.JOURNAL), read -> publish(read, ring))
                .await();
        this.openTransactions =
                OpenTransactionWatch.start(kafka, Surroundings.PATIENCE, OrchestratorPartitions::isInput, narrator::heldBack);
        this.api = new Api(vertx, mailbox, ring, openTransactions::told, metrics.registry());
        Page page = new Page();
        this.endpoint = HttpEndpoint.start(
                        vertx,
                        server,
                        new Probes(() -> Health.good("alive"), narrator::health, metrics::scrape),
                        router -> {
                            api.mount(router);
                            page.mount(router);
                        },
                        page::has)
                .await();
    }

    private static void publish(Read read, EventRing ring) {
        if (WireRecordCodec.decode(read.record()) instanceof DecodeResult.Accepted<RowChange> accepted
                && accepted.value() instanceof JournalRecord record
                // A checkpoint is thousands of records in which nothing happens: it would push out what did.
                && !record.event().equals(DecisionEvent.CHECKPOINTED.label())) {
            ring.publish(record.seq(), record.decidedAt(), record.event(), record.subject(), record.reason());
        }
    }

    /** Starts everything; a signal ends it in order. */
    static OrchestratorProcess start(
            String instance, KafkaSettings kafka, ServerConfig server, ChapterRules chapters, GateChain gates) {
        OrchestratorProcess process = new OrchestratorProcess(Vertx.vertx(), instance, kafka, server, chapters, gates);
        new Shutdown()
                .then("decisions", Duration.ofSeconds(15), process.vertx, process.loop::close)
                .then("server", Duration.ofSeconds(5), process.endpoint::stop)
                .then("open transactions", Duration.ofSeconds(5), process.vertx, process.openTransactions::close)
                .then("events", Duration.ofSeconds(5), process.feed::stop)
                .then("vertx", Duration.ofSeconds(5), process.vertx::close)
                .onSignal();
        process.loop.start();
        var unused = process.api.count();
        return process;
    }

    String url() {
        return endpoint.uri().toString();
    }
}
