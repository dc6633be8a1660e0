package dev.flotilla.cli;

import dev.flotilla.core.Decider;
import dev.flotilla.core.FleetDecider;
import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.core.leader.OrchestratorPartitions;
import dev.flotilla.kafka.KafkaClientSettings;
import dev.flotilla.kafka.OpenTransactionWatcher;
import dev.flotilla.orchestrator.api.ApiRoutes;
import dev.flotilla.orchestrator.chapter.JournalChapterPolicy;
import dev.flotilla.orchestrator.leader.OrchestratorListener;
import dev.flotilla.orchestrator.leader.OrchestratorLoopConfig;
import dev.flotilla.orchestrator.loop.OrchestratorLoop;
import dev.flotilla.orchestrator.page.WebPageRoutes;
import dev.flotilla.orchestrator.state.EventRingBuffer;
import dev.flotilla.orchestrator.state.ReplicaRole;
import dev.flotilla.orchestrator.state.StateQueryQueue;
import dev.flotilla.runtime.config.HttpServerConfig;
import dev.flotilla.runtime.http.ApplicationHttpServer;
import dev.flotilla.runtime.http.HealthAndMetricsRoutes;
import dev.flotilla.runtime.http.HealthStatus;
import dev.flotilla.runtime.metrics.PrometheusMetrics;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.TableRow;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.testkit.junit.LoopFailureExtension;
import dev.flotilla.testkit.kafka.LocalKafka;
import dev.flotilla.testkit.tables.TableWriter;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A real Kafka with a real orchestrator loop; the test writes the watchers' rows. */
final class KafkaFleetFixture implements AutoCloseable {
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    private static final int EVENTS_KEPT = 16;

    private final LocalKafka kafka = LocalKafka.start();
    private final List<OrchestratorLoop> loops = new ArrayList<>();
    private final Vertx vertx = Vertx.vertx();
    private final PrometheusMetrics prometheusMetrics = new PrometheusMetrics("orchestrator");
    private final HttpClient client = HttpClient.newHttpClient();
    private @Nullable URI api;
    private @Nullable OpenTransactionWatcher openTransactions;

    String bootstrap() {
        return kafka.bootstrap();
    }

    void startOrchestrator() {
        startOrchestrator(JournalChapterPolicy.DEFAULT);
    }

    void startOrchestrator(JournalChapterPolicy chapters) {
        startOrchestrator(chapters, FleetDecider::standard, new StateQueryQueue(GateChain.standard()));
    }

    /** Starts an orchestrator with another rule, as an earlier version had it. */
    void startOrchestrator(GateChain gates) {
        startOrchestrator(
                JournalChapterPolicy.DEFAULT, () -> new FleetDecider(gates), new StateQueryQueue(GateChain.standard()));
    }

    /** Ends the orchestrators. */
    void stopOrchestrators() {
        loops.forEach(OrchestratorLoop::close);
        loops.clear();
    }

    /** Stops all orchestrators and starts another one, as in another cluster. */
    void replaceOrchestrator() {
        loops.forEach(OrchestratorLoop::close);
        loops.clear();
        startOrchestrator();
    }

    /** Starts an orchestrator that also serves the API and the page. */
    void startOrchestratorWithApi() {
        startOrchestratorWithApi(HttpServerConfig.DEFAULT);
    }

    void startOrchestratorWithApi(HttpServerConfig server) {
        StateQueryQueue stateQueryQueue = new StateQueryQueue(GateChain.standard());
        startOrchestrator(JournalChapterPolicy.DEFAULT, FleetDecider::standard, stateQueryQueue);
        openTransactions = OpenTransactionWatcher.start(
                KafkaClientSettings.forLocalBroker(bootstrap()),
                OrchestratorLoopConfig.REQUEST_TIMEOUT,
                OrchestratorPartitions::isInput,
                now -> {});
        ApiRoutes answers = new ApiRoutes(
                vertx,
                stateQueryQueue,
                new EventRingBuffer(EVENTS_KEPT),
                openTransactions::blockingTransactions,
                prometheusMetrics.registry());
        HealthAndMetricsRoutes healthAndMetricsRoutes = new HealthAndMetricsRoutes(
                () -> HealthStatus.healthy("alive"),
                () -> HealthStatus.healthy("leader"),
                prometheusMetrics::toPrometheusText);
        WebPageRoutes page = new WebPageRoutes();
        api = ApplicationHttpServer.start(
                        vertx,
                        server,
                        healthAndMetricsRoutes,
                        router -> {
                            answers.mount(router);
                            page.mount(router);
                        },
                        page::hasPath)
                .map(ApplicationHttpServer::uri)
                .toCompletionStage()
                .toCompletableFuture()
                .join();
    }

    /** The URL of the API. */
    URI api() {
        return Objects.requireNonNull(api);
    }

    /** Gets the JSON response of the API. */
    JsonObject getJson(String path) throws IOException, InterruptedException {
        URI whole = api().resolve(path);
        HttpResponse<String> answer = client.send(HttpRequest.newBuilder(whole).build(), BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new AssertionError(path + ": " + answer.body());
        }
        return new JsonObject(answer.body());
    }

    private void startOrchestrator(
            JournalChapterPolicy chapters, Supplier<Decider> decider, StateQueryQueue stateQueryQueue) {
        OrchestratorLoop loop = new OrchestratorLoop(
                OrchestratorLoopConfig.defaults(
                        "loop",
                        KafkaClientSettings.forLocalBroker(bootstrap()),
                        decider,
                        chapters,
                        loopCrashPoint -> {},
                        new Silent()),
                stateQueryQueue);
        loops.add(loop);
        loop.start();
    }

    /** Runs a command on this Kafka. */
    CliResult run(String line) {
        List<String> args = new ArrayList<>(List.of(line.split(" ")));
        args.add("--bootstrap");
        args.add(bootstrap());
        return CliResult.flotilla(args.toArray(new String[0]));
    }

    /** Repeats a command until its result is as expected. */
    CliResult until(String line, Predicate<CliResult> good) {
        long until = System.nanoTime() + PATIENCE_NANOS;
        CliResult cliResult = run(line);
        while (!good.test(cliResult)) {
            if (System.nanoTime() > until) {
                throw new AssertionError(line + " never answered as it should: " + cliResult);
            }
            cliResult = run(line);
        }
        return cliResult;
    }

    /** Writes heartbeat and inventory of a site with one cluster and a number of workers. */
    void publishInventory(String name, int workers) {
        SiteId site = new SiteId(name);
        List<TableRow> rows = new ArrayList<>();
        rows.add(new ClusterRow(
                new ClusterKey(site, "fleet", "k1"), "uid-k1", Labels.NONE, false, false, null, 0, workers));
        for (int i = 0; i < workers; i++) {
            rows.add(worker(site, "k1-w-" + i));
        }
        publishInventory(site, rows);
    }

    /** Writes heartbeat and inventory of a site. */
    void publishInventory(SiteId site, List<TableRow> rows) {
        List<TableRow> all = new ArrayList<>();
        all.add(new WatcherHeartbeat(site, "uid-of-" + site, "watcher-1", now(), 0));
        all.addAll(rows);
        write(all);
    }

    /** Writes a worker's report about a machine's first attempt. */
    void reported(MachineKey machine, AttemptReport report) {
        reported(machine, 1, report);
    }

    void reported(MachineKey machine, long attempt, AttemptReport report) {
        write(List.of(new AttemptProgress(machine, "uid-" + machine.name(), attempt, report, now())));
    }

    /** Writes rows of a site as its watcher or worker does. */
    void write(List<? extends RowChange> rows) {
        try (TableWriter writer = new TableWriter(bootstrap(), failed -> {
            throw new AssertionError("cannot write", failed);
        })) {
            rows.forEach(row -> writer.write(OrchestratorPartitions.partitionOf(row.rowKey()), row, () -> {}));
            writer.flush();
        }
    }

    /** Writes a record of any content and headers. */
    void writeRecord(TablePartition place, WireRecord record) {
        try (TableWriter writer = new TableWriter(bootstrap(), failed -> {
            throw new AssertionError("cannot write", failed);
        })) {
            writer.writeRecord(place, record);
            writer.flush();
        }
    }

    private static Instant now() {
        return Instant.now().truncatedTo(ChronoUnit.MILLIS);
    }

    private static MachineRow worker(SiteId site, String name) {
        return worker(new MachineKey(site, "fleet", name), "uid-" + name, "k1");
    }

    static MachineRow worker(MachineKey key, String uid, String cluster) {
        return worker(key, uid, cluster, Labels.NONE);
    }

    static MachineRow worker(MachineKey key, String uid, String cluster, Labels labels) {
        return new MachineRow(
                key,
                uid,
                cluster,
                null,
                MachineRole.WORKER,
                labels,
                key.name(),
                null,
                key.site() + "-" + key.name(),
                true,
                false,
                false,
                false,
                false,
                "1.32",
                "v1.32.1",
                "1000",
                "amd64",
                List.of());
    }

    @Override
    public void close() {
        loops.forEach(OrchestratorLoop::close);
        if (openTransactions != null) {
            openTransactions.close();
        }
        vertx.close().toCompletionStage().toCompletableFuture().join();
        prometheusMetrics.close();
        client.close();
        kafka.close();
    }

    private static final class Silent implements OrchestratorListener {
        @Override
        public void roleChanged(ReplicaRole replicaRole, String why) {}

        @Override
        public void stateRestored(long records, long millis) {}

        @Override
        public void siteSuspended(SiteId site, String reason) {}

        @Override
        public void siteResumed(SiteId site) {}

        @Override
        public void loopFailed(Throwable bug) {
            LoopFailureExtension.addFailure(bug);
        }

        @Override
        public void onCommit(List<Decision> decisions, List<WireRecord> records, long millis) {}

        @Override
        public void onRejected(RejectedRecord rejected) {}
    }
}
