package dev.flotilla.cli;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.testkit.kube.KubeBinaries;
import dev.flotilla.testkit.kube.KubeCluster;
import dev.flotilla.testkit.kube.KubeOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * {@code flotilla all-in-one} in front of a real management cluster, with nodes that have no kubelets. The test plays Cluster API,
 * which copies what the nodes report into the Machines.
 */
final class UpgradeTaskFleet implements AutoCloseable {
    static final String TARGET = "v1.36.3";
    private static final String OLD = "v1.35.4";
    private static final String CAPI = "/apis/cluster.x-k8s.io/v1beta2/namespaces/fleet/";
    private static final String PLANES =
            "/apis/controlplane.cluster.x-k8s.io/v1beta2/namespaces/fleet/kubeadmcontrolplanes";
    private static final String READY = "ready; Ctrl-C ends it";
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final String MACHINE_COLUMNS =
            "custom-columns=NAME:.metadata.name,KUBELET:.status.nodeInfo.kubeletVersion,"
                    + "UPTODATE:.status.conditions[?(@.type==\"MachineUpToDate\")].reason";

    private static final Duration LEASES = Duration.ofSeconds(3);
    private static final DateTimeFormatter LEASE_TIME = DateTimeFormatter.ofPattern(
                    "yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private final KubeCluster management =
            KubeCluster.start(KubeOptions.apiServer()).withClusterApi();
    private final KubeCluster workload =
            KubeCluster.start(KubeOptions.apiServer().withNodes());
    private final KubeApiClient api;
    private final KubeApiClient nodesApi;
    private final FlotillaProcess allInOne;
    private final Map<String, String> versions = new LinkedHashMap<>();
    private long renewedAt = System.nanoTime() - LEASES.toNanos();
    private final List<String> transcript = new ArrayList<>();
    private final ConcurrentLinkedQueue<Process> watches = new ConcurrentLinkedQueue<>();

    /** @param clusters their names, with the number of their members and workers, such as {@code blue 3 3} */
    UpgradeTaskFleet(Path folder, String... clusters) throws IOException {
        api = KubeApiClient.open(management.kubeconfig(), Duration.ofSeconds(10), 2, System::nanoTime);
        nodesApi = KubeApiClient.open(workload.kubeconfig(), Duration.ofSeconds(10), 2, System::nanoTime);
        management.apply("/api/v1/namespaces/fleet", "{apiVersion: v1, kind: Namespace, metadata: {name: fleet}}");
        for (String cluster : clusters) {
            String[] words = cluster.split(" ");
            createCluster(words[0], Integer.parseInt(words[1]), Integer.parseInt(words[2]));
        }
        allInOne = FlotillaProcess.start(
                Map.of(),
                "all-in-one",
                "--kubeconfig",
                management.kubeconfig().toString(),
                "--site",
                "lab",
                "--data",
                folder.resolve("data").toString(),
                "--upgrader",
                "simulated",
                "--endpoints",
                folder.resolve("endpoints.json").toString());
        List<String> said = allInOne.saysUpTo(READY);
        if (said.isEmpty() || !said.getLast().contains(READY)) {
            throw new IllegalStateException("all-in-one does not start: " + said);
        }
    }

    private void createCluster(String name, int members, int workers) throws IOException {
        management.apply(CAPI + "clusters/" + name, """
                {apiVersion: cluster.x-k8s.io/v1beta2, kind: Cluster, metadata: {name: %s, namespace: fleet}, spec: {}}""".formatted(name));
        String kubeconfig = Base64.getEncoder()
                .encodeToString(Files.readString(workload.kubeconfig()).getBytes(StandardCharsets.UTF_8));
        management.apply("/api/v1/namespaces/fleet/secrets/" + name + "-kubeconfig", """
                {apiVersion: v1, kind: Secret, metadata: {name: %s-kubeconfig, namespace: fleet}, data: {value: %s}}""".formatted(name, kubeconfig));
        if (members > 0) {
            createMembers(name, members);
        }
        management.apply(CAPI + "machinedeployments/" + name + "-workers", """
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: MachineDeployment
                metadata: {name: %1$s-workers, namespace: fleet, labels: {cluster.x-k8s.io/cluster-name: %1$s}}
                spec:
                  clusterName: %1$s
                  replicas: %2$d
                  selector: {matchLabels: {pool: %1$s-workers}}
                  template:
                    spec:
                      clusterName: %1$s
                      bootstrap: {dataSecretName: none}
                      infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: M, name: m}
                """.formatted(name, workers));
        management.apply(CAPI + "machinedeployments/" + name + "-workers/status", """
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: MachineDeployment
                metadata: {name: %s-workers, namespace: fleet}
                status: {replicas: %2$d, readyReplicas: %2$d, upToDateReplicas: %2$d}
                """.formatted(name, workers));
        for (int i = 0; i < workers; i++) {
            createMachine(
                    name,
                    name + "-workers-" + i,
                    "cluster.x-k8s.io/deployment-name: " + name + "-workers, pool: " + name + "-workers",
                    "[]",
                    "");
        }
    }

    private void createMembers(String name, int members) {
        String plane = """
                apiVersion: controlplane.cluster.x-k8s.io/v1beta2
                kind: KubeadmControlPlane
                metadata: {name: %1$s-cp, namespace: fleet, labels: {cluster.x-k8s.io/cluster-name: %1$s}}
                """.formatted(name);
        management.apply(
                PLANES + "/" + name + "-cp", plane + "spec: {replicas: %d, version: %s}".formatted(members, OLD));
        management.apply(
                PLANES + "/" + name + "-cp/status",
                plane + "status: {replicas: %1$d, readyReplicas: %1$d, upToDateReplicas: %1$d}".formatted(members));
        String uid = read(PLANES + "/" + name + "-cp").uid();
        List<String> endpoints = new ArrayList<>();
        for (int i = 0; i < members; i++) {
            createMachine(
                    name,
                    name + "-cp-" + i,
                    "cluster.x-k8s.io/control-plane: '', cluster.x-k8s.io/control-plane-name: " + name + "-cp",
                    """
                    [{apiVersion: controlplane.cluster.x-k8s.io/v1beta2, kind: KubeadmControlPlane, name: %s-cp, uid: %s, controller: true}]""".formatted(name, uid),
                    ", labels: {node-role.kubernetes.io/control-plane: ''}");
            endpoints.add("{addresses: [10.0.0." + versions.size() + "], conditions: {ready: true}}");
        }
        workload.apply("/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes", """
                {apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, addressType: IPv4, metadata: {name: kubernetes,
                  namespace: default, labels: {kubernetes.io/service-name: kubernetes}}, endpoints: [%s]}""".formatted(
                        String.join(", ", endpoints)));
    }

    private void createMachine(String cluster, String name, String labels, String owners, String nodeMetadata) {
        management.apply(CAPI + "machines/" + name, """
                {apiVersion: cluster.x-k8s.io/v1beta2, kind: Machine, metadata: {name: %1$s, namespace: fleet,
                   labels: {cluster.x-k8s.io/cluster-name: %2$s, %3$s}, ownerReferences: %4$s},
                 spec: {clusterName: %2$s, version: %5$s,
                   bootstrap: {configRef: {apiGroup: bootstrap.cluster.x-k8s.io, kind: KubeadmConfig, name: %1$s}},
                   infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: M, name: m}}}""".formatted(name, cluster, labels, owners, OLD));
        String node = "/api/v1/nodes/" + name;
        workload.apply(node, "{apiVersion: v1, kind: Node, metadata: {name: %s%s}}".formatted(name, nodeMetadata));
        await(
                "a Ready node",
                () -> nodesApi.get(node) instanceof KubeResponse.SuccessResponse found
                        && found.object().isCondition("Ready", "True"));
        versions.put(name, "");
        // Only now, because kwok gives a Node that becomes ready a version of its own.
        workload.apply(node + "/status", """
                {apiVersion: v1, kind: Node, metadata: {name: %s}, status: {nodeInfo: {kubeletVersion: %s},
                   addresses: [{type: InternalIP, address: 10.0.0.%d}]}}""".formatted(name, OLD, versions.size()));
        playClusterApi();
    }

    /** Renews the leases of all nodes, as their kubelets do. */
    private void playKubelets() {
        long now = System.nanoTime();
        if (now - renewedAt < LEASES.toNanos()) {
            return;
        }
        renewedAt = now;
        for (String node : versions.keySet()) {
            workload.apply("/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/" + node, """
                    {apiVersion: coordination.k8s.io/v1, kind: Lease, metadata: {name: %1$s, namespace: kube-node-lease},
                     spec: {holderIdentity: %1$s, leaseDurationSeconds: 40, renewTime: "%2$s"}}""".formatted(
                            node, LEASE_TIME.format(Instant.now())));
        }
    }

    /** Copies the version of each node into its Machine. */
    private void playClusterApi() {
        versions.replaceAll((machine, before) -> {
            String version = read(nodesApi, "/api/v1/nodes/" + machine) instanceof KubeObject node
                    ? Objects.requireNonNullElse(node.text("status", "nodeInfo", "kubeletVersion"), "")
                    : before;
            if (version.equals(before) || read(api, CAPI + "machines/" + machine) == null) {
                return before;
            }
            management.apply(CAPI + "machines/" + machine + "/status", """
                    apiVersion: cluster.x-k8s.io/v1beta2
                    kind: Machine
                    metadata: {name: %1$s, namespace: fleet}
                    status:
                      nodeRef: {name: %1$s}
                      nodeInfo: {kubeletVersion: %2$s, architecture: amd64, systemUUID: ''}
                      conditions:
                        - {type: NodeReady, status: 'True', reason: NodeReady, message: '', lastTransitionTime: '2026-01-01T00:00:00Z'}
                    """.formatted(machine, version));
            return version;
        });
    }

    /** Waits, and plays Cluster API meanwhile. */
    void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("waited too long for " + what + "\n"
                        + value("ut", "{.items[*].status.machines[*].needs}") + "\n" + String.join("\n", transcript()));
            }
            playKubelets();
            playClusterApi();
        }
    }

    /** Runs kubectl, which must succeed; returns its output. */
    String kubectl(String input, String... arguments) {
        try {
            Process process = startKubectl(arguments);
            try (Writer stdin = process.outputWriter()) {
                stdin.write(input);
            }
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new AssertionError("kubectl " + String.join(" ", arguments) + ": " + output);
            }
            return output;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private Process startKubectl(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(
                List.of(KubeBinaries.find().orElseThrow().kubectl().toString(), "-n", "fleet"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("KUBECONFIG", management.kubeconfig().toString());
        return builder.start();
    }

    /** Begins to write down what {@code kubectl get -w} prints of tasks, NodeUpgrades and Machines of a name. */
    void watch(String name) throws IOException {
        watches.forEach(Process::destroyForcibly);
        synchronized (transcript) {
            transcript.clear();
        }
        watch("ut", name, "get", "ut", "-w");
        watch("nodeupgrade", name, "get", "nodeupgrade", "-w");
        watch("machine", name, "get", "machines", "-w", "-o", MACHINE_COLUMNS);
    }

    private void watch(String kind, String name, String... arguments) throws IOException {
        Process process = startKubectl(arguments);
        watches.add(process);
        Thread.ofVirtual().name("watch of " + kind).start(() -> {
            try (BufferedReader out = process.inputReader()) {
                Map<String, String> shownLast = new HashMap<>();
                for (String line = out.readLine(); line != null; line = out.readLine()) {
                    String[] words = line.split("\\s+");
                    boolean isShown = line.startsWith("NAME") || line.startsWith(name);
                    // The age alone is no news.
                    String news = kind.equals("machine") ? line.strip() : withoutAge(words);
                    if (isShown && !news.equals(shownLast.put(words[0], news))) {
                        synchronized (transcript) {
                            transcript.add(String.format(Locale.ROOT, "%-12s %s", kind, line.stripTrailing()));
                        }
                    }
                }
            } catch (IOException e) {
                // The watch was ended.
            }
        });
    }

    private static String withoutAge(String[] words) {
        return String.join(" ", List.of(words).subList(0, words.length - 1));
    }

    List<String> transcript() {
        synchronized (transcript) {
            return List.copyOf(transcript);
        }
    }

    void apply(String manifest) {
        kubectl(manifest, "apply", "-f", "-");
    }

    void createTask(String name, String cluster, String selection) {
        apply("""
                apiVersion: flotilla.dev/v1alpha1
                kind: UpgradeTask
                metadata: {name: %s}
                spec: {clusterName: %s, target: {version: %s}, %s}
                """.formatted(name, cluster, TARGET, selection));
    }

    /** Returns a value of an object; empty for none. */
    String value(String object, String path) {
        return kubectl("", "get", object, "--ignore-not-found", "-o", "jsonpath=" + path)
                .strip();
    }

    String phase(String task) {
        return value("ut/" + task, "{.status.phase}");
    }

    /** Returns the NodeUpgrades of machines of a name, each with its machine, phase and whether it is aborted. */
    List<String> nodeUpgrades(String machines) {
        return value("nodeupgrade", "{range .items[*]}{.spec.machine.name} {.status.phase} {.spec.phase}{'\\n'}{end}")
                .lines()
                .filter(line -> line.startsWith(machines))
                .toList();
    }

    @Nullable
    KubeObject machine(String name) {
        return read(api, CAPI + "machines/" + name);
    }

    private KubeObject read(String path) {
        return Objects.requireNonNull(read(api, path), path);
    }

    private static @Nullable KubeObject read(KubeApiClient client, String path) {
        return client.get(path) instanceof KubeResponse.SuccessResponse found ? found.object() : null;
    }

    /** Returns a process of Flotilla, such as {@code node-worker}, once it runs. */
    ProcessHandle process(String command) {
        List<ProcessHandle> found = new ArrayList<>();
        await(command, () -> allInOne.child(command).map(found::add).orElse(false));
        return found.getFirst();
    }

    /** As {@code kill -9}; all-in-one starts another one. */
    void kill(String command) {
        process(command).destroyForcibly();
    }

    /** Sends a signal, such as {@code STOP}. */
    void signal(String command, String signal) throws IOException, InterruptedException {
        FlotillaProcess.signal(process(command), signal);
    }

    /** Sends a signal to the process in which NodeUpgrades are simulated. The others are its children, and go on. */
    void signalUpgrader(String signal) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + signal, Long.toString(allInOne.pid()))
                .start()
                .waitFor();
    }

    @Override
    public void close() throws IOException {
        watches.forEach(Process::destroyForcibly);
        List<ProcessHandle> children = allInOne.children();
        allInOne.close();
        children.forEach(ProcessHandle::destroyForcibly);
        api.close();
        nodesApi.close();
        management.close();
        workload.close();
    }
}
