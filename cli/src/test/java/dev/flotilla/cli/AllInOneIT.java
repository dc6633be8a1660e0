package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.testkit.kube.KubeBinaries;
import dev.flotilla.testkit.kube.KubeCluster;
import dev.flotilla.testkit.kube.KubeOptions;
import dev.flotilla.testkit.tables.TableReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** {@code flotilla all-in-one} in front of a real API server, with a workload cluster whose kubelets are not there. */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class AllInOneIT {
    private static final String CAPI = "/apis/cluster.x-k8s.io/v1beta2/namespaces/fleet/";
    private static final String FLOTILLA = "/apis/flotilla.dev/v1alpha1/namespaces/fleet/";
    private static final String STATUS = "v1beta2.k8sd.io/in-place-upgrade-status";
    private static final String READY = "ready; Ctrl-C ends it";
    private static final String TARGET = "v1.36.9";
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    @TempDir
    private Path folder;

    private final KubeCluster management =
            KubeCluster.start(KubeOptions.apiServer()).withClusterApi();
    private final KubeCluster workload =
            KubeCluster.start(KubeOptions.apiServer().withNodes());
    private KubeApiClient api;

    @BeforeEach
    void createMachines() throws IOException {
        api = KubeApiClient.open(management.kubeconfig(), Duration.ofSeconds(10), 2, System::nanoTime);
        management.apply("/api/v1/namespaces/fleet", "{apiVersion: v1, kind: Namespace, metadata: {name: fleet}}");
        management.apply(CAPI + "clusters/blue", """
            {apiVersion: cluster.x-k8s.io/v1beta2, kind: Cluster, metadata: {name: blue, namespace: fleet}, spec: {}}""");
        management.apply("/api/v1/namespaces/fleet/secrets/blue-kubeconfig", """
            {apiVersion: v1, kind: Secret, metadata: {name: blue-kubeconfig, namespace: fleet}, data: {value: %s}}""".formatted(Base64.getEncoder()
                .encodeToString(Files.readString(workload.kubeconfig()).getBytes(StandardCharsets.UTF_8))));
        management.apply(CAPI + "machines/w-1", """
            {apiVersion: cluster.x-k8s.io/v1beta2, kind: Machine, metadata: {name: w-1, namespace: fleet,
               labels: {cluster.x-k8s.io/cluster-name: blue}},
             spec: {clusterName: blue,
               bootstrap: {configRef: {apiGroup: bootstrap.cluster.x-k8s.io, kind: KubeadmConfig, name: w-1}},
               infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: M, name: m}}}""");
        management.apply(CAPI + "machines/w-1/status", """
            {apiVersion: cluster.x-k8s.io/v1beta2, kind: Machine, metadata: {name: w-1, namespace: fleet},
             status: {nodeRef: {name: w-1}, nodeInfo: {kubeletVersion: v1.36.2}}}""");
        workload.apply("/api/v1/nodes/w-1", "{apiVersion: v1, kind: Node, metadata: {name: w-1}}");
        try (KubeApiClient nodes =
                KubeApiClient.open(workload.kubeconfig(), Duration.ofSeconds(10), 1, System::nanoTime)) {
            await(
                    "a Ready node",
                    () -> nodes.get("/api/v1/nodes/w-1") instanceof KubeResponse.SuccessResponse node
                            && node.object().isCondition("Ready", "True"));
        }
        // Only now, because kwok gives a Node that becomes ready a version of its own.
        workload.apply("/api/v1/nodes/w-1/status", """
            {apiVersion: v1, kind: Node, metadata: {name: w-1}, status: {nodeInfo: {kubeletVersion: v1.36.2},
               addresses: [{type: InternalIP, address: 10.0.0.1}]}}""");
    }

    @AfterEach
    void close() {
        api.close();
        management.close();
        workload.close();
    }

    @Tag("nightly")
    @Test
    void goesOnWithItsDataAfterItWasKilledInTheMiddleOfAnUpgrade() throws Exception {
        Path endpoints = folder.resolve("endpoints.json");
        List<ProcessHandle> children = new ArrayList<>();
        try (FlotillaProcess first = start(endpoints)) {
            assertThat(first.saysUpTo(READY)).anyMatch(line -> line.contains(READY));
            assertThat(first.printed().stream().map(this::asInReadme).toList()).containsSubsequence(readmeLines());
            assertThat(Files.readString(endpoints)).contains("bootstrapServers", "\"orchestrator\"", "\"simulated\"");
            management.merge(
                    CAPI + "machines/w-1",
                    "{\"metadata\":{\"annotations\":{\"flotilla.dev/upgrade-to\":\"version=" + TARGET + "\"}}}");
            await("a NodeUpgrade", () -> !nodeUpgrades().isEmpty());
            children.addAll(first.children());
            first.kill();
        }
        assertThat(children).hasSizeGreaterThan(4);
        await("the end of all processes", () -> children.stream().noneMatch(ProcessHandle::isAlive));

        try (FlotillaProcess second = start(endpoints)) {
            assertThat(second.saysUpTo(READY)).anyMatch(line -> line.contains(READY));
            await("the upgrade", () -> "done".equals(machine().text("metadata", "annotations", STATUS)));
            children.clear();
            children.addAll(second.children());
            second.interrupt();
            assertThat(second.exit()).isEqualTo(143);
        }

        assertThat(nodeUpgrades()).singleElement().satisfies(upgrade -> {
            assertThat(upgrade.text("status", "phase")).isEqualTo("Succeeded");
            assertThat(upgrade.list("status", "steps").getFirst().text("name")).isEqualTo("simulated");
        });
        assertThat(children).noneMatch(ProcessHandle::isAlive);
    }

    @Tag("nightly")
    @Test
    void preparesAMachineAheadOfItsWindow() throws Exception {
        Path endpoints = folder.resolve("endpoints.json");
        try (FlotillaProcess process = start(endpoints)) {
            assertThat(process.saysUpTo(READY)).anyMatch(line -> line.contains(READY));
            Matcher address =
                    Pattern.compile("\"bootstrapServers\"\\s*:\\s*\"([^\"]+)\"").matcher(Files.readString(endpoints));
            assertThat(address.find()).isTrue();
            String bootstrap = address.group(1);

            applyCampaign(
                    bootstrap,
                    "  windows: [{from: '%s', to: '%s', zone: Etc/UTC}]\n".formatted(inHours(3), inHours(4)));
            await("the end of the preparation", () -> succeeded("Prepare") == 1);
            assertThat(nodeUpgrades()).hasSize(1);
            assertThat(kubeletVersion()).isEqualTo("v1.36.2");

            applyCampaign(bootstrap, "");
            await("the end of the upgrade", () -> succeeded("Upgrade") == 1);
            assertThat(nodeUpgrades()).hasSize(2);
            assertThat(kubeletVersion()).isEqualTo(TARGET);
            assertThat(commands(bootstrap))
                    .anyMatch(command -> command instanceof WorkerCommand.PrepareMachine)
                    .allMatch(
                            command -> !(command instanceof WorkerCommand.UpgradeMachine upgrade) || upgrade.prepared())
                    .anyMatch(command -> command instanceof WorkerCommand.UpgradeMachine);
        }
    }

    @Test
    void saysBeforeItStartsAnythingWhatTheUserOfTheKubeconfigMayNotDo() throws IOException {
        String role = "/apis/rbac.authorization.k8s.io/v1/clusterroles/reads-machines";
        Path kubeconfig = management.kubeconfig("ada", "readers");
        assertThat(refusal(kubeconfig))
                .contains("the clusters of " + management.url(), "cannot be read: 403 ")
                .contains("Use a kubeconfig whose user may read and write them");

        management.apply(role, """
            {apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: reads-machines},
             rules: [{apiGroups: [cluster.x-k8s.io], resources: ['*'], verbs: [list]}]}""");
        management.apply(role.replace("clusterroles", "clusterrolebindings"), """
            {apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding, metadata: {name: reads-machines},
             roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: reads-machines},
             subjects: [{apiGroup: rbac.authorization.k8s.io, kind: Group, name: readers}]}""");
        await("the right to read machines", () -> !refusal(kubeconfig).contains("the clusters of "));
        assertThat(refusal(kubeconfig))
                .contains(".flotilla.dev cannot be read: 403 ")
                .doesNotContain("kubectl apply");
    }

    private String refusal(Path kubeconfig) {
        CliResult result = CliResult.flotilla(
                "all-in-one",
                "--no-crds",
                "--kubeconfig",
                kubeconfig.toString(),
                "--data",
                folder.resolve("data").toString());
        assertThat(result.exit()).as(result.all()).isEqualTo(3);
        assertThat(result.err()).doesNotContain("starting the broker");
        return result.err();
    }

    private static String inHours(int hours) {
        return LocalTime.now(ZoneOffset.UTC)
                .plusHours(hours)
                .truncatedTo(ChronoUnit.MINUTES)
                .toString();
    }

    private void applyCampaign(String bootstrap, String more) throws Exception {
        Path file = folder.resolve("campaign.yaml");
        Files.writeString(file, """
                apiVersion: flotilla.dev/v1
                kind: Campaign
                metadata: {name: up}
                spec:
                  target: {option: version=%s}
                  select: {}
                  prepare: {before: 12h}
                """.formatted(TARGET) + more);
        try (FlotillaProcess apply =
                FlotillaProcess.start(Map.of(), "campaign", "apply", file.toString(), "--bootstrap", bootstrap)) {
            assertThat(apply.exit()).isZero();
        }
    }

    private long succeeded(String stage) {
        return nodeUpgrades().stream()
                .filter(upgrade -> stage.equals(upgrade.text("spec", "stage"))
                        && "Succeeded".equals(upgrade.text("status", "phase")))
                .count();
    }

    private String kubeletVersion() throws IOException {
        try (KubeApiClient nodes =
                KubeApiClient.open(workload.kubeconfig(), Duration.ofSeconds(10), 1, System::nanoTime)) {
            KubeObject node =
                    ((KubeResponse.SuccessResponse) Objects.requireNonNull(nodes.get("/api/v1/nodes/w-1"))).object();
            return Objects.requireNonNull(node.text("status", "nodeInfo", "kubeletVersion"));
        }
    }

    private static List<WorkerCommand> commands(String bootstrap) {
        List<TablePartition> partitions = IntStream.range(0, Table.COMMANDS.partitions())
                .mapToObj(number -> new TablePartition(Table.COMMANDS, new SiteId("local"), number))
                .toList();
        try (TableReader reader = new TableReader(bootstrap, partitions)) {
            return reader.readToEnd().stream()
                    .<Object>map(each -> each.rowChange())
                    .filter(WorkerCommand.class::isInstance)
                    .map(WorkerCommand.class::cast)
                    .toList();
        }
    }

    private FlotillaProcess start(Path endpoints) throws IOException {
        return FlotillaProcess.start(
                Map.of(),
                "all-in-one",
                "--kubeconfig",
                management.kubeconfig().toString(),
                "--data",
                folder.resolve("data").toString(),
                "--upgrader",
                "simulated",
                "--endpoints",
                endpoints.toString());
    }

    /** What README shows that the command prints. */
    private static List<String> readmeLines() throws IOException {
        List<String> lines = Files.readString(CliResult.ROOT.resolve("README.md"))
                .lines()
                .dropWhile(line -> !line.startsWith("$ ./flotilla all-in-one"))
                .skip(1)
                .takeWhile(line -> !line.equals("```"))
                // A simulated upgrader brings its template.
                .filter(line -> !line.startsWith("No machine with provider node-upgrade starts"))
                .map(AllInOneIT::withoutPorts)
                .toList();
        assertThat(lines).hasSizeGreaterThan(3);
        return lines;
    }

    /** Returns a printed line with README's file names. */
    private String asInReadme(String line) {
        return withoutPorts(line)
                .replace(folder.resolve("data").toString(), "/home/ada/.local/share/flotilla")
                .replace(management.kubeconfig().toString(), "management.kubeconfig");
    }

    private static String withoutPorts(String line) {
        return line.replaceAll("127\\.0\\.0\\.1:[0-9]+", "127.0.0.1:PORT");
    }

    private List<KubeObject> nodeUpgrades() {
        return read(FLOTILLA + "nodeupgrades").list("items");
    }

    private KubeObject machine() {
        return read(CAPI + "machines/w-1");
    }

    private KubeObject read(String path) {
        return ((KubeResponse.SuccessResponse) Objects.requireNonNull(api.get(path))).object();
    }

    private static void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("waited too long for " + what);
            }
        }
    }
}
