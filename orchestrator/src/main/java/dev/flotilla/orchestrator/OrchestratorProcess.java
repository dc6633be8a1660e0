package dev.flotilla.orchestrator;

import dev.flotilla.core.FleetDecider;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.core.leader.OrchestratorPartitions;
import dev.flotilla.kafka.ConsumedRecord;
import dev.flotilla.kafka.KafkaClientSettings;
import dev.flotilla.kafka.OpenTransactionWatcher;
import dev.flotilla.kafka.PartitionTailFollower;
import dev.flotilla.orchestrator.api.ApiRoutes;
import dev.flotilla.orchestrator.chapter.JournalChapterPolicy;
import dev.flotilla.orchestrator.leader.LoopCrashPoint;
import dev.flotilla.orchestrator.leader.OrchestratorLoopConfig;
import dev.flotilla.orchestrator.loop.OrchestratorLoop;
import dev.flotilla.orchestrator.page.WebPageRoutes;
import dev.flotilla.orchestrator.state.EventRingBuffer;
import dev.flotilla.orchestrator.state.StateQueryQueue;
import dev.flotilla.runtime.config.HttpServerConfig;
import dev.flotilla.runtime.http.ApplicationHttpServer;
import dev.flotilla.runtime.http.HealthAndMetricsRoutes;
import dev.flotilla.runtime.http.HealthStatus;
import dev.flotilla.runtime.metrics.PrometheusMetrics;
import dev.flotilla.runtime.process.CrashInjection;
import dev.flotilla.runtime.shutdown.ShutdownSequence;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.json.WireRecordCodec;
import dev.flotilla.schemas.json.codec.DecodeResult;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.tracing.AttemptSpanExporter;
import dev.flotilla.tracing.AttemptSpanReceiver;
import dev.flotilla.tracing.TracedProcess;
import dev.flotilla.tracing.TracingConfig;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The parts of the orchestrator, started and stopped together. */
final class OrchestratorProcess {
    private static final int EVENT_BUFFER_SIZE = 4_096;

    private final Vertx vertx;
    private final PrometheusMetrics prometheusMetrics = new PrometheusMetrics("orchestrator");
    private final AttemptSpanReceiver spans;
    private final OrchestratorLoop loop;
    private final ApplicationHttpServer httpServer;
    private final ApiRoutes apiRoutes;
    private final PartitionTailFollower journalTail;
    private final OpenTransactionWatcher openTransactions;

    private OrchestratorProcess(
            Vertx vertx,
            String instance,
            KafkaClientSettings kafka,
            HttpServerConfig server,
            JournalChapterPolicy chapters,
            @Nullable TracingConfig tracing,
            GateChain gates)
            throws IOException {
        this.vertx = vertx;
        this.spans = AttemptSpanExporter.start(
                tracing, new TracedProcess("orchestrator", instance), prometheusMetrics.registry());
        OrchestratorEventLogger orchestratorEventLogger = new OrchestratorEventLogger(
                new OrchestratorMetrics(prometheusMetrics.registry()), spans, ShutdownSequence::exitAfterBug);
        StateQueryQueue stateQueryQueue = new StateQueryQueue(gates);
        this.loop = new OrchestratorLoop(
                OrchestratorLoopConfig.defaults(
                                instance,
                                kafka,
                                () -> new FleetDecider(gates),
                                chapters,
                                CrashInjection.fromProperty(LoopCrashPoint.class),
                                orchestratorEventLogger)
                        .withTraces(spans.isExporting()),
                stateQueryQueue);
        EventRingBuffer eventBuffer = new EventRingBuffer(EVENT_BUFFER_SIZE);
        this.journalTail = PartitionTailFollower.startTailing(
                        vertx,
                        kafka,
                        TablePartition.of(Table.JOURNAL),
                        consumedRecord -> publish(consumedRecord, eventBuffer))
                .await();
        this.openTransactions = OpenTransactionWatcher.start(
                kafka,
                OrchestratorLoopConfig.REQUEST_TIMEOUT,
                OrchestratorPartitions::isInput,
                orchestratorEventLogger::onBlockedInputs);
        this.apiRoutes = new ApiRoutes(
                vertx,
                stateQueryQueue,
                eventBuffer,
                openTransactions::blockingTransactions,
                prometheusMetrics.registry());
        WebPageRoutes webPageRoutes = new WebPageRoutes();
        this.httpServer = ApplicationHttpServer.start(
                        vertx,
                        server,
                        new HealthAndMetricsRoutes(
                                () -> HealthStatus.healthy("alive"),
                                orchestratorEventLogger::healthStatus,
                                prometheusMetrics::toPrometheusText),
                        router -> {
                            apiRoutes.mount(router);
                            webPageRoutes.mount(router);
                        },
                        webPageRoutes::hasPath)
                .await();
    }

    private static void publish(ConsumedRecord consumedRecord, EventRingBuffer eventBuffer) {
        if (WireRecordCodec.decode(consumedRecord.record()) instanceof DecodeResult.Accepted<RowChange> accepted
                && accepted.value() instanceof JournalRecord record
                // A checkpoint is thousands of records without news: they would push other events out of the buffer.
                && !record.event().equals(DecisionEvent.CHECKPOINT_PART_WRITTEN.label())) {
            eventBuffer.publish(record.seq(), record.decidedAt(), record.event(), record.subject(), record.reason());
        }
    }

    /** Starts all parts; a termination signal stops them in order. */
    static OrchestratorProcess start(
            String instance,
            KafkaClientSettings kafka,
            HttpServerConfig server,
            JournalChapterPolicy chapters,
            @Nullable TracingConfig tracing,
            GateChain gates)
            throws IOException {
        OrchestratorProcess process =
                new OrchestratorProcess(Vertx.vertx(), instance, kafka, server, chapters, tracing, gates);
        new ShutdownSequence()
                .addStep("decisions", Duration.ofSeconds(15), process.vertx, process.loop::close)
                .addStep("traces", Duration.ofSeconds(5), process.vertx, process.spans::close)
                .addStep("server", Duration.ofSeconds(5), process.httpServer::stop)
                .addStep("open transactions", Duration.ofSeconds(5), process.vertx, process.openTransactions::close)
                .addStep("events", Duration.ofSeconds(5), process.journalTail::stop)
                .addStep("vertx", Duration.ofSeconds(5), process.vertx::close)
                .runOnSignal();
        process.loop.start();
        var unused = process.apiRoutes.refreshMetrics();
        return process;
    }

    String url() {
        return httpServer.uri().toString();
    }
}
