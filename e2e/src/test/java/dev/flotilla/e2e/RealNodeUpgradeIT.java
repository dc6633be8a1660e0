package dev.flotilla.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.e2e.realnode.RealNodeFleet;
import dev.flotilla.testkit.node.KubeadmCluster;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** A real node of kubeadm, upgraded in place by an UpgradeTask: through Kafka, and by the shipped plan. */
@Tag("node")
@EnabledIf(value = KubeadmCluster.USABLE, disabledReason = KubeadmCluster.UNUSABLE)
class RealNodeUpgradeIT {
    private static final Duration PATIENCE = Duration.ofMinutes(15);

    @Test
    void singleNodeIsUpgradedByAnUpgradeTask() throws Exception {
        try (RealNodeFleet fleet = RealNodeFleet.start("real-node", 1, 0)) {
            String machine = RealNodeFleet.machineOf("node1");
            String uid = fleet.read("machine/" + machine, "{.metadata.uid}");
            fleet.createTask("to-second", "machines: [" + machine + "]");
            fleet.awaitTask("to-second", "Completed", PATIENCE);

            fleet.assertUpgraded("node1");
            assertThat(fleet.nodeUpgrades()).containsExactly(machine + " Succeeded");
            assertThat(fleet.read("machine/" + machine, "{.metadata.uid}")).isEqualTo(uid);
        }
    }
}
