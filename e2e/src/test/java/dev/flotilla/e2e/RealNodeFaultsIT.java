package dev.flotilla.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.e2e.realnode.RealNodeFleet;
import dev.flotilla.testkit.node.KubeadmCluster;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** Upgrades of real nodes that are killed in the middle, or fail. */
@Tag("nightly")
@Tag("node")
@EnabledIf(value = KubeadmCluster.USABLE, disabledReason = KubeadmCluster.UNUSABLE)
class RealNodeFaultsIT {
    private static final Duration PATIENCE = Duration.ofMinutes(15);
    private static final String MOVED = "Moving new manifest to \"/etc/kubernetes/manifests/kube-apiserver.yaml\"";

    /** kubeadm and everything else of the step that runs ends by SIGKILL; then the NodeUpgrade's Job is deleted. */
    @Test
    void singleNodeWhoseStepIsKilledAndWhoseJobIsDeleted() throws Exception {
        try (RealNodeFleet fleet = RealNodeFleet.start("killed-step", 1, 0)) {
            fleet.createTask("killed", "machines: [" + RealNodeFleet.machineOf("node1") + "]");
            fleet.awaitStep("control-plane", PATIENCE);
            fleet.awaitPrinted("node1", "control-plane", MOVED);
            fleet.transcript().add("test", "kill -9 kubeadm and its step");
            assertThat(fleet.nodes()
                            .killProcesses("node1", "^kubeadm upgrade|/var/lib/flotilla/node-upgrades/.*/supervise"))
                    .isTrue();
            fleet.deleteJobs("node1");
            fleet.awaitTask("killed", "Completed", PATIENCE);

            fleet.assertUpgraded("node1");
            // kubeadm's own Jobs, which it has left, have a time to live.
            fleet.nodes()
                    .run(
                            "node1",
                            "sh",
                            "-c",
                            "until [ -z \"$(kubectl -n kube-system get jobs -o name)\" ]; do sleep 1; done");
            assertThat(fleet.nodeUpgrades()).hasSize(1).allMatch(each -> each.endsWith(" Succeeded"));
        }
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
            String selection = "machines: [" + RealNodeFleet.machineOf("node1") + "]";
            fleet.createTask("refused", selection);
            fleet.awaitTask("refused", "Failed", PATIENCE);
            assertThat(fleet.read("ut/refused", "{.status.machines[0].state} {.status.machines[0].message}"))
                    .contains("Failed", "the disk of this node is full");
            assertThat(fleet.nodeUpgrades()).hasSize(1).allMatch(each -> each.endsWith(" Failed"));
            assertThat(fleet.workload().run("get", "node/node1", "--no-headers").split("\\s+"))
                    .startsWith("node1", "Ready")
                    .contains(KubeadmCluster.FIRST_VERSION);

            fleet.applyShippedPlan();
            fleet.createTask("again", selection);
            fleet.awaitTask("again", "Completed", PATIENCE);
            fleet.assertUpgraded("node1");
        }
    }
}
