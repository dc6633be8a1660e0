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
import dev.flotilla.testkit.kube.KubeManifest;
import dev.flotilla.testkit.kube.KubeOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
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
    private static final String TASKS = "/apis/flotilla.dev/v1alpha1/namespaces/default/";
    private static final String EXTENSION_CONFIGS = "/apis/runtime.cluster.x-k8s.io/v1beta2/extensionconfigs/";
    private static final String READY = "ready; Ctrl-C ends it";
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final Duration POLL = Duration.ofMillis(300);

    final KubeCluster management = KubeCluster.start(KubeOptions.apiServer());
    final ClusterApiManagers managers;
    final ClusterApiEdits edits = new ClusterApiEdits(management);
    final ClusterApiView view;
    private final KubeApiClient api;
    private final FlotillaProcess allInOne;
    private final Path folder;
    private final int port = FreePorts.next();
    private CertificateAuthority authority = CertificateAuthority.create("extension-ca");
    private final MachineTranscript machines = new MachineTranscript();
    private final NodesInChange nodesInChange;
    private final String report;
    private @Nullable String failing;

    /**
     * Starts everything.
     *
     * @param folder where the processes keep their data
     * @param report what the files in {@code target/cluster-api} begin with
     */
    InPlaceUpdateLab(Path folder, ClusterApiRelease release, String report) throws IOException {
        this.folder = folder;
        this.report = report;
        managers = ClusterApiManagers.start(management, release);
        management.apply(KubeManifest.parseAll(Files.readString(Path.of("../deploy/cluster-api/admission.yaml"))));
        api = KubeApiClient.open(management.kubeconfig(), Duration.ofSeconds(10), 2, System::nanoTime);
        view = new ClusterApiView(api);
        issueCertificate();
        allInOne = startAllInOne();
        try {
            List<String> said = allInOne.saysUpTo(READY);
            if (said.isEmpty() || !said.getLast().contains(READY)) {
                throw new IllegalStateException("all-in-one does not start: " + said);
            }
            register();
        } catch (RuntimeException | Error e) {
            stopProcesses();
            throw e;
        }
        nodesInChange = new NodesInChange(api, TASKS + "nodeupgrades");
    }

    private FlotillaProcess startAllInOne() throws IOException {
        return FlotillaProcess.start(
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
    }

    /** Writes a certificate of the extension, in place of the one before. */
    void issueCertificate() throws IOException {
        authority.issue("127.0.0.1").writeSeparateFiles(folder);
    }

    /** Gives the extension a certificate of another authority, and Cluster API that authority. */
    void rotateAuthority() throws IOException {
        authority = CertificateAuthority.create("another-extension-ca");
        issueCertificate();
        register();
    }

    private String file(String suffix) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(each -> each.toString().endsWith(suffix))
                    .findFirst()
                    .orElseThrow()
                    .toString();
        }
    }

    void register() {
        management.merge(
                "/api/v1/namespaces/default", "{\"metadata\":{\"labels\":{\"flotilla.dev/in-place\":\"enabled\"}}}");
        register("flotilla", "app.kubernetes.io/part-of: flotilla");
    }

    /** Registers an extension that is not Flotilla's for the same namespace; the same process answers for it. */
    void registerVendor() {
        register("vendor", "app.kubernetes.io/part-of: vendor");
    }

    private void register(String name, String label) {
        management.apply(EXTENSION_CONFIGS + name, """
            {apiVersion: runtime.cluster.x-k8s.io/v1beta2, kind: ExtensionConfig,
             metadata: {name: %s, labels: {%s}},
             spec: {clientConfig: {url: 'https://127.0.0.1:%d', caBundle: %s},
               namespaceSelector: {matchLabels: {flotilla.dev/in-place: enabled}}}}""".formatted(
                name,
                label,
                port,
                Base64.getEncoder().encodeToString(authority.certificate().getBytes(StandardCharsets.US_ASCII))));
        await(
                "the discovery of extension " + name,
                () -> view.read(EXTENSION_CONFIGS + name).isCondition("Discovered", "True"));
    }

    /** Removes the registration of the extension. */
    void unregister() {
        management.delete(EXTENSION_CONFIGS + "flotilla");
    }

    void unregisterVendor() {
        management.delete(EXTENSION_CONFIGS + "vendor");
    }

    /** Creates clusters at the old version, and waits for their machines. */
    void createClusters(int controlPlanes, int workers, int maxSurge, String... names) {
        beginClusters(controlPlanes, workers, maxSurge, names);
        for (String name : names) {
            awaitAt(name, OLD, controlPlanes + workers);
        }
    }

    /** Creates clusters at the old version. */
    void beginClusters(int controlPlanes, int workers, int maxSurge, String... names) {
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
    }

    /** Waits until all machines of a cluster are at a version. */
    void awaitAt(String cluster, String version, int count) {
        await(cluster + " at " + version, () -> view.isAt(cluster, version, count));
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
        await("the task of " + cluster, () -> "Completed".equals(view.read(task).text("status", "phase")));
    }

    /** Which nodes are changed, and were at each moment. */
    NodesInChange nodesInChange() {
        return nodesInChange;
    }

    void delete(KubeObject machine) {
        management.delete(CORE + "machines/" + machine.name());
    }

    /** As {@code kill -9}; all-in-one starts another one. */
    void kill(String command) {
        process(command).destroyForcibly();
    }

    /** The address of the broker. */
    String bootstrap() throws IOException {
        Matcher bootstrap = Pattern.compile("\"bootstrapServers\": *\"([^\"]+)\"")
                .matcher(Files.readString(folder.resolve("endpoints.json")));
        if (!bootstrap.find()) {
            throw new IllegalStateException("no bootstrap in the endpoints");
        }
        return bootstrap.group(1);
    }

    /** Runs a command of Flotilla against the broker, which must succeed. */
    String flotilla(String... args) throws IOException {
        List<String> command = new ArrayList<>(List.of(args));
        command.addAll(List.of("--bootstrap", bootstrap()));
        CliResult result = CliResult.flotilla(command.toArray(String[]::new));
        if (result.exit() != 0) {
            throw new AssertionError(String.join(" ", args) + ": " + result.all());
        }
        return result.out();
    }

    /**
     * Applies the fleet's policy, when there is the template that it names.
     *
     * @param inFlight the cap of the fleet
     * @param maxUnavailable how many workers of a cluster may be unavailable or in flight
     */
    void applyPolicy(int inFlight, int maxUnavailable) throws IOException {
        String template = TASKS + "nodeupgradetemplates/simulated";
        await("the template", () -> api.get(template) instanceof KubeResponse.SuccessResponse);
        Path policy = Files.writeString(folder.resolve("policy.yaml"), """
                apiVersion: flotilla.dev/v1
                kind: Policy
                metadata: {name: fleet}
                spec:
                  caps: {inFlight: %d}
                  intents: {maxUnavailable: %d}
                  providers:
                    - provider: node-upgrade
                      template: {apiVersion: flotilla.dev/v1alpha1, kind: NodeUpgradeTemplate, name: simulated}
                """.formatted(inFlight, maxUnavailable));
        flotilla("policy", "apply", "--wait", "60", policy.toString());
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
        if (failing != null) {
            view.nodeUpgrades().forEach(this::failUpgrade);
        }
        machines.observe(view.machines());
    }

    List<String> transcript() {
        return machines.lines();
    }

    /** Writes a line of its own into the transcript, such as what is tried. */
    void note(String line) {
        machines.note(line);
    }

    /** Writes the names and uids of a cluster's machines into the transcript. */
    void noteMachines(String cluster, String when) {
        note("machines of " + cluster + " " + when);
        view.uids(cluster).forEach((name, uid) -> note("  " + uid + "  " + name));
    }

    /** Returns what must not have happened. */
    List<String> violations() {
        return machines.violations();
    }

    private String describe() {
        List<String> lines = new ArrayList<>(machines.lines());
        for (String kinds : List.of("upgradetasks", "nodeupgrades")) {
            view.list(TASKS + kinds)
                    .forEach(each -> lines.add(kinds + " " + each.name() + " "
                            + KubeObject.toJsonText(each.object("status").json())));
        }
        return String.join("\n", lines);
    }

    private static Path reportFolder() throws IOException {
        return Files.createDirectories(Path.of("target", "cluster-api"));
    }

    private void writeReport() throws IOException {
        Path to = reportFolder();
        Files.write(to.resolve(report + "-transcript.txt"), machines.lines());
        Files.write(to.resolve(report + "-nodes.csv"), nodesInChange.csv());
    }

    /** Keeps what the processes have logged: a Machine that was replaced needs an explanation. */
    private void keepLogs(Path from) throws IOException {
        Path to = reportFolder();
        try (DirectoryStream<Path> logs = Files.newDirectoryStream(from, "*.log")) {
            for (Path log : logs) {
                Files.copy(log, to.resolve(report + "-" + log.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    @Override
    public void close() throws IOException {
        nodesInChange.close();
        stopProcesses();
        writeReport();
    }

    /** Other suites need the ports of the managers, so nothing may go on, also after a start that failed. */
    private void stopProcesses() throws IOException {
        List<ProcessHandle> children = allInOne.children();
        allInOne.close();
        children.forEach(ProcessHandle::destroyForcibly);
        api.close();
        managers.close();
        keepLogs(management.kubeconfig().getParent());
        keepLogs(folder.resolve("data"));
        management.close();
    }
}
