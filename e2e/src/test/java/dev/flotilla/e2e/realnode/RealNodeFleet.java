package dev.flotilla.e2e.realnode;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.e2e.arena.FleetTestBed;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.NodeUpgradeTemplateRef;
import dev.flotilla.schemas.row.ProviderRule;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.UpgradeProvider;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.testkit.kafka.LocalKafka;
import dev.flotilla.testkit.kube.KubeCluster;
import dev.flotilla.testkit.kube.KubeOptions;
import dev.flotilla.testkit.node.KubeadmCluster;
import dev.flotilla.testkit.process.ChildProcess;
import dev.flotilla.testkit.process.ComponentClassPaths;
import dev.flotilla.testkit.tables.TableWriter;
import dev.flotilla.testkit.tables.TopicCreator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * A real cluster of kubeadm and everything that upgrades it: a management cluster with the roles of {@code deploy/}, Kafka, and
 * orchestrator, watcher, worker and node-upgrader as processes. The test plays only Cluster API, which reports the nodes in the
 * Machines.
 */
public final class RealNodeFleet implements AutoCloseable {
    private static final SiteId SITE = new SiteId("lab");
    private static final String PRINT_FOLDER = "flotilla.e2e.folder";
    private static final String MACHINE_COLUMNS =
            "custom-columns=NAME:.metadata.name,KUBELET:.status.nodeInfo.kubeletVersion,"
                    + "READY:.status.conditions[?(@.type==\"NodeReady\")].status,"
                    + "UPTODATE:.status.conditions[?(@.type==\"MachineUpToDate\")].reason";
    private static final String ACCOUNTS = "system:serviceaccount:flotilla:flotilla-";

    private final Path folder;
    private final KubeadmCluster nodes;
    private final LocalKafka kafka;
    private final KubeCluster managementCluster;
    private final KubectlClient management;
    private final KubectlClient workload;
    private final WatchTranscript transcript = new WatchTranscript();
    private final Map<FlotillaProcess, ChildProcess> processes = new LinkedHashMap<>();
    private final List<String> nodeNames = new ArrayList<>();
    private int started;

    /** The processes of Flotilla. */
    public enum FlotillaProcess {
        ORCHESTRATOR("orchestrator", "dev.flotilla.orchestrator.Main"),
        WATCHER("management-watcher", "dev.flotilla.managementwatcher.Main"),
        WORKER("node-worker", "dev.flotilla.nodeworker.Main"),
        NODE_UPGRADER("node-upgrader", "dev.flotilla.nodeupgrader.Main");

        private final String label;
        private final String main;

        FlotillaProcess(String label, String main) {
            this.label = label;
            this.main = main;
        }

        @Override
        public String toString() {
            return label;
        }
    }

    private RealNodeFleet(String name, int controlPlanes, int workers) throws Exception {
        Path parent = Files.createDirectories(
                Path.of(System.getProperty(PRINT_FOLDER, "target/e2e")).toAbsolutePath());
        folder = Files.createTempDirectory(parent, name + "-");
        CompletableFuture<KubeadmCluster> starting = CompletableFuture.supplyAsync(
                () -> KubeadmCluster.start(KubeadmCluster.FIRST_VERSION, controlPlanes, workers));
        kafka = LocalKafka.start();
        managementCluster = KubeCluster.start(
                        // Sums up the roles of those who serve NodeUpgrades.
                        KubeOptions.apiServer().withControllers("clusterrole-aggregation-controller"))
                .withClusterApi();
        management = KubectlClient.of(managementCluster.kubeconfig(), folder);
        nodes = starting.join();
        workload = KubectlClient.of(nodes.kubeconfig(), folder);
        for (int i = 1; i <= controlPlanes + workers; i++) {
            nodeNames.add("node" + i);
        }
        deploy();
        createObjects(controlPlanes, workers);
        TopicCreator.createTopics(kafka.bootstrap(), List.of(SITE));
        writePolicy();
    }

    /** Starts a fleet of one cluster whose nodes have the first version, and all processes. */
    public static RealNodeFleet start(String name, int controlPlanes, int workers) throws Exception {
        RealNodeFleet fleet = new RealNodeFleet(name, controlPlanes, workers);
        for (FlotillaProcess each : FlotillaProcess.values()) {
            fleet.startProcess(each);
        }
        for (FlotillaProcess each : FlotillaProcess.values()) {
            fleet.process(each).awaitAddress();
        }
        fleet.watch();
        return fleet;
    }

    private void deploy() {
        management.run(
                "apply",
                "--server-side",
                "-f",
                RealNodeObjects.DEPLOY.resolve("crds").toString());
        management.run("wait", "--for=condition=Established", "--timeout=60s", "crd", "--all");
        management.apply(RealNodeObjects.KUBEADM_CONTROL_PLANES);
        management.run("create", "namespace", "flotilla");
        management.run("create", "namespace", RealNodeObjects.NAMESPACE);
        for (String file : List.of(
                "management-watcher/rbac.yaml",
                "management-watcher/upgrade-requester.yaml",
                "node-worker/rbac-management.yaml",
                "node-upgrader/rbac-management.yaml")) {
            management.apply(RealNodeObjects.read(file));
        }
        management.apply(RealNodeObjects.kubeadmPlan());
        workload.apply(RealNodeObjects.read("node-worker/rbac-workload.yaml"));
        workload.apply(RealNodeObjects.read("node-upgrader/rbac-workload.yaml"));
        // Programs and images as a fleet without the internet has them.
        for (String node : nodeNames) {
            nodes.run(node, "sh", "-c", """
                    folder=/var/lib/flotilla/packages/%1$s
                    mkdir -p $folder
                    ln -s /opt/packages/kubernetes-%1$s/kubeadm /opt/packages/kubernetes-%1$s/kubelet $folder/
                    ln -s /opt/packages/images/kubernetes-%1$s $folder/images
                    """.formatted(KubeadmCluster.SECOND_VERSION));
        }
    }

    private void createObjects(int controlPlanes, int workers) {
        management.run(
                "wait",
                "--for=condition=Established",
                "--timeout=60s",
                "crd/kubeadmcontrolplanes.controlplane.cluster.x-k8s.io");
        management.apply(RealNodeObjects.cluster());
        management.apply(RealNodeObjects.kubeconfigSecret(nodes.kubeconfig()));
        management.apply(RealNodeObjects.controlPlane(controlPlanes));
        management.applyStatus(RealNodeObjects.controlPlaneStatus(controlPlanes));
        String uid = management.run(
                "get", "kcp/blue-control-plane", "-n", RealNodeObjects.NAMESPACE, "-o", "jsonpath={.metadata.uid}");
        if (workers > 0) {
            management.apply(RealNodeObjects.machineDeployment(workers));
            management.applyStatus(RealNodeObjects.machineDeploymentStatus(workers));
        }
        for (String node : nodeNames) {
            management.apply(RealNodeObjects.machine(node, nodeNames.indexOf(node) < controlPlanes ? uid : ""));
            management.applyStatus(RealNodeObjects.machineStatus(node, KubeadmCluster.FIRST_VERSION, true));
        }
    }

    private void writePolicy() {
        ProviderRule rule = new ProviderRule(
                List.of(),
                LabelSelector.ALL,
                UpgradeProvider.NODE_UPGRADE,
                new NodeUpgradeTemplateRef("flotilla.dev/v1alpha1", "NodeUpgradeTemplate", "kubeadm"));
        UpgradePolicy policy = new UpgradePolicy(
                FleetScope.FLEET,
                new CountOrPercent.Count(1),
                null,
                false,
                null,
                null,
                null,
                null,
                null,
                UpgradePolicy.MaintenanceCalendar.NONE,
                null,
                UpgradePolicy.CampaignRule.NONE,
                List.of(rule));
        try (TableWriter writer = new TableWriter(kafka.bootstrap(), failure -> {
            throw new IllegalStateException("the policy cannot be written", failure);
        })) {
            writer.write(TablePartition.of(Table.POLICIES), policy, () -> {});
            writer.flush();
        }
    }

    /** Starts a process, again if it was killed. */
    public void startProcess(FlotillaProcess which) {
        List<String> arguments = new ArrayList<>();
        String instance = which + "-" + ++started;
        switch (which) {
            case ORCHESTRATOR -> arguments.addAll(List.of("--bootstrap", kafka.bootstrap(), "--instance", instance));
            case WATCHER -> arguments.addAll(siteArguments(instance, which));
            case WORKER -> {
                arguments.addAll(siteArguments(instance, which));
                // No node has a k8sd.
                arguments.addAll(List.of("--via", "127.0.0.1:1", "--ask-every", "1000"));
            }
            case NODE_UPGRADER -> arguments.addAll(List.of("--kubeconfig", kubeconfig(which)));
        }
        processes.put(
                which,
                FleetTestBed.startComponent(
                        folder, instance, ComponentClassPaths.own(), List.of("-Xmx128m"), which.main, arguments));
    }

    private List<String> siteArguments(String instance, FlotillaProcess which) {
        return List.of(
                "--bootstrap",
                kafka.bootstrap(),
                "--instance",
                instance,
                "--site",
                SITE.name(),
                "--kubeconfig",
                kubeconfig(which));
    }

    private String kubeconfig(FlotillaProcess which) {
        return managementCluster.kubeconfig(ACCOUNTS + which).toString();
    }

    private ChildProcess process(FlotillaProcess which) {
        ChildProcess process = processes.get(which);
        if (process == null) {
            throw new IllegalStateException(which + " was not started");
        }
        return process;
    }

    /** Kills a process like {@code kill -9}, and starts another one. */
    public void killAndRestart(FlotillaProcess which) {
        transcript.add("test", "kill -9 " + which);
        process(which).kill();
        startProcess(which);
    }

    private void watch() {
        String[] namespace = {"-n", RealNodeObjects.NAMESPACE};
        transcript.watch(management, "upgradetasks", line -> {}, namespace);
        transcript.watch(management, "nodeupgrades", line -> {}, namespace);
        transcript.watch(management, "machines", line -> {}, "-n", RealNodeObjects.NAMESPACE, "-o", MACHINE_COLUMNS);
        transcript.watch(workload, "nodes", this::reportNode);
    }

    /** Plays Cluster API's machine controller: name, status, roles, age and version of a node are in a line of kubectl. */
    private void reportNode(String line) {
        String[] words = line.split("\\s+");
        if (nodeNames.contains(words[0])) {
            management.applyStatus(RealNodeObjects.machineStatus(words[0], words[4], words[1].startsWith("Ready")));
        }
    }

    /** Creates an UpgradeTask to the second version. */
    public void createTask(String name, String selection) {
        transcript.add("test", "kubectl apply UpgradeTask " + name + ": " + selection);
        management.apply(RealNodeObjects.task(name, selection));
    }

    /** Waits until the phase of a task is as expected. */
    public void awaitTask(String name, String phase, Duration patience) {
        transcript.await(
                "task " + name + " is " + phase,
                patience,
                line -> line.contains("upgradetasks") && line.matches(".* " + name + " .* " + phase + " .*"));
    }

    /** Waits until a NodeUpgrade shows that a step runs. */
    public void awaitStep(String step, Duration patience) {
        transcript.await(
                "step " + step + " runs",
                patience,
                line -> line.contains(" nodeupgrades ")
                        && line.contains(" Running ")
                        && line.contains(" " + step + " "));
    }

    /** Waits until a step has printed a text on a node. */
    public void awaitPrinted(String node, String step, String text) {
        nodes.run(node, "sh", "-c", """
                until cat /var/lib/flotilla/node-upgrades/*/%s/*/log 2>/dev/null | grep -qF '%s'; do sleep 0.2; done
                """.formatted(step, text));
    }

    /** Deletes the Jobs of all NodeUpgrades, as soon as the API server of the nodes is there. */
    public void deleteJobs(String node) {
        transcript.add("test", "kubectl delete jobs");
        nodes.run(node, "sh", "-c", """
                until kubectl -n flotilla-node-upgrades delete jobs --all --wait=false; do sleep 0.5; done
                """);
    }

    /** Deletes all NodeUpgrades. */
    public void deleteNodeUpgrades() {
        transcript.add("test", "kubectl delete nodeupgrades");
        management.run("delete", "nodeupgrades", "-n", RealNodeObjects.NAMESPACE, "--all", "--wait=false");
    }

    /** Replaces the steps of the plan. */
    public void applyPlan(String steps) {
        management.apply(RealNodeObjects.plan(steps));
    }

    /** Applies the shipped plan. */
    public void applyShippedPlan() {
        management.apply(RealNodeObjects.kubeadmPlan());
    }

    /** Asserts that kubelet and static pods of a node have the second version, and that it is ready. */
    public void assertUpgraded(String node) {
        assertThat(workload.run("get", "node/" + node, "--no-headers").split("\\s+"))
                .startsWith(node, "Ready")
                .contains(KubeadmCluster.SECOND_VERSION);
        assertThat(workload.run(
                                "get",
                                "pods",
                                "-n",
                                "kube-system",
                                "-l",
                                "component in (kube-apiserver, kube-controller-manager, kube-scheduler)",
                                "--field-selector",
                                "spec.nodeName=" + node,
                                "-o",
                                "jsonpath={range .items[*]}{.spec.containers[0].image} {end}")
                        .split("\\s+"))
                .allMatch(image -> image.isEmpty() || image.endsWith(":" + KubeadmCluster.SECOND_VERSION));
    }

    /** Returns each NodeUpgrade with its Machine and phase. */
    public List<String> nodeUpgrades() {
        String all = read("nodeupgrades", "{range .items[*]}{.spec.machine.name} {.status.phase}{'\\n'}{end}");
        return all.lines().toList();
    }

    /** Returns the uids of all Machines. */
    public List<String> machineUids() {
        return read("machines", "{range .items[*]}{.metadata.uid}{'\\n'}{end}")
                .lines()
                .toList();
    }

    /** Returns a value of an object in the management cluster. */
    public String read(String object, String path) {
        return management.run("get", object, "-n", RealNodeObjects.NAMESPACE, "-o", "jsonpath=" + path);
    }

    public KubectlClient management() {
        return management;
    }

    /** The cluster of the nodes. */
    public KubectlClient workload() {
        return workload;
    }

    public KubeadmCluster nodes() {
        return nodes;
    }

    public WatchTranscript transcript() {
        return transcript;
    }

    /** Returns the name of a node's Machine. */
    public static String machineOf(String node) {
        return RealNodeObjects.machineOf(node);
    }

    @Override
    public void close() {
        transcript.close();
        try {
            transcript.write(folder.resolve("transcript.txt"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        processes.values().forEach(ChildProcess::close);
        managementCluster.close();
        kafka.close();
        nodes.close();
    }
}
