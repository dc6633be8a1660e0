package dev.flotilla.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.e2e.realnode.RealNodeFleet;
import dev.flotilla.testkit.node.KubeadmCluster;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** Upgrades of real nodes that fail. */
@Tag("nightly")
@Tag("node")
@EnabledIf(value = KubeadmCluster.USABLE, disabledReason = KubeadmCluster.UNUSABLE)
class RealNodeFaultsIT {
    private static final Duration PATIENCE = Duration.ofMinutes(15);
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
