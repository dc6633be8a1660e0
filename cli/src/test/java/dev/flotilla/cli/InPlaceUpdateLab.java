package dev.flotilla.cli;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.testkit.cert.CertificateAuthority;
import dev.flotilla.testkit.clusterapi.ClusterApiManagers;
import dev.flotilla.testkit.clusterapi.ClusterApiRelease;
import dev.flotilla.testkit.clusterapi.InMemoryCluster;
import dev.flotilla.testkit.kafka.FreePorts;
import dev.flotilla.testkit.kube.KubeCluster;
import dev.flotilla.testkit.kube.KubeOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The real managers of Cluster API and {@code flotilla all-in-one} with its extension. While a test waits, every change of a Machine is
 * written down, and a node that is said to be updated too early is noticed.
 */
final class InPlaceUpdateLab implements AutoCloseable {
    static final String OLD = "v1.35.0";
    static final String NEW = "v1.35.2";
    static final String EXTENSION = "cluster-api-extension";

    private static final String CORE = "/apis/cluster.x-k8s.io/v1beta2/namespaces/default/";
    private static final String CONTROL_PLANES =
            "/apis/controlplane.cluster.x-k8s.io/v1beta2/namespaces/default/kubeadmcontrolplanes/";
    private static final String BOOTSTRAP = "/apis/bootstrap.cluster.x-k8s.io/v1beta2/namespaces/default/";
    private static final String TASKS = "/apis/flotilla.dev/v1alpha1/namespaces/default/";
    private static final String READY = "ready; Ctrl-C ends it";
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final Duration POLL = Duration.ofMillis(300);

    final KubeCluster management = KubeCluster.start(KubeOptions.apiServer());
    final ClusterApiManagers managers;
    final ClusterApiEdits edits = new ClusterApiEdits(management);
    private final KubeApiClient api;
    private final FlotillaProcess allInOne;
    private final Path folder;
    private final int port = FreePorts.next();
    private final CertificateAuthority authority = CertificateAuthority.create("extension-ca");
    private final MachineTranscript machines = new MachineTranscript();
    private int changingAtMost;
    private @Nullable String failing;

    InPlaceUpdateLab(Path folder, ClusterApiRelease release) throws IOException {
        this.folder = folder;
        managers = ClusterApiManagers.start(management, release);
        api = KubeApiClient.open(management.kubeconfig(), Duration.ofSeconds(10), 2, System::nanoTime);
        issueCertificate();
        allInOne = FlotillaProcess.start(
                Map.of(),
                "all-in-one",
                "--kubeconfig",
                management.kubeconfig().toString(),
                "--data",
                folder.resolve("data").toString(),
                "--endpoints",
                folder.resolve("endpoints.json").toString(),
                "--upgrader",
                "simulated",
                "--extension-listen",
                "127.0.0.1:" + port,
                "--extension-cert",
                file(".crt"),
                "--extension-key",
                file(".key"));
        List<String> said = allInOne.saysUpTo(READY);
        if (said.isEmpty() || !said.getLast().contains(READY)) {
            throw new IllegalStateException("all-in-one does not start: " + said);
        }
        register(port);
    }

    /** Writes a certificate of the extension, in place of the one before. */
    void issueCertificate() throws IOException {
        authority.issue("127.0.0.1").writeSeparateFiles(folder);
    }

    private String file(String suffix) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(each -> each.toString().endsWith(suffix))
                    .findFirst()
                    .orElseThrow()
                    .toString();
        }
    }

    private void register(int extensionPort) {
        management.merge(
                "/api/v1/namespaces/default", "{\"metadata\":{\"labels\":{\"flotilla.dev/in-place\":\"enabled\"}}}");
        management.apply("/apis/runtime.cluster.x-k8s.io/v1beta2/extensionconfigs/flotilla", """
            {apiVersion: runtime.cluster.x-k8s.io/v1beta2, kind: ExtensionConfig,
             metadata: {name: flotilla, labels: {app.kubernetes.io/part-of: flotilla}},
             spec: {clientConfig: {url: 'https://127.0.0.1:%d', caBundle: %s},
               namespaceSelector: {matchLabels: {flotilla.dev/in-place: enabled}}}}""".formatted(
                extensionPort,
                Base64.getEncoder().encodeToString(authority.certificate().getBytes(StandardCharsets.US_ASCII))));
        await(
                "the discovery of the extension",
                () -> read("/apis/runtime.cluster.x-k8s.io/v1beta2/extensionconfigs/flotilla")
                        .isCondition("Discovered", "True"));
    }

    /** Creates clusters at the old version, and waits for their machines. */
    void createClusters(int controlPlanes, int workers, int maxSurge, String... names) {
        for (String name : names) {
            management.apply(new InMemoryCluster("default", name, OLD, controlPlanes, workers).manifests());
            management.merge(
                    CORE + "machinedeployments/" + name + "-workers",
                    "{\"spec\":{\"rollout\":{\"strategy\":{\"type\":\"RollingUpdate\",\"rollingUpdate\":{\"maxSurge\":%d,\"maxUnavailable\":%d}}}}}"
                            .formatted(maxSurge, maxSurge == 0 ? 1 : 0));
            if (controlPlanes >= 3) {
                management.merge(
                        CONTROL_PLANES + name + "-control-plane",
                        "{\"spec\":{\"rollout\":{\"strategy\":{\"type\":\"RollingUpdate\",\"rollingUpdate\":{\"maxSurge\":%d}}}}}"
                                .formatted(maxSurge));
            }
        }
        for (String name : names) {
            await("the machines of " + name, () -> isAt(name, OLD, controlPlanes + workers));
        }
    }

    /** Whether a cluster has so many machines, and all of them are ready, up to date and at a version. */
    boolean isAt(String cluster, String version, int count) {
        List<KubeObject> machines = machines(cluster);
        return machines.size() == count
                && machines.stream()
                        .allMatch(machine -> machine.isCondition("UpToDate", "True")
                                && machine.isCondition("Ready", "True")
                                && !isUpdating(machine)
                                && version.equals(machine.text("status", "nodeInfo", "kubeletVersion")));
    }

    /** Whether each machine's bootstrap object has a content in its file. */
    boolean haveFile(String cluster, String content) {
        return machines(cluster).stream()
                .allMatch(machine -> KubeObject.toJsonText(read(BOOTSTRAP + "kubeadmconfigs/"
                                        + machine.text("spec", "bootstrap", "configRef", "name"))
                                .json())
                        .contains("\"content\":\"" + content + "\""));
    }

    /** Whether all workers of a cluster are ready and at a version. */
    boolean areWorkersAt(String cluster, String version) {
        List<KubeObject> workers = machines(cluster).stream()
                .filter(machine -> machine.name().startsWith(cluster + "-workers"))
                .toList();
        return !workers.isEmpty()
                && workers.stream()
                        .allMatch(machine -> version.equals(machine.text("status", "nodeInfo", "kubeletVersion"))
                                && !isUpdating(machine)
                                && machine.isCondition("Ready", "True"));
    }

    /** Waits until all machines of a cluster are at a version. */
    void awaitAt(String cluster, String version, int count) {
        await(cluster + " at " + version, () -> isAt(cluster, version, count));
    }

    List<KubeObject> machines(String cluster) {
        return list(CORE + "machines").stream()
                .filter(machine -> machine.name().startsWith(cluster + "-"))
                .toList();
    }

    /** Returns the machines of a cluster by name, with their uids. */
    Map<String, String> uids(String cluster) {
        Map<String, String> uids = new TreeMap<>();
        machines(cluster).forEach(machine -> uids.put(machine.name(), machine.uid()));
        return uids;
    }

    /** Asks for a version of the control plane of a cluster with an UpgradeTask, and waits for its end. */
    void upgradeControlPlaneByTask(String cluster, String version) {
        String task = TASKS + "upgradetasks/" + cluster + "-by-task";
        management.apply(task, """
                apiVersion: flotilla.dev/v1alpha1
                kind: UpgradeTask
                metadata: {name: %1$s-by-task, namespace: default}
                spec:
                  clusterName: %1$s
                  controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: KubeadmControlPlane, name: %1$s-control-plane}
                  target: {version: %2$s}
                """.formatted(cluster, version));
        await("the task of " + cluster, () -> "Completed".equals(read(task).text("status", "phase")));
    }

    /** Returns how many NodeUpgrades there were for each machine of a cluster. */
    Map<String, Integer> upgradesOf(String cluster) {
        Map<String, Integer> upgrades = new TreeMap<>();
        list(TASKS + "nodeupgrades").forEach(each -> {
            String machine = each.text("spec", "machine", "name");
            if (machine != null && machine.startsWith(cluster + "-")) {
                upgrades.merge(machine, 1, Integer::sum);
            }
        });
        return upgrades;
    }

    /** Returns the version that the control plane of a cluster is to have. */
    String controlPlaneVersion(String cluster) {
        return String.valueOf(read(CONTROL_PLANES + cluster + "-control-plane").text("spec", "version"));
    }

    List<KubeObject> tasks(String cluster) {
        return list(TASKS + "upgradetasks").stream()
                .filter(task -> task.name().startsWith(cluster + "-"))
                .toList();
    }

    /** Returns the machines whose nodes are changed now. */
    List<String> changing() {
        return list(TASKS + "nodeupgrades").stream()
                .filter(each -> !List.of("Succeeded", "Failed", "Aborted")
                        .contains(String.valueOf(each.text("status", "phase"))))
                .map(each -> String.valueOf(each.text("spec", "machine", "name")))
                .toList();
    }

    int changingAtMost() {
        return changingAtMost;
    }

    /** Whether a machine is being updated as Cluster API sees it. */
    boolean isUpdating(KubeObject machine) {
        return MachineTranscript.isUpdating(machine);
    }

    void delete(KubeObject machine) {
        management.delete(CORE + "machines/" + machine.name());
    }

    private List<KubeObject> list(String path) {
        return api.get(path) instanceof KubeResponse.SuccessResponse list
                ? list.object().list("items")
                : List.of();
    }

    private KubeObject read(String path) {
        return api.get(path) instanceof KubeResponse.SuccessResponse found ? found.object() : KubeObject.EMPTY;
    }

    /** As {@code kill -9}; all-in-one starts another one. */
    void kill(String command) {
        process(command).destroyForcibly();
    }

    /** Runs a command of Flotilla against the broker, which must succeed. */
    String flotilla(String... args) throws IOException {
        Matcher bootstrap = Pattern.compile("\"bootstrapServers\": *\"([^\"]+)\"")
                .matcher(Files.readString(folder.resolve("endpoints.json")));
        if (!bootstrap.find()) {
            throw new IllegalStateException("no bootstrap in the endpoints");
        }
        List<String> command = new ArrayList<>(List.of(args));
        command.addAll(List.of("--bootstrap", bootstrap.group(1)));
        CliResult result = CliResult.flotilla(command.toArray(String[]::new));
        if (result.exit() != 0) {
            throw new AssertionError(String.join(" ", args) + ": " + result.all());
        }
        return result.out();
    }

    /** Removes the registration of the extension. */
    void unregister() {
        management.delete("/apis/runtime.cluster.x-k8s.io/v1beta2/extensionconfigs/flotilla");
    }

    void register() {
        register(port);
    }

    /** Sends a signal, such as {@code STOP}. */
    void signal(String command, String signal) throws IOException, InterruptedException {
        FlotillaProcess.signal(process(command), signal);
    }

    private ProcessHandle process(String command) {
        List<ProcessHandle> found = new ArrayList<>();
        await(command, () -> allInOne.child(command).map(found::add).orElse(false));
        return found.getFirst();
    }

    /** Waits, and writes down what changes meanwhile. */
    void await(String what, BooleanSupplier condition) {
        await(what, PATIENCE, condition);
    }

    void await(String what, Duration patience, BooleanSupplier condition) {
        long end = System.nanoTime() + patience.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("waited too long for " + what + "\n" + describe());
            }
            observe();
            LockSupport.parkNanos(POLL.toNanos());
        }
        observe();
    }

    /** Watches for a time in which nothing in particular is awaited. */
    void watchFor(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        await("the end of " + time, time.plus(PATIENCE), () -> System.nanoTime() > end);
    }

    /** From now on upgrades of the machines whose names begin so fail, as if their upgrader said so; null for none. */
    void failUpgradesOf(@Nullable String machines) {
        failing = machines;
    }

    private void failUpgrade(KubeObject upgrade) {
        String machine = String.valueOf(upgrade.text("spec", "machine", "name"));
        String phase = upgrade.text("status", "phase");
        if (failing != null && machine.startsWith(failing) && (phase == null || phase.equals("Running"))) {
            management.merge(
                    TASKS + "nodeupgrades/" + upgrade.name() + "/status",
                    "{\"status\":{\"phase\":\"Failed\",\"retryable\":false,\"failureReason\":\"InTest\",\"failureMessage\":\"the test fails it\"}}");
        }
    }

    private void observe() {
        list(TASKS + "nodeupgrades").forEach(this::failUpgrade);
        changingAtMost = Math.max(changingAtMost, changing().size());
        machines.observe(list(CORE + "machines"));
    }

    List<String> transcript() {
        return machines.lines();
    }

    /** Returns what must not have happened. */
    List<String> violations() {
        return machines.violations();
    }

    private String describe() {
        List<String> lines = new ArrayList<>(machines.lines());
        for (String kinds : List.of("upgradetasks", "nodeupgrades")) {
            list(TASKS + kinds)
                    .forEach(each -> lines.add(kinds + " " + each.name() + " "
                            + KubeObject.toJsonText(each.object("status").json())));
        }
        return String.join("\n", lines);
    }

    @Override
    public void close() throws IOException {
        List<ProcessHandle> children = allInOne.children();
        allInOne.close();
        children.forEach(ProcessHandle::destroyForcibly);
        api.close();
        managers.close();
        management.close();
    }
}
