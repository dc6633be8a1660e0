package dev.flotilla.e2e;

import static dev.flotilla.e2e.realnode.FlotillaComponent.NODE_UPGRADER;
import static dev.flotilla.e2e.realnode.FlotillaComponent.ORCHESTRATOR;
import static dev.flotilla.e2e.realnode.FlotillaComponent.WATCHER;
import static dev.flotilla.e2e.realnode.FlotillaComponent.WORKER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.e2e.realnode.EtcdMembers;
import dev.flotilla.e2e.realnode.FlotillaComponent;
import dev.flotilla.e2e.realnode.RealNodeFleet;
import dev.flotilla.testkit.node.KubeadmCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** A real control plane of three members with a worker, upgraded by two UpgradeTasks while each process of Flotilla is killed. */
@Tag("nightly")
@Tag("node")
@EnabledIf(value = KubeadmCluster.USABLE, disabledReason = KubeadmCluster.UNUSABLE)
class RealNodeControlPlaneIT {
    private static final Duration PATIENCE = Duration.ofMinutes(15);
    private static final String MOVED = "Moving new manifest to \"/etc/kubernetes/manifests/kube-apiserver.yaml\"";
    private static final List<String> MEMBERS = List.of("node1", "node2", "node3");
    private static final String WORKER_NODE = "node4";

    /**
     * Which process is killed of each member in turn: once its NodeUpgrade exists, once kubeadm runs, and once its API server's
     * manifest has been moved. A member in turn leads etcd when its upgrade begins.
     */
    private static final List<List<FlotillaComponent>> KILLED = List.of(
            List.of(NODE_UPGRADER, WORKER, WATCHER),
            List.of(ORCHESTRATOR, NODE_UPGRADER, WORKER),
            List.of(WORKER, WATCHER, ORCHESTRATOR));

    @Test
    void membersThenTheWorkerAreUpgradedOneAtATimeWhileProcessesAreKilled() throws Exception {
        try (RealNodeFleet fleet = RealNodeFleet.start("control-plane", MEMBERS.size(), 1)) {
            List<String> machines = fleet.machineUids();
            List<String> nodes = fleet.nodeUids();
            assertThat(nodes).hasSize(4);
            assertNobodyElseCreatesPods(fleet);
            assertPlansNameDigests(fleet);

            fleet.createTask(
                    "members",
                    "controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: KubeadmControlPlane, name: blue-control-plane}");
            // It has to wait for all members.
            fleet.createTask("workers", "machineDeploymentRef: {name: blue-workers}");
            List<String> upgraded = new ArrayList<>();
            for (List<FlotillaComponent> killed : KILLED) {
                upgraded.add(upgradeNextMember(fleet, upgraded, killed));
            }
            assertThat(upgraded).containsExactlyInAnyOrderElementsOf(MEMBERS);
            upgradeWorker(fleet, upgraded);
            fleet.awaitTask("members", "Completed", PATIENCE);
            fleet.awaitTask("workers", "Completed", PATIENCE);

            assertThat(fleet.transcript().countOpenUpgrades()).allMatch(open -> open <= 1);
            MEMBERS.forEach(fleet::assertUpgraded);
            fleet.assertUpgraded(WORKER_NODE);
            assertThat(fleet.machineUids()).isEqualTo(machines);
            assertThat(fleet.nodeUids()).isEqualTo(nodes);
            assertOneNodeUpgradeAndOneJobEach(fleet);
            fleet.awaitNoHealthCheckJobs("node1");
        }
    }

    private static String upgradeNextMember(RealNodeFleet fleet, List<String> before, List<FlotillaComponent> killed) {
        String node = fleet.awaitNextUpgrade(before, PATIENCE);
        assertThat(node).as("members are upgraded first").isIn(MEMBERS);
        EtcdMembers etcd = new EtcdMembers(fleet.nodes());
        etcd.moveLeadershipTo(node, MEMBERS);
        assertThat(etcd.leads(node)).isTrue();
        fleet.killAndRestart(killed.get(0));
        fleet.steps().awaitStarted(node, "control-plane", PATIENCE);
        assertThat(etcd.leads(node))
                .as("%s leads etcd when it is touched", node)
                .isFalse();
        assertThat(fleet.steps().printed(node, "etcd-leader")).contains("of etcd leads now");
        fleet.killAndRestart(killed.get(1));
        fleet.steps().awaitPrinted(node, "control-plane", 1, MOVED, PATIENCE);
        fleet.killAndRestart(killed.get(2));
        fleet.awaitUpgrade(node, "Succeeded", PATIENCE);
        return node;
    }

    private static void upgradeWorker(RealNodeFleet fleet, List<String> before) {
        assertThat(fleet.awaitNextUpgrade(before, PATIENCE)).isEqualTo(WORKER_NODE);
        fleet.killAndRestart(WATCHER);
        fleet.steps().awaitStarted(WORKER_NODE, "worker", PATIENCE);
        fleet.killAndRestart(NODE_UPGRADER);
        // What is proven on the node is then still to be reported.
        fleet.awaitUpgrade(WORKER_NODE, "Succeeded", PATIENCE);
        fleet.killAndRestart(WORKER);
        assertNobodyRunsProgramsInTheJob(fleet);
    }

    private static void assertOneNodeUpgradeAndOneJobEach(RealNodeFleet fleet) {
        assertThat(fleet.nodeUpgrades())
                .containsExactlyInAnyOrder(
                        "blue-node1 Succeeded", "blue-node2 Succeeded", "blue-node3 Succeeded", "blue-node4 Succeeded");
        assertThat(fleet.jobs()).containsExactlyInAnyOrderElementsOf(fleet.nodeUpgradeNames());
        for (String node : MEMBERS) {
            assertThat(fleet.steps().tries(node))
                    .as("tries on %s", node)
                    .containsExactlyInAnyOrder(
                            "fetch/1", "kubeadm/1", "etcd-leader/1", "control-plane/1", "kubelet/1", "health-checks/1");
        }
        assertThat(fleet.steps().tries(WORKER_NODE))
                .containsExactlyInAnyOrder("fetch/1", "kubeadm/1", "worker/1", "kubelet/1");
    }

    /** The administrator of the nodes' cluster, too, is kept out of the namespace of the Jobs. */
    private static void assertNobodyElseCreatesPods(RealNodeFleet fleet) {
        assertThat(fleet.workload()
                        .runRejected(
                                "run",
                                "intruder",
                                "-n",
                                RealNodeFleet.JOBS,
                                "--image",
                                KubeadmCluster.BUSYBOX,
                                "--dry-run=server"))
                .contains("only flotilla node-upgrader may do this", "kubernetes-admin");
        assertThat(fleet.workload()
                        .runRejected(
                                "create",
                                "job",
                                "intruder",
                                "-n",
                                RealNodeFleet.JOBS,
                                "--image",
                                KubeadmCluster.BUSYBOX,
                                "--dry-run=server"))
                .contains("only flotilla node-upgrader may do this");
    }

    private static void assertNobodyRunsProgramsInTheJob(RealNodeFleet fleet) {
        String pods = fleet.workload()
                .run("get", "pods", "-n", RealNodeFleet.JOBS, "-l", "flotilla.dev/upgrade-pod=steps", "-o", "name");
        assertThat(pods).isNotEmpty();
        // kubectl exec itself refuses pods that have ended.
        String exec = "/api/v1/namespaces/" + RealNodeFleet.JOBS + "/"
                + pods.lines().findFirst().orElseThrow().replace("pod/", "pods/")
                + "/exec?command=id&container=flotilla-result";
        assertThat(fleet.workload().runRejected("create", "--raw", exec, "-f", "-"))
                .contains("only flotilla node-upgrader may do this");
    }

    private static void assertPlansNameDigests(RealNodeFleet fleet) {
        assertThat(fleet.createPlanElsewhere("""
                - name: one
                  image: flotilla.test/busybox:1
                  command: [id]
                """)).contains("has no digest");
    }
}
