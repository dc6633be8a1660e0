package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.nodeworker.checks.HealthCheckConfig;
import dev.flotilla.nodeworker.config.SiteKubernetesConfig;
import dev.flotilla.nodeworker.config.SiteUpgradeSettings;
import dev.flotilla.nodeworker.node.NodeUpgraderFactory;
import dev.flotilla.nodeworker.node.SiteClusters;
import dev.flotilla.nodeworker.upgrade.UpgradeAttemptParameters;
import dev.flotilla.nodeworker.workload.DrainPolicy;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.DrainMode;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.TableRow;
import dev.flotilla.simulator.embedded.EmbeddedFleet;
import dev.flotilla.simulator.embedded.EmbeddedFleetSpec;
import dev.flotilla.simulator.embedded.EmbeddedNode;
import dev.flotilla.simulator.kubernetes.SimApiServer;
import dev.flotilla.simulator.kubernetes.store.BuiltInResources;
import dev.flotilla.simulator.kubernetes.store.ObjectReference;
import dev.flotilla.testkit.cert.CertificateAuthority;
import dev.flotilla.testkit.cert.KeyAndCertificate;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** Manual cleanup commands on a real Kafka and an embedded fleet; the tests run in order. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ManualCleanupIT {
    private static final String SITE = "site-0";
    private static final long OVER = 1;

    @TempDir
    static Path folder;

    private static KafkaFleetFixture kafka;
    private static Vertx vertx;
    private static EmbeddedFleet fleet;
    private static EmbeddedNode node;
    private static String uid;
    private static Path kubeconfig;

    @BeforeAll
    static void start() throws Exception {
        vertx = Vertx.vertx();
        CertificateAuthority authority = CertificateAuthority.create("sites");
        KeyAndCertificate k8sd = authority.issue("k8sd");
        fleet = get(EmbeddedFleet.start(
                vertx,
                EmbeddedFleetSpec.evenSites(1, 1, 1, 2, 1, 60),
                k8sd.key(),
                k8sd.certificate(),
                authority.certificate()));
        node = fleet.nodes().stream()
                .filter(each -> each.role() == MachineRole.WORKER)
                .findFirst()
                .orElseThrow();
        uid = get(fleet.runOnEventLoop(node::uid));
        kubeconfig = Files.writeString(
                folder.resolve("kubeconfig"),
                Objects.requireNonNull(fleet.kubeconfigs().get(SITE)));
        kafka = new KafkaFleetFixture();
        kafka.run("site add " + SITE);
        kafka.startOrchestrator();
        List<TableRow> rows = new ArrayList<>();
        ClusterKey cluster = node.cluster().key();
        rows.add(new ClusterRow(cluster, "uid-k1", Labels.NONE, false, false, null, 0, 2));
        rows.add(KafkaFleetFixture.worker(node.machine(), uid, cluster.name()));
        kafka.publishInventory(new SiteId(SITE), rows);
        kafka.until(
                "machine list",
                cliResult -> cliResult.out().contains(node.machine().toString()));
    }

    @AfterAll
    static void stop() throws Exception {
        kafka.close();
        get(vertx.close());
    }

    private static CliResult runWithKafka(String words) {
        return kafka.run(words + " " + node.machine() + " --kubeconfig " + kubeconfig);
    }

    private static CliResult runWithoutKafka(String words) {
        return CliResult.flotilla((words + " " + node.machine() + " --kubeconfig " + kubeconfig).split(" "));
    }

    /** Sets cordon and guard annotations of an attempt whose worker no longer runs. */
    private static void leaveBehind(long attempt) throws Exception {
        SiteUpgradeSettings usual = SiteUpgradeSettings.DEFAULT;
        SiteUpgradeSettings draining = new SiteUpgradeSettings(
                usual.siteMode(),
                usual.guards(),
                new DrainPolicy(DrainMode.ALWAYS, DrainPolicy.NEVER.timeout(), null, DrainPolicy.NEVER.pause()),
                usual.transport(),
                usual.k8sdPort(),
                usual.maxTunnels(),
                usual.maxConnections(),
                usual.requestsPerCluster(),
                usual.timeout());
        try (SiteClusters siteClusters =
                SiteClusters.open(vertx, new SiteKubernetesConfig(kubeconfig, draining), HealthCheckConfig.NONE)) {
            assertThat(get(new NodeUpgraderFactory(vertx, siteClusters, null)
                            .createUpgrader(
                                    new UpgradeAttemptParameters(
                                            node.machine(), uid, attempt, MachineRole.WORKER, 1, "0/gone"),
                                    false)
                            .setGuards(Instant.now().plusSeconds(60), () -> {})))
                    .isNull();
        }
    }

    private static String machine() throws Exception {
        return text(
                node.cluster().management(),
                BuiltInResources.MACHINES.named(
                        node.machine().namespace(), node.machine().name()));
    }

    private static String node() throws Exception {
        return text(node.cluster().workload(), BuiltInResources.NODES.named(node.name()));
    }

    private static String text(SimApiServer cluster, ObjectReference ref) throws Exception {
        return get(fleet.runOnEventLoop(() ->
                new String(Objects.requireNonNull(cluster.store().get(ref)).bytes(), StandardCharsets.UTF_8)));
    }

    @Test
    @Order(1)
    void removesWhatAFinishedAttemptLeftBehind() throws Exception {
        assertThat(runWithKafka("machine release").out()).contains("no attempt has left anything behind");
        leaveBehind(OVER);
        assertThat(node()).contains("\"unschedulable\":true");

        CliResult would = runWithKafka("machine release --dry-run");
        assertThat(would.exit()).as(would.all()).isZero();
        assertThat(would.out()).contains("would be uncordoned", "would be removed");
        assertThat(machine()).contains("flotilla.dev/attempt");

        CliResult cliResult = runWithKafka("machine release -o json");
        assertThat(cliResult.exit()).as(cliResult.all()).isZero();
        assertThat(cliResult.json()).contains("\"uncordoned\":true", "\"released\":true", "\"attempts\":[1]");
        assertThat(machine()).doesNotContain("flotilla.dev/attempt").doesNotContain("skip-remediation");
        assertThat(node()).doesNotContain("flotilla.dev/cordoned").doesNotContain("\"unschedulable\":true");
    }

    @Test
    @Order(2)
    void showsAndDeletesACertificatePin() throws Exception {
        assertThat(runWithoutKafka("machine trust").out()).contains("no pin: no worker has connected yet");
        get(fleet.runOnEventLoop(() -> {
            fleet.pinAllCertificates();
            return true;
        }));
        assertThat(runWithoutKafka("machine trust").out()).contains("SHA-256");
        CliResult forgotten = runWithoutKafka("machine trust --reset");
        assertThat(forgotten.exit()).as(forgotten.all()).isZero();
        assertThat(forgotten.out()).contains("pin deleted");
        assertThat(runWithoutKafka("machine trust -o json").json()).contains("\"sha256\":null");
        assertThat(runWithoutKafka("machine trust --reset").out()).contains("no pin to delete");
    }

    @Test
    @Order(3)
    void rolesNameTheSecretsOfEachCluster() {
        CliResult cliResult = kafka.run("site rbac " + SITE);
        assertThat(cliResult.exit()).as(cliResult.all()).isZero();
        String cluster = node.cluster().key().name();
        assertThat(cliResult.out())
                .contains("namespace: fleet", cluster + "-kubeconfig", cluster + "-token", cluster + "-flotilla-pins")
                .doesNotContain("blue");
        assertThat(kafka.run("site rbac " + SITE + " --namespace other").exit()).isEqualTo(ExitCode.NO);
        assertThat(kafka.run("site rbac nowhere").err()).contains("there is no site nowhere");
    }

    @Test
    @Order(4)
    void refusesTheWrongManagementCluster() throws Exception {
        kafka.publishInventory(
                new SiteId(SITE),
                List.of(KafkaFleetFixture.worker(
                        node.machine(), "another", node.cluster().key().name())));
        CliResult cliResult = kafka.until(
                "machine release " + node.machine() + " --kubeconfig " + kubeconfig,
                each -> each.exit() == ExitCode.NO);
        assertThat(cliResult.err()).contains("but the inventory has uid another");
        kafka.publishInventory(
                new SiteId(SITE),
                List.of(KafkaFleetFixture.worker(
                        node.machine(), uid, node.cluster().key().name())));
        kafka.until("machine release " + node.machine() + " --kubeconfig " + kubeconfig, each -> each.exit() == 0);
    }

    @Test
    @Order(5)
    void refusesWhileAnAttemptIsOpen() throws Exception {
        leaveBehind(OVER);
        Path policy = Files.writeString(folder.resolve("policy.yaml"), """
            apiVersion: flotilla.dev/v1
            kind: Policy
            metadata: {name: fleet}
            spec: {caps: {inFlight: 1}}
            """);
        Path campaign = Files.writeString(folder.resolve("campaign.yaml"), """
            apiVersion: flotilla.dev/v1
            kind: Campaign
            metadata: {name: spring}
            spec: {target: {option: revision=1100}, select: {}, cluster: {maxUnavailable: 100%}}
            """);
        assertThat(kafka.run("policy apply --wait 30 " + policy).exit()).isZero();
        assertThat(kafka.run("campaign apply --wait 30 " + campaign).exit()).isZero();
        kafka.until("fleet status -o json", cliResult -> cliResult.json().contains("\"inFlight\":1"));

        CliResult cliResult = runWithKafka("machine release");

        assertThat(cliResult.exit()).as(cliResult.all()).isEqualTo(ExitCode.NO);
        assertThat(cliResult.err()).containsPattern("attempt [0-9]+ of campaign spring is open \\(admitted");
        assertThat(machine()).contains("flotilla.dev/attempt");
    }

    @Test
    @Order(6)
    void namesAMissingMachineAndAnUnreachableServer() throws Exception {
        CliResult absent =
                CliResult.flotilla("machine", "trust", SITE + "/fleet/none", "--kubeconfig", kubeconfig.toString());
        assertThat(absent.exit()).isEqualTo(ExitCode.NO);
        assertThat(absent.err()).contains("there is no Machine " + SITE + "/fleet/none at https://");
        Path unreachable = Files.writeString(
                folder.resolve("nobody"),
                Files.readString(kubeconfig).replaceAll("https://[^\\s\"']+", "https://127.0.0.1:1"));
        CliResult result = CliResult.flotilla(
                "machine", "trust", node.machine().toString(), "--kubeconfig", unreachable.toString());
        assertThat(result.exit()).as(result.all()).isEqualTo(ExitCode.UNREACHABLE);
        assertThat(result.err()).contains("https://127.0.0.1:1").contains("kubectl");
    }

    @Test
    @Order(7)
    void siteLeavesStepByStep() throws Exception {
        String leave = "site leave " + SITE + " --reason closing --kubeconfig " + kubeconfig;
        CliResult first = kafka.run(leave);
        assertThat(first.exit()).as(first.all()).isEqualTo(ExitCode.NO);
        assertThat(first.out()).contains("1 machines are in flight");
        assertThat(kafka.run("site list").out()).contains("frozen");

        Matcher open = Pattern.compile("attempt ([0-9]+) of")
                .matcher(runWithKafka("machine release").err());
        assertThat(open.find()).isTrue();
        kafka.write(List.of(new AttemptProgress(
                node.machine(),
                uid,
                Long.parseLong(open.group(1)),
                new AttemptReport.Cancelled(),
                Instant.now().truncatedTo(ChronoUnit.MILLIS))));
        kafka.until(
                leave,
                cliResult -> cliResult
                        .out()
                        .contains("1 Machines have guard annotations of a worker that" + " no longer runs"));
        assertThat(runWithKafka("machine release").exit()).isZero();
        CliResult last = kafka.run(leave);
        assertThat(last.exit()).as(last.all()).isZero();
        assertThat(last.out())
                .contains(
                        "the site is removed",
                        "helm uninstall flotilla-site -n flotilla --kubeconfig " + kubeconfig,
                        "kubectl --kubeconfig " + kubeconfig + " delete -f deploy/management-watcher/intercept.yaml");
    }

    private static <T> T get(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }
}
