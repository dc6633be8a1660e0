package dev.flotilla.testkit.sites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.simulator.node.SnapReleases;
import dev.flotilla.testkit.kafka.LocalKafka;
import dev.flotilla.testkit.tables.TableReader;
import dev.flotilla.testkit.tables.TableRecord;
import dev.flotilla.testkit.tables.TableWriter;
import dev.flotilla.testkit.tables.TopicCreator;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Simulated sites with a real Kafka; the test takes the place of the orchestrator. */
class SimulatedSitesIT {
    private static final SitesSpec SPEC = new SitesSpec(2, 4, 12, 0, 1, 2000);
    private static final SiteId SITE = new SiteId("site-1");
    private static final MachineKey MACHINE = new MachineKey(SITE, "fleet", "k1-cp-0");
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final UpgradeTarget TARGET = new UpgradeTarget.Channel(SnapReleases.channel(1));

    private final LocalKafka kafka = LocalKafka.start();
    private final List<AutoCloseable> opened = new ArrayList<>();

    @BeforeEach
    void makeTopics() throws InterruptedException {
        TopicCreator.createTopics(kafka.bootstrap(), new SitesFleetLayout(SPEC).sites());
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable resource : opened) {
            resource.close();
        }
        kafka.close();
    }

    @Test
    void inventoryContainsEveryMachineAndSitesSendHeartbeats() throws Exception {
        startSites();

        Map<MachineKey, MachineRow> machines = readMachines();

        assertThat(machines)
                .hasSize(12)
                .allSatisfy((key, row) -> assertThat(row.ready()).isTrue());
    }

    @Test
    void commandLeadsToASuccessByOneCall() throws Exception {
        SimulatedSites sites = startSites();
        List<AttemptReport> reports = upgrade(MACHINE, uid(), 7);

        assertThat(reports.get(0)).isInstanceOf(AttemptReport.StepReached.class);
        assertThat(last(reports))
                .isInstanceOfSatisfying(
                        AttemptReport.Succeeded.class,
                        done -> assertThat(done.proof()).isEqualTo(AttemptReport.SuccessProof.UPGRADED));
        assertThat(get(sites, "/calls"))
                .containsOnlyOnce("\"effective\":true")
                .contains("\"machine\":\"" + MACHINE + "\"", "\"maxInFlight\":1");
        assertThat(get(sites, "/stats")).contains("\"calls\":1", "\"inFlight\":0", "\"busyMillis\":");
    }

    @Test
    void unreadableRecordIsLeftOut() throws Exception {
        SimulatedSites sites = startSites();
        String uid = uid();
        TablePartition tablePartition = TablePartition.of(Table.COMMANDS, MACHINE);
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.bootstrap()), new StringSerializer(), new StringSerializer())) {
            producer.send(new ProducerRecord<>(
                            "flotilla.commands.site-1", tablePartition.partition(), "no key", "no json"))
                    .get();
        }

        assertThat(last(upgrade(MACHINE, uid, 7))).isInstanceOf(AttemptReport.Succeeded.class);
        assertThat(get(sites, "/stats")).contains("\"unreadableRows\":1");
    }

    @Test
    void restartedSitesMakeNoSecondCallForAnAttempt() throws Exception {
        SimulatedSites first = startSites();
        String uid = uid();
        List<AttemptReport> before = upgrade(MACHINE, uid, 7);
        first.close();

        SimulatedSites second = startSites();
        List<AttemptReport> after = upgrade(new MachineKey(SITE, "fleet", "k3-cp-0"), uid("k3-cp-0"), 8);

        assertThat(last(after)).isInstanceOf(AttemptReport.Succeeded.class);
        assertThat(get(second, "/calls")).doesNotContain(MACHINE.toString());
        assertThat(reports(MACHINE, 7)).isEqualTo(before);
        assertThat(readMachines()).hasSize(12);
    }

    private SimulatedSites startSites() throws IOException {
        SimulatedSites sites = SimulatedSites.start(
                kafka.bootstrap(), SPEC, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        opened.add(sites);
        return sites;
    }

    /** Commands an upgrade and waits for its end. Returns the reports. */
    private List<AttemptReport> upgrade(MachineKey machine, String uid, long attempt) {
        try (TableWriter writer = new TableWriter(kafka.bootstrap(), problem -> {
            throw new IllegalStateException(problem);
        })) {
            WorkerCommand command = new WorkerCommand.UpgradeMachine(
                    machine,
                    uid,
                    attempt,
                    MachineRole.CONTROL_PLANE,
                    TARGET,
                    null,
                    null,
                    1,
                    Instant.now().plusSeconds(600));
            writer.write(TablePartition.of(Table.COMMANDS, machine), command, () -> {});
            writer.flush();
        }
        awaitRecord(
                List.of(TablePartition.of(Table.PROGRESS, machine)),
                tableRecord -> tableRecord.rowChange() instanceof AttemptProgress progress
                        && progress.attemptId() == attempt
                        && progress.report() instanceof AttemptReport.Succeeded);
        return reports(machine, attempt);
    }

    private List<AttemptReport> reports(MachineKey machine, long attempt) {
        try (TableReader view =
                new TableReader(kafka.bootstrap(), List.of(TablePartition.of(Table.PROGRESS, machine)))) {
            return view.readToEnd().stream()
                    .map(TableRecord::rowChange)
                    .filter(AttemptProgress.class::isInstance)
                    .map(AttemptProgress.class::cast)
                    .filter(progress -> progress.key().equals(machine) && progress.attemptId() == attempt)
                    .map(AttemptProgress::report)
                    .toList();
        }
    }

    private String uid() {
        return uid(MACHINE.name());
    }

    private String uid(String name) {
        MachineKey key = new MachineKey(SITE, "fleet", name);
        TableRecord row = awaitRecord(
                List.of(TablePartition.of(Table.INVENTORY, SITE)),
                tableRecord -> tableRecord.rowChange() instanceof MachineRow machine
                        && machine.key().equals(key));
        return ((MachineRow) row.rowChange()).uid();
    }

    /** All machines, once every site has sent a heartbeat and its inventory. */
    private Map<MachineKey, MachineRow> readMachines() {
        Map<MachineKey, MachineRow> machines = new LinkedHashMap<>();
        List<SiteId> sitesWithHeartbeat = new ArrayList<>();
        awaitRecord(
                new SitesFleetLayout(SPEC)
                        .sites().stream()
                                .map(site -> TablePartition.of(Table.INVENTORY, site))
                                .toList(),
                tableRecord -> {
                    if (tableRecord.rowChange() instanceof MachineRow row) {
                        machines.put(row.key(), row);
                    } else if (tableRecord.rowChange() instanceof WatcherHeartbeat heartbeat) {
                        sitesWithHeartbeat.add(heartbeat.site());
                    }
                    return machines.size() == 12 && sitesWithHeartbeat.size() >= 2;
                });
        return machines;
    }

    private TableRecord awaitRecord(List<TablePartition> partitions, Predicate<TableRecord> condition) {
        long end = System.nanoTime() + TIMEOUT.toNanos();
        try (TableReader view = new TableReader(kafka.bootstrap(), partitions)) {
            while (System.nanoTime() < end) {
                for (TableRecord tableRecord : view.poll(Duration.ofMillis(200))) {
                    if (condition.test(tableRecord)) {
                        return tableRecord;
                    }
                }
            }
        }
        throw new AssertionError("the expected record did not appear within " + TIMEOUT + " in " + partitions);
    }

    private static AttemptReport last(List<AttemptReport> reports) {
        return reports.get(reports.size() - 1);
    }

    private static String get(SimulatedSites sites, String path) throws Exception {
        return send(HttpRequest.newBuilder(sites.uri().resolve(path)).build());
    }

    private static String send(HttpRequest request) throws Exception {
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
    }
}
