package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureEvidence;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.testkit.kafka.FreePorts;
import dev.flotilla.testkit.kube.KubeBinaries;
import dev.flotilla.testkit.kube.KubeCluster;
import dev.flotilla.testkit.kube.KubeOptions;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** Bundles of a fleet whose rows, metrics, logs and cluster have secrets in them. The tests run in order. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SupportBundleIT {
    /** Every secret has it, so that one search finds all of them. */
    private static final String MARK = "Marmot";

    /** A certificate or a key of a kubeconfig. */
    private static final Pattern LONG_VALUE = Pattern.compile("[A-Za-z0-9+/]{60,}");

    private static final String CAMPAIGN = """
            apiVersion: flotilla.dev/v1
            kind: Campaign
            metadata: {name: spring}
            spec:
              target: {option: 'channel=1.33-classic/stable'}
              select: {}
              waves: [{name: all}]
              cluster: {maxUnavailable: 100%}
            """;

    @TempDir
    static Path folder;

    private static KafkaFleetFixture fleet;
    private static HttpServer server;
    private static Map<String, String> files;

    @BeforeAll
    static void startFleet() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.start();
        serve(
                "/metrics",
                "flotilla_build_info{application=\"orchestrator\",version=\"0.0.7\"} 1\n" + "x{url=\"https://u:"
                        + secret("metrics") + "@east\"} 1\n# Bearer " + secret("token-file") + "\n");
        fleet = new KafkaFleetFixture();
        fleet.run("site add east");
        fleet.startOrchestrator();
        fleet.run("policy apply " + CliResult.path("examples/policies/fleet.yaml"));
        fleet.publishInventory("east", 4);
        fleet.until("machine list", listed -> listed.out().contains("k1-w-3"));
        CliResult applied = fleet.run("campaign apply " + Files.writeString(folder.resolve("spring.yaml"), CAMPAIGN));
        assertThat(applied.exit()).as(applied.all()).isZero();
        fleet.until("fleet status -o json", status -> status.json().contains("\"inFlight\":1"));
        Matcher attempt = Pattern.compile("\"attempt\":\\{\"id\":([0-9]+)")
                .matcher(fleet.run("machine get -o json east/fleet/k1-w-0").json());
        assertThat(attempt.find()).isTrue();
        fleet.reported(
                new MachineKey(new SiteId("east"), "fleet", "k1-w-0"),
                Long.parseLong(attempt.group(1)),
                new AttemptReport.Failed(
                                FailureClass.TERMINAL,
                                FailureReason.REFRESH_REJECTED,
                                "failed: https://u:" + secret("report") + "@store/x")
                        .with(new FailureEvidence(
                                List.of("Ready=False"),
                                List.of("POST /1.0 Authorization: Bearer " + secret("evidence")),
                                List.of())));
        fleet.until("machine get east/fleet/k1-w-0", shown -> shown.out().contains("quarantined"));
        fleet.run("site freeze east --reason token=" + secret("order"));
    }

    @AfterAll
    static void stop() {
        fleet.close();
        server.stop(0);
    }

    private static String secret(String source) {
        return MARK + "-of-" + source + "-7f3a";
    }

    private static void serve(String path, String body) {
        serve(path, 200, body);
    }

    private static void serve(String path, int status, String body) {
        server.createContext(path, exchange -> {
            try (exchange) {
                byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
                exchange.getResponseHeaders()
                        .add("Content-Type", path.endsWith("log") ? "text/plain" : "application/json");
                exchange.sendResponseHeaders(status, bytes.length);
                exchange.getResponseBody().write(bytes);
            }
        });
    }

    private static String address() {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    /** An API server with a pod, an Event and a Machine, all of which have secrets. */
    private static void serveCluster() {
        String pods = "/api/v1/namespaces/flotilla/pods";
        serve("/version", "{\"gitVersion\":\"v1.36.3\"}");
        serve(
                pods,
                "{\"items\":[{\"metadata\":{\"name\":\"flotilla-orchestrator-0\",\"annotations\":{\"example.org/x\":\""
                        + secret("pod-annotation")
                        + "\"}},\"spec\":{\"nodeName\":\"n1\",\"containers\":[{\"env\":[{\"name\":\"A\",\"value\":\""
                        + secret("pod-variable") + "\"}]}]},\"status\":{\"phase\":\"Running\",\"message\":\"password="
                        + secret("pod-message")
                        + "\",\"containerStatuses\":[{\"name\":\"main\",\"image\":\"flotilla:0.0.7\",\"restartCount\":1,\"state\":{\"waiting\":"
                        + "{\"reason\":\"CrashLoopBackOff\"}}}]}}]}");
        serve(
                pods + "/flotilla-orchestrator-0/log",
                "started\n-----BEGIN PRIVATE KEY-----\n" + secret("pod-log")
                        + "\n-----END PRIVATE KEY-----\nsasl.jaas.config=x required password=\"" + secret("pod-jaas")
                        + "\";\nready\n");
        serve(
                "/api/v1/namespaces/flotilla/events",
                "{\"items\":[{\"type\":\"Warning\",\"reason\":\"BackOff\",\"message\":" + "\"pull of https://u:"
                        + secret("event") + "@store failed\",\"involvedObject\":{\"kind\":\"Pod\",\"name\":\"p\"}}]}");
        serve("/apis/cluster.x-k8s.io", "{\"versions\":[{\"version\":\"v1beta2\"}]}");
        serve("/apis/cluster.x-k8s.io/v1beta2", "{\"resources\":[{\"name\":\"machines\"}]}");
        serve(
                "/apis/cluster.x-k8s.io/v1beta2/machines",
                "{\"items\":[{\"metadata\":{\"namespace\":\"fleet\",\"name\":\"k1-w-0\","
                        + "\"annotations\":{\"flotilla.dev/hold\":\"disk\",\"k8sd.io/token\":\""
                        + secret("machine-token")
                        + "\",\"example.org/any\":\"" + secret("machine-annotation")
                        + "\"}},\"spec\":{\"bootstrap\":{\"x\":\""
                        + secret("bootstrap") + "\"}}}]}");
    }

    private static Path kubeconfig() throws IOException {
        return Files.writeString(folder.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                current-context: north
                contexts:
                - {name: north, context: {cluster: north, user: me}}
                - {name: east, context: {cluster: east, user: me}}
                clusters:
                - {name: north, cluster: {server: "http://127.0.0.1:1"}}
                - {name: east, cluster: {server: "http://%s"}}
                users: [{name: me, user: {token: "%s"}}]
                """.formatted(address(), secret("kubeconfig")));
    }

    @Test
    @Order(1)
    void collectsAllSources() throws Exception {
        serveCluster();
        Path log = Files.writeString(
                folder.resolve("orchestrator.log"),
                "ready\n{\"kafka\":{\"sasl.password\":\"" + secret("log") + "\"}}\nAuthorization: Basic "
                        + Base64.getEncoder()
                                .encodeToString(secret("log-header").getBytes(StandardCharsets.UTF_8)) + "\n"
                        + "the API server refused the user of " + secret("kubeconfig") + "\n"
                        + Base64.getEncoder()
                                .encodeToString(secret("kubeconfig").getBytes(StandardCharsets.UTF_8)) + "\n");
        Path token = Files.writeString(folder.resolve("token"), secret("token-file") + "\n");
        Path bundle = folder.resolve("east.tar.gz");

        CliResult collected = fleet.run(
                "support-bundle --output " + bundle + " --metrics http://" + address() + " --metrics-token-file "
                        + token + " --log " + log + " --kubeconfig " + kubeconfig() + " --kube-context east");

        assertThat(collected.exit()).as(collected.all()).isZero();
        assertThat(collected.out())
                .contains(bundle + ": ", " parts\n", "Look through it before you send it: tar -xzf " + bundle);
        assertThat(collected.err()).contains("tables of the fleet …", "metrics of 127.0.0.1 …");
        files = unpack(bundle);
        assertThat(files.keySet())
                .contains(
                        "manifest.json",
                        "versions.json",
                        "fleet/status.txt",
                        "fleet/sites.txt",
                        "fleet/heads.json",
                        "fleet/policies.json",
                        "fleet/rejected.json",
                        "fleet/journal.json",
                        "campaigns/spring.json",
                        "machines/east-fleet-k1-w-0.json",
                        "kafka/topics.json",
                        "kafka/groups.json",
                        "files/0-orchestrator.log",
                        "cluster/pods.json",
                        "cluster/events.json",
                        "cluster/machines.json",
                        "logs/flotilla-orchestrator-0/main.log",
                        "logs/flotilla-orchestrator-0/main.previous.log");
        assertThat(files.get("campaigns/spring.json")).contains("\"gates\"", "channel=1.33-classic/stable");
        assertThat(files.get("machines/east-fleet-k1-w-0.json")).contains("quarantined", "refresh-rejected");
        assertThat(files.get("kafka/topics.json"))
                .contains("flotilla.inventory.east", "cleanup.policy", "\"decidedUpTo\"", "\"lag\"");
        assertThat(files.get("kafka/groups.json")).contains("flotilla.leader", "flotilla.leader-0");
        assertThat(files.get("versions.json")).contains("0.0.7");
        assertThat(files.get("cluster/pods.json")).contains("CrashLoopBackOff", "flotilla:0.0.7");
        assertThat(files.get("cluster/machines.json")).contains("flotilla.dev/hold", "disk");
        assertThat(files.get("logs/flotilla-orchestrator-0/main.log")).contains("started", "ready");
        assertThat(files.get("manifest.json")).contains("\"missing\": []", "fleet/journal.json");
    }

    @Test
    @Order(2)
    void showsNoSecret() {
        assertThat(files)
                .hasSizeGreaterThan(20)
                .allSatisfy((file, text) -> assertThat(text)
                        .as(file)
                        .doesNotContain(MARK)
                        // The encoded form depends on where the text stands in what was encoded.
                        .doesNotContain(
                                encoded(MARK),
                                encoded("x" + MARK).substring(2),
                                encoded("xy" + MARK).substring(3)));
    }

    private static String encoded(String text) {
        String all = Base64.getEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
        return all.substring(0, all.length() - 2);
    }

    @Test
    @Order(3)
    void replacesNoFile() throws IOException {
        Path there = Files.writeString(folder.resolve("there.tar.gz"), "mine");

        CliResult refused = fleet.run("support-bundle --output " + there + " --journal-records 0 --metrics east:80");

        assertThat(refused.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(refused.err()).contains("exists", "--journal-records 0", "\"east:80\" is not a URL");
        assertThat(there).hasContent("mine");
    }

    @Test
    @Order(4)
    void saysWhatCouldNotBeRead() throws Exception {
        Path bundle = folder.resolve("parts.tar.gz");
        serve("/broken", 503, "no leader, token=" + secret("answer") + "\n");

        CliResult collected = fleet.run("support-bundle --output " + bundle + " --metrics http://ada:" + secret("user")
                + "@" + address() + "/broken?access_token=" + secret("query") + " --log " + folder.resolve("no.log"));

        assertThat(collected.exit()).as(collected.all()).isEqualTo(ExitCode.NO);
        assertThat(collected.err()).contains("not in the bundle: files/0-no.log: ", "the process answered 503");
        assertThat(collected.out()).contains(", 2 could not be read");
        Map<String, String> found = unpack(bundle);
        assertThat(found.get("manifest.json")).contains("does not exist", "503").doesNotContain(MARK);
        assertThat(found).containsKey("fleet/status.txt");
        assertThat(collected.all()).doesNotContain(MARK);
    }

    @Test
    @Order(5)
    void givesWhatItCanWithoutABroker() throws Exception {
        int port = FreePorts.next();
        Path log = Files.writeString(folder.resolve("some.log"), "ready\n");
        Path bundle = folder.resolve("away.tar.gz");

        CliResult collected = CliResult.flotilla(
                "support-bundle",
                "--bootstrap",
                "127.0.0.1:" + port,
                "--log",
                log.toString(),
                "--output",
                bundle.toString());

        assertThat(collected.exit()).as(collected.all()).isEqualTo(ExitCode.UNREACHABLE);
        assertThat(unpack(bundle).get("files/0-some.log")).isEqualTo("ready\n");
        assertThat(unpack(bundle).get("manifest.json")).contains("127.0.0.1:" + port, "\"fleet/\"");
        CliResult none = CliResult.flotilla(
                "support-bundle",
                "--log",
                log.toString(),
                "--output",
                folder.resolve("none.tar.gz").toString());
        assertThat(none.exit()).isEqualTo(ExitCode.NO);
        assertThat(none.err()).contains("no Kafka brokers are configured");
        assertThat(CliResult.flotilla("support-bundle").exit()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    @Order(6)
    @EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
    void readsARealClusterAndNoSecretInIt() throws Exception {
        try (KubeCluster cluster = KubeCluster.start(KubeOptions.apiServer()).withClusterApi()) {
            fillCluster(cluster);
            Path bundle = folder.resolve("real.tar.gz");

            CliResult collected = CliResult.flotilla(
                    "support-bundle", "--kubeconfig", cluster.kubeconfig().toString(), "--output", bundle.toString());

            // No kubelet runs the pod, so that its log cannot be read.
            assertThat(collected.exit()).as(collected.all()).isEqualTo(ExitCode.NO);
            assertThat(collected.err()).contains("not in the bundle: logs/worker-0/main.previous.log: ");
            Map<String, String> found = unpack(bundle);
            assertThat(found.get("cluster/pods.json")).contains("worker-0", "Error", "\"restarts\": \"2\"");
            assertThat(found.get("cluster/events.json")).contains("BackOff", "Pod flotilla/worker-0");
            assertThat(found.get("cluster/machines.json")).contains("flotilla.dev/hold", "disk", "v1.33.0");
            assertThat(found.get("cluster/version.json")).contains("v1.");
            String credentials = Files.readString(cluster.kubeconfig());
            assertThat(found).allSatisfy((file, text) -> {
                assertThat(text).as(file).doesNotContain(MARK).doesNotContain(encoded(MARK));
                LONG_VALUE
                        .matcher(credentials)
                        .results()
                        .forEach(secret -> assertThat(text).doesNotContain(secret.group()));
            });
            assertThat(Files.readString(cluster.auditLog())
                            .lines()
                            .filter(line -> line.contains("\"get\"") || line.contains("\"list\"")))
                    .anyMatch(line -> line.contains("/namespaces/flotilla/pods"))
                    .noneMatch(line -> line.contains("/namespaces/flotilla/secrets") || line.contains("/configmaps"));
        }
    }

    private static void fillCluster(KubeCluster cluster) {
        for (String namespace : List.of("fleet", "flotilla")) {
            cluster.apply(
                    "/api/v1/namespaces/" + namespace,
                    "{apiVersion: v1, kind: Namespace, metadata: {name: " + namespace + "}}");
        }
        String own = "/api/v1/namespaces/flotilla/";
        cluster.apply(
                own + "serviceaccounts/default",
                "{apiVersion: v1, kind: ServiceAccount, metadata: {name: default, namespace: flotilla}}");
        cluster.apply(own + "secrets/flotilla-kafka", """
                {apiVersion: v1, kind: Secret, metadata: {name: flotilla-kafka, namespace: flotilla},
                 stringData: {any: %s}}""".formatted(secret("real-secret")));
        cluster.apply(own + "pods/worker-0", """
                {apiVersion: v1, kind: Pod, metadata: {name: worker-0, namespace: flotilla,
                   annotations: {example.org/any: %s}},
                 spec: {containers: [{name: main, image: 'flotilla:0.0.7', env: [{name: A, value: %s}]}]}}""".formatted(secret("real-annotation"), secret("real-variable")));
        cluster.merge(own + "pods/worker-0/status", """
                {"status":{"phase":"Running","containerStatuses":[{"name":"main","image":"flotilla:0.0.7","imageID":"",
                 "ready":false,"restartCount":2,"state":{"terminated":{"reason":"Error","exitCode":2,
                 "message":"token=%s"}}}]}}""".formatted(secret("real-message")));
        cluster.apply(own + "events/worker-0.1", """
                {apiVersion: v1, kind: Event, metadata: {name: worker-0.1, namespace: flotilla}, type: Warning,
                 reason: BackOff, message: 'pull of https://u:%s@store failed',
                 involvedObject: {kind: Pod, namespace: flotilla, name: worker-0}}""".formatted(secret("real-event")));
        cluster.apply(
                "/apis/cluster.x-k8s.io/v1beta2/namespaces/fleet/machines/w-0", """
                {apiVersion: cluster.x-k8s.io/v1beta2, kind: Machine, metadata: {name: w-0, namespace: fleet,
                   annotations: {flotilla.dev/hold: disk, example.org/any: %s}},
                 spec: {clusterName: k1, version: v1.33.0, bootstrap: {dataSecretName: x},
                   infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: M, name: m}}}""".formatted(secret("real-machine")));
    }

    /** Unpacks a bundle with tar, and returns the texts of its files. */
    private static Map<String, String> unpack(Path bundle) throws IOException, InterruptedException {
        Path into = Files.createTempDirectory(folder, "unpacked");
        Process tar = new ProcessBuilder("tar", "-xzf", bundle.toString(), "-C", into.toString())
                .redirectErrorStream(true)
                .start();
        try (InputStream said = tar.getInputStream()) {
            String messages = new String(said.readAllBytes(), StandardCharsets.UTF_8);
            assertThat(tar.waitFor()).as(messages).isZero();
        }
        Map<String, String> texts = new TreeMap<>();
        try (Stream<Path> all = Files.walk(into)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                texts.put(
                        into.relativize(file)
                                .subpath(1, into.relativize(file).getNameCount())
                                .toString(),
                        Files.readString(file));
            }
        }
        return texts;
    }
}
