package dev.flotilla.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.e2e.realnode.RealNodeFleet;
import dev.flotilla.testkit.node.KubeadmCluster;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** Upgrades of real nodes that are killed in the middle, or fail. */
@Tag("nightly")
@Tag("node")
@EnabledIf(value = KubeadmCluster.USABLE, disabledReason = KubeadmCluster.UNUSABLE)
class RealNodeFaultsIT {
    private static final Duration PATIENCE = Duration.ofMinutes(15);
    private static final String NODE = "node1";
    private static final String SELECTION = "machines: [" + RealNodeFleet.machineOf(NODE) + "]";
    private static final String STEP = "control-plane";

    // Lines of kubeadm.
    private static final String BEGINS = "Running cluster health checks";
    private static final String PREPARES = "Preparing for \"kube-apiserver\" upgrade";
    private static final String MOVED = "Moving new manifest to \"/etc/kubernetes/manifests/kube-apiserver.yaml\"";

    /**
     * kubeadm and everything else of the step that runs ends by SIGKILL, at two lines of its log. In between, the container that
     * watches it is killed, which ends nothing. Then the NodeUpgrade's Job is deleted.
     */
    @Test
    void processesOfTheJobAreKilledAtSeveralLinesAndTheJobIsDeleted() throws Exception {
        try (RealNodeFleet fleet = RealNodeFleet.start("killed-step", 1, 0)) {
            fleet.createTask("killed", SELECTION);
            fleet.steps().awaitPrinted(NODE, STEP, 1, BEGINS, PATIENCE);
            kill(fleet, "kubeadm and its step", "^kubeadm upgrade|/var/lib/flotilla/node-upgrades/.*/supervise");
            fleet.steps().awaitPrinted(NODE, STEP, 2, PREPARES, PATIENCE);
            kill(fleet, "the container of the step", "flotilla-step run " + STEP);
            fleet.steps().awaitPrinted(NODE, STEP, 2, MOVED, PATIENCE);
            kill(fleet, "kubeadm and its step", "^kubeadm upgrade|/var/lib/flotilla/node-upgrades/.*/supervise");
            fleet.deleteJobs(NODE);
            fleet.awaitTask("killed", "Completed", PATIENCE);

            fleet.assertUpgraded(NODE);
            // kubeadm's own Jobs, which it has left, have a time to live.
            fleet.awaitNoHealthCheckJobs(NODE);
            assertThat(fleet.nodeUpgrades()).containsExactly(RealNodeFleet.machineOf(NODE) + " Succeeded");
            assertThat(fleet.jobs()).isEqualTo(fleet.nodeUpgradeNames());
            assertThat(fleet.steps().tries(NODE))
                    .containsExactlyInAnyOrder(
                            "fetch/1",
                            "kubeadm/1",
                            "etcd-leader/1",
                            "control-plane/1",
                            "control-plane/2",
                            "control-plane/3",
                            "kubelet/1",
                            "health-checks/1");
        }
    }

    /**
     * NodeUpgrade and Job are deleted while the new API server starts. The step that runs ends undisturbed, the attempt has failed
     * and says so, and the next one, which waits for that step, finds what is left to do.
     */
    @Test
    void nodeUpgradeAndJobAreDeletedWhenTheApiServerHasBeenMoved() throws Exception {
        try (RealNodeFleet fleet = RealNodeFleet.start("deleted-upgrade", 1, 0)) {
            fleet.createTask("deleted", SELECTION);
            fleet.steps().awaitPrinted(NODE, STEP, 1, MOVED, PATIENCE);
            List<String> first = fleet.nodeUpgradeNames();
            assertThat(first).hasSize(1);
            fleet.deleteNodeUpgrades();
            fleet.deleteJobs(NODE);
            fleet.awaitUpgrade(NODE, "Aborted", PATIENCE);
            assertThat(fleet.awaitReason("deleted", "RetryPending"))
                    .contains("attempt 1 failed", first.getFirst())
                    .containsPattern("was aborted|there is no NodeUpgrade");
            fleet.awaitTask("deleted", "Completed", PATIENCE);

            fleet.assertUpgraded(NODE);
            assertThat(fleet.nodeUpgradeNames()).hasSize(1).isNotEqualTo(first);
            assertThat(fleet.nodeUpgrades()).containsExactly(RealNodeFleet.machineOf(NODE) + " Succeeded");
            assertThat(fleet.transcript().countOpenUpgrades()).allMatch(open -> open <= 1);
            assertThat(fleet.steps().tries(NODE))
                    .as("of the first attempt, then of the second")
                    .containsExactlyInAnyOrder(
                            "fetch/1",
                            "kubeadm/1",
                            "etcd-leader/1",
                            "control-plane/1",
                            "fetch/1",
                            "kubeadm/1",
                            "etcd-leader/1",
                            "control-plane/1",
                            "kubelet/1",
                            "health-checks/1");
        }
    }

    private static void kill(RealNodeFleet fleet, String what, String commandLine) {
        fleet.transcript().add("test", "kill -9 " + what);
        assertThat(fleet.nodes().killProcesses(NODE, commandLine)).isTrue();
    }

    /** A plan whose step fails for good quarantines the machine, and its node stays as it was. A retry with another plan succeeds. */
    @Test
    void failingStepQuarantinesAndARetrySucceeds() throws Exception {
        try (RealNodeFleet fleet = RealNodeFleet.start("failing-step", 1, 0)) {
            fleet.applyPlan("""
                    - name: refuse
                      image: flotilla.test/busybox:1
                      permanentExitCodes: [10]
                      command: [sh, -c, 'echo the disk of this node is full | tee "$FLOTILLA_MESSAGE_FILE"; exit 10']
                    """);
            fleet.createTask("refused", SELECTION);
            fleet.awaitTask("refused", "Failed", PATIENCE);
            assertThat(fleet.read("ut/refused", "{.status.machines[0].state} {.status.machines[0].message}"))
                    .contains("Failed", "the disk of this node is full");
            assertThat(fleet.nodeUpgrades()).hasSize(1).allMatch(each -> each.endsWith(" Failed"));
            assertThat(fleet.workload()
                            .run("get", "node/" + NODE, "--no-headers")
                            .split("\\s+"))
                    .startsWith(NODE, "Ready")
                    .contains(KubeadmCluster.FIRST_VERSION);

            fleet.applyShippedPlan();
            fleet.createTask("again", SELECTION);
            fleet.awaitTask("again", "Completed", PATIENCE);
            fleet.assertUpgraded(NODE);
        }
    }
}
