package dev.flotilla.e2e.realnode;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.NodeUpgradeTemplateRef;
import dev.flotilla.schemas.row.PrefetchCaps;
import dev.flotilla.schemas.row.ProviderRule;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.UpgradeProvider;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.testkit.kafka.LocalKafka;
import dev.flotilla.testkit.kube.KubeCluster;
import dev.flotilla.testkit.kube.KubeOptions;
import dev.flotilla.testkit.node.KubeadmCluster;
import dev.flotilla.testkit.tables.TableWriter;
import dev.flotilla.testkit.tables.TopicCreator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A real cluster of kubeadm and everything that upgrades it: a management cluster with the roles of {@code deploy/}, Kafka, and
 * orchestrator, watcher, worker and node-upgrader as processes. The test plays only Cluster API, which reports the nodes in the
 * Machines.
 */
public final class RealNodeFleet implements AutoCloseable {
    /** Of a busy machine; what goes wrong ends kubectl at once. */
    private static final String KUBECTL_PATIENCE = "--timeout=300s";

    private static final SiteId SITE = new SiteId("lab");
    /** The namespace of the Jobs, in the cluster of the nodes. */
    public static final String JOBS = "flotilla-node-upgrades";

    private static final String PRINT_FOLDER = "flotilla.e2e.folder";
    private static final String MACHINE_COLUMNS =
            "custom-columns=NAME:.metadata.name,KUBELET:.status.nodeInfo.kubeletVersion,"
                    + "READY:.status.conditions[?(@.type==\"NodeReady\")].status,"
                    + "UPTODATE:.status.conditions[?(@.type==\"MachineUpToDate\")].reason";

    private final Path folder;
    private final KubeadmCluster nodes;
    private final LocalKafka kafka;
    private final KubeCluster managementCluster;
    private final KubectlClient management;
    private final KubectlClient workload;
    private final WatchTranscript transcript = new WatchTranscript();
    private final ComponentProcessSet processes;
    private final List<String> nodeNames = new ArrayList<>();

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
        processes = new ComponentProcessSet(folder, kafka.bootstrap(), SITE, managementCluster);
    }

    /** Starts a fleet of one cluster whose nodes have the first version, and all processes. */
    public static RealNodeFleet start(String name, int controlPlanes, int workers) throws Exception {
        RealNodeFleet fleet = new RealNodeFleet(name, controlPlanes, workers);
        try {
            fleet.deploy();
            fleet.createObjects(controlPlanes, workers);
            TopicCreator.createTopics(fleet.kafka.bootstrap(), List.of(SITE));
            fleet.writePolicy();
            fleet.processes.startAll();
            fleet.watch();
            return fleet;
        } catch (RuntimeException | Error e) {
            // Another cluster would wait for the end of this one.
            fleet.close();
            throw e;
        }
    }

    private void deploy() {
        management.run(
                "apply",
                "--server-side",
                "-f",
                RealNodeObjects.DEPLOY.resolve("crds").toString());
        management.run("wait", "--for=condition=Established", KUBECTL_PATIENCE, "crd", "--all");
        management.run("create", "namespace", "flotilla");
        management.run("create", "namespace", RealNodeObjects.NAMESPACE);
        // Images come to the nodes by name, without a registry that would give them a digest.
        management.run("label", "namespace", RealNodeObjects.NAMESPACE, "flotilla.dev/image-tags=allowed");
        for (String file : List.of(
                "management-watcher/rbac.yaml",
                "management-watcher/upgrade-requester.yaml",
                "node-worker/rbac-management.yaml",
                "node-upgrader/rbac-management.yaml",
                "node-upgrader/admission-management.yaml")) {
            management.apply(RealNodeObjects.read(file));
        }
        management.apply(RealNodeObjects.kubeadmPlan());
        workload.apply(RealNodeObjects.read("node-worker/rbac-workload.yaml"));
        workload.apply(RealNodeObjects.read("node-upgrader/rbac-workload.yaml"));
        workload.apply(RealNodeObjects.read("node-upgrader/admission-workload.yaml"));
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
                List.of(rule),
                PrefetchCaps.NONE);
        try (TableWriter writer = new TableWriter(kafka.bootstrap(), failure -> {
            throw new IllegalStateException("the policy cannot be written", failure);
        })) {
            writer.write(TablePartition.of(Table.POLICIES), policy, () -> {});
            writer.flush();
        }
    }

    /** Kills a process like {@code kill -9}, and starts another one. */
    public void killAndRestart(FlotillaComponent which) {
        transcript.add("test", "kill -9 " + which);
        processes.killAndRestart(which);
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

    /** Waits until a task has had a phase. */
    public void awaitTask(String name, String phase, Duration patience) {
        transcript.await(
                "task " + name + " is " + phase,
                patience,
                line -> line.contains(" upgradetasks ") && line.matches(".* " + name + " .* " + phase + " .*"));
    }

    /** Waits until the first machine of a task has a reason, and returns its message. */
    public String awaitReason(String task, String reason) {
        management.run(
                "wait",
                "ut/" + task,
                "-n",
                RealNodeObjects.NAMESPACE,
                "--for=jsonpath={.status.machines[0].reason}=" + reason,
                KUBECTL_PATIENCE);
        return read("ut/" + task, "{.status.machines[0].message}");
    }

    /** Waits for the NodeUpgrade of a node that is in none of these, and returns the node. */
    public String awaitNextUpgrade(Collection<String> before, Duration patience) {
        String machine = transcript.awaitUpgradedMachine(
                before.stream().map(RealNodeFleet::machineOf).toList(), patience);
        return nodeNames.stream()
                .filter(node -> machineOf(node).equals(machine))
                .findFirst()
                .orElseThrow();
    }

    /** Waits until the NodeUpgrade of a node has had a phase. */
    public void awaitUpgrade(String node, String phase, Duration patience) {
        transcript.await(
                "the NodeUpgrade of " + node + " is " + phase,
                patience,
                line -> line.contains(" nodeupgrades ")
                        && line.contains(" " + machineOf(node) + " ")
                        && line.contains(" " + phase + " "));
    }

    /** Deletes the Jobs of all NodeUpgrades, as soon as the API server of the nodes is there. */
    public void deleteJobs(String node) {
        transcript.add("test", "kubectl delete jobs");
        nodes.run(node, "sh", "-c", """
                until kubectl -n %s delete jobs --all --wait=false; do sleep 0.5; done
                """.formatted(JOBS));
    }

    /** Deletes all NodeUpgrades. */
    public void deleteNodeUpgrades() {
        transcript.add("test", "kubectl delete nodeupgrades");
        management.run("delete", "nodeupgrades", "-n", RealNodeObjects.NAMESPACE, "--all", "--wait=false");
    }

    /** Replaces the steps of the plan. */
    public void applyPlan(String steps) {
        management.apply(RealNodeObjects.plan(RealNodeObjects.NAMESPACE, steps));
    }

    /** Tries to create a plan with an image by tag where that is not allowed, and returns why it is rejected. */
    public String createPlanElsewhere(String steps) {
        return management.applyRejected(RealNodeObjects.plan("default", steps));
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

    /** Returns the names of all NodeUpgrades. */
    public List<String> nodeUpgradeNames() {
        return read("nodeupgrades", "{range .items[*]}{.metadata.name}{'\\n'}{end}")
                .lines()
                .toList();
    }

    /** Waits until the Jobs are gone that kubeadm has made for its health checks. */
    public void awaitNoHealthCheckJobs(String node) {
        nodes.run(node, "sh", "-c", "until [ -z \"$(kubectl -n kube-system get jobs -o name)\" ]; do sleep 1; done");
    }

    /** Returns the names of the Jobs of all NodeUpgrades. */
    public List<String> jobs() {
        return workload.run("get", "jobs", "-n", JOBS, "-o", "jsonpath={range .items[*]}{.metadata.name}{'\\n'}{end}")
                .lines()
                .toList();
    }

    /** Returns the names and uids of all Nodes. */
    public List<String> nodeUids() {
        return workload.run(
                        "get", "nodes", "-o", "jsonpath={range .items[*]}{.metadata.name} {.metadata.uid}{'\\n'}{end}")
                .lines()
                .toList();
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

    /** What steps have left on the nodes. */
    public NodeStepFiles steps() {
        return new NodeStepFiles(nodes, transcript);
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
        processes.close();
        managementCluster.close();
        kafka.close();
        nodes.close();
    }
}
