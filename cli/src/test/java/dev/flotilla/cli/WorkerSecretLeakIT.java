package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.CampaignChecks;
import dev.flotilla.schemas.row.HealthCheck;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.schemas.topic.TopicCatalogue;
import dev.flotilla.simulator.embedded.EmbeddedCluster;
import dev.flotilla.simulator.embedded.EmbeddedFleet;
import dev.flotilla.simulator.embedded.EmbeddedFleetSpec;
import dev.flotilla.simulator.embedded.EmbeddedNode;
import dev.flotilla.simulator.kubernetes.json.ImmutableJson;
import dev.flotilla.simulator.kubernetes.store.BuiltInResources;
import dev.flotilla.simulator.kubernetes.store.ObjectReference;
import dev.flotilla.testkit.cert.CertificateAuthority;
import dev.flotilla.testkit.cert.KeyAndCertificate;
import dev.flotilla.testkit.kafka.BrokerListener;
import dev.flotilla.testkit.kafka.KafkaOptions;
import dev.flotilla.testkit.kafka.LocalKafka;
import dev.flotilla.testkit.tables.TableReader;
import dev.flotilla.testkit.tables.TableRecord;
import dev.flotilla.testkit.tables.TableWriter;
import dev.flotilla.testkit.tables.TopicCreator;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks that an installed node-worker leaks none of its secrets, with every logger at trace level. It upgrades a
 * machine, is rejected with a wrong token, and finds an unusable kubeconfig.
 */
class WorkerSecretLeakIT {
    private static final SiteId SITE = new SiteId("site-0");
    private static final String CANARY = "canary-5e1f00d5-8a11";
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Pattern TOKEN = Pattern.compile("token: ?[\"']?([^\\s\"'}]+)");
    private static final Pattern URL = Pattern.compile("ready at (http://\\S+)");

    @TempDir
    Path folder;

    private final SortedSet<String> secrets = new TreeSet<>();

    @Test
    void workerLeaksNoSecret() throws Exception {
        Vertx vertx = Vertx.vertx();
        CertificateAuthority authority = CertificateAuthority.create("sites");
        KeyAndCertificate k8sd = authority.issue("k8sd");
        EmbeddedFleet fleet = get(EmbeddedFleet.start(
                vertx,
                EmbeddedFleetSpec.evenSites(1, 2, 1, 2, 1, 300),
                k8sd.key(),
                k8sd.certificate(),
                authority.certificate()));
        List<EmbeddedNode> workers = fleet.nodes().stream()
                .filter(node -> node.role() == MachineRole.WORKER)
                .toList();
        EmbeddedNode well = workers.get(0);
        EmbeddedNode refused = workers.get(1);
        EmbeddedNode unreachable = workers.get(2);
        get(fleet.runOnEventLoop(() -> {
            fleet.pinAllCertificates();
            plant(refused.cluster(), "-token", "node-token-" + refused.name(), CANARY + "-node-token");
            plant(unreachable.cluster(), "-kubeconfig", "value", "users: [" + CANARY + "-kubeconfig");
            return true;
        }));
        secrets.add(CANARY);
        secrets.add(well.token());
        tokens(Objects.requireNonNull(fleet.kubeconfigs().get(SITE.name())));
        tokens(well.cluster().workload().kubeconfig());
        String password = CANARY + "-kafka-password";
        String prometheus = CANARY + "-prometheus-token";

        try (LocalKafka kafka = LocalKafka.start(KafkaOptions.defaults()
                .withListeners(BrokerListener.PLAINTEXT, BrokerListener.SCRAM)
                .withScramUser("worker", password))) {
            TopicCreator.createTopics(kafka.bootstrap(), List.of(SITE));
            Path log = folder.resolve("worker.log");
            Process worker = start(config(kafka, fleet, password, prometheus), log);
            try (TableWriter commands = new TableWriter(kafka.bootstrap(), failed -> {
                        throw new AssertionError(failed);
                    });
                    TableReader all = new TableReader(kafka.bootstrap(), partitions())) {
                command(commands, fleet, well, new CampaignChecks(null, List.of(query()), List.of()));
                command(commands, fleet, refused, CampaignChecks.NONE);
                command(commands, fleet, unreachable, CampaignChecks.NONE);
                Map<MachineKey, AttemptReport> reports = new TreeMap<>();
                List<String> rows = new ArrayList<>();
                await(worker, log, () -> {
                    for (TableRecord tableRecord : all.poll(Duration.ofMillis(100))) {
                        rows.add(tableRecord.rowChange().toString());
                        if (tableRecord.rowChange() instanceof AttemptProgress progress) {
                            reports.put(progress.key(), progress.report());
                        }
                    }
                    return reports.get(well.machine()) instanceof AttemptReport.Succeeded
                            && reports.get(refused.machine()) instanceof AttemptReport.Failed
                            && reports.get(unreachable.machine()) instanceof AttemptReport.StepReached;
                });
                Matcher url = URL.matcher(Files.readString(log));
                assertThat(url.find()).isTrue();
                for (String path : List.of("/metrics", "/healthz", "/readyz", "/nothing")) {
                    rows.add(get(URI.create(url.group(1)).resolve(path)));
                }
                worker.destroy();
                assertThat(worker.waitFor(30, TimeUnit.SECONDS)).isTrue();

                assertThat(String.join("\n", rows)).contains("flotilla_worker_calls_total");
                assertNoSecret("a topic or an answer", String.join("\n", rows));
                assertNoSecret("the log", Files.readString(log));
                assertThat(log.toFile().length()).as("log at trace level").isGreaterThan(100_000);
            } finally {
                worker.destroyForcibly().waitFor();
            }
        } finally {
            get(vertx.close());
        }
    }

    private void assertNoSecret(String where, String text) {
        for (String secret : secrets) {
            String coded = Base64.getEncoder().encodeToString(secret.getBytes(StandardCharsets.UTF_8));
            for (String trace : List.of(secret, coded.substring(0, coded.length() - 4))) {
                int at = text.indexOf(trace);
                assertThat(at)
                        .as(() -> where + " shows a secret: "
                                + text.substring(Math.max(0, at - 200), Math.min(text.length(), at + 100)))
                        .isNegative();
            }
        }
    }

    private void tokens(String kubeconfig) {
        Matcher token = TOKEN.matcher(kubeconfig);
        assertThat(token.find()).as(kubeconfig).isTrue();
        secrets.add(token.group(1));
    }

    private static void plant(EmbeddedCluster cluster, String secret, String key, String value) {
        ObjectReference ref = BuiltInResources.SECRETS.named(
                cluster.key().namespace(), cluster.key().name() + secret);
        cluster.management()
                .store()
                .change(
                        ref,
                        object -> ImmutableJson.with(
                                object,
                                Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8)),
                                "data",
                                key));
    }

    private static HealthCheck query() {
        return new HealthCheck(
                "quiet", new HealthCheck.PromQlProbe("vector(0)", "== 0"), false, Duration.ofSeconds(1), List.of());
    }

    private static void command(TableWriter commands, EmbeddedFleet fleet, EmbeddedNode node, CampaignChecks checks)
            throws Exception {
        WorkerCommand command = new WorkerCommand.UpgradeMachine(
                node.machine(),
                get(fleet.runOnEventLoop(node::uid)),
                7,
                MachineRole.WORKER,
                new UpgradeTarget.Revision("1100"),
                null,
                null,
                2,
                Instant.now().plusSeconds(900),
                checks,
                null,
                null,
                null);
        commands.write(TablePartition.of(Table.COMMANDS, node.machine()), command, () -> {});
        commands.flush();
    }

    private static List<TablePartition> partitions() {
        List<TablePartition> places = new ArrayList<>();
        TopicCatalogue.siteTopics(SITE)
                .forEach(topic -> IntStream.range(0, topic.table().partitions())
                        .forEach(partition -> places.add(new TablePartition(topic.table(), SITE, partition))));
        return places;
    }

    private Path config(LocalKafka kafka, EmbeddedFleet fleet, String password, String prometheus) throws IOException {
        Path secretsFile = Files.writeString(folder.resolve("kafka.properties"), "sasl.password=" + password + "\n");
        Path kubeconfig = Files.writeString(
                folder.resolve("kubeconfig"),
                Objects.requireNonNull(fleet.kubeconfigs().get(SITE.name())));
        Path token = Files.writeString(folder.resolve("prometheus-token"), prometheus);
        return Files.writeString(folder.resolve("node-worker.yaml"), """
                site: %s
                kafka:
                  bootstrapServers: %s
                  client:
                    security.protocol: %s
                    ssl.truststore.type: PEM
                    ssl.truststore.location: %s
                    sasl.username: worker
                  secretsFile: %s
                kubernetes: {kubeconfigFile: %s}
                nodes: {connectTo: '127.0.0.1:%d', pollInterval: 50ms}
                checks: {prometheus: 'http://127.0.0.1:1', prometheusTokenFile: %s}
                """.formatted(
                        SITE,
                        kafka.bootstrap(BrokerListener.SCRAM),
                        BrokerListener.SCRAM.protocol(),
                        kafka.authority().write(folder),
                        secretsFile,
                        kubeconfig,
                        fleet.k8sdPort(),
                        token));
    }

    private static Process start(Path config, Path log) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED"));
        command.addAll(List.of(
                Main.class.getName(),
                "node-worker",
                "--config",
                config.toString(),
                "--log-level",
                "trace,org.apache.kafka=trace,io.netty=trace"));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
        return builder.start();
    }

    private interface Condition {
        boolean holds() throws Exception;
    }

    private static void await(Process worker, Path log, Condition condition) throws Exception {
        long until = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.holds()) {
            assertThat(worker.isAlive()).as(() -> end(log)).isTrue();
            assertThat(System.nanoTime()).as(() -> end(log)).isLessThan(until);
        }
    }

    private static String end(Path log) {
        try {
            String text = Files.readString(log);
            return text.substring(Math.max(0, text.length() - 4_000));
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static String get(URI uri) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> response =
                    client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
            return response.headers().map() + " " + response.body();
        }
    }

    private static <T> T get(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }
}
