package dev.flotilla.nodeupgrader.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.nodeupgrader.KubeObjects;
import dev.flotilla.nodeupgrader.contract.NodeUpgradeReader.NodeUpgradeReadResult;
import dev.flotilla.schemas.row.MachineRole;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeUpgradeReaderTest {
    private static final String OBJECT = """
            {metadata: {name: w-1-0a1b2c3d-7, namespace: fleet, resourceVersion: "5", generation: 2},
             spec: {clusterName: blue, machine: {name: w-1, uid: u}, node: w-1, role: worker, target: version=v1.36.3,
               attemptId: 7, deadline: "2026-11-26T03:00:00Z", phase: Ongoing, kubeconfigSecret: blue-kubeconfig,
               plan: kubeadm},
             status: {phase: Running, steps: [{name: one, state: Failed, since: "2026-11-26T02:00:00Z", exitCode: 3}]}}""";

    private static NodeUpgrade valid(String yaml) {
        NodeUpgradeReadResult result = NodeUpgradeReader.read(KubeObjects.parse(yaml));
        assertThat(result).isInstanceOf(NodeUpgradeReadResult.ValidNodeUpgrade.class);
        return ((NodeUpgradeReadResult.ValidNodeUpgrade) result).nodeUpgrade();
    }

    @Test
    void readsEveryField() {
        NodeUpgrade nodeUpgrade = valid(OBJECT);
        assertThat(nodeUpgrade.resourceVersion()).isEqualTo("5");
        assertThat(nodeUpgrade.generation()).isEqualTo(2);
        assertThat(nodeUpgrade.role()).isEqualTo(MachineRole.WORKER);
        assertThat(nodeUpgrade.deadline()).isEqualTo(Instant.parse("2026-11-26T03:00:00Z"));
        assertThat(nodeUpgrade.abort()).isFalse();
        assertThat(nodeUpgrade.targetVersion()).isEqualTo("v1.36.3");
        assertThat(nodeUpgrade.targetSpec()).isNull();
        assertThat(nodeUpgrade.status().phase()).isEqualTo(NodeUpgradePhase.RUNNING);
        assertThat(nodeUpgrade.status().steps())
                .containsExactly(new StepStatus("one", StepState.FAILED, Instant.parse("2026-11-26T02:00:00Z"), 3L));
        assertThat(valid(OBJECT.replace("Ongoing", "Abort")).abort()).isTrue();
        assertThat(nodeUpgrade.stage()).isEqualTo(UpgradeStage.ALL);
        assertThat(valid(OBJECT.replace("plan: kubeadm", "plan: kubeadm, stage: Prepare"))
                        .stage())
                .isEqualTo(UpgradeStage.PREPARE);
        assertThat(valid(OBJECT.replace("version=v1.36.3", "spec=sha256:" + "a".repeat(64)))
                        .targetSpec())
                .isEqualTo("sha256:" + "a".repeat(64));
    }

    @Test
    void objectWithoutAStatusIsPending() {
        assertThat(valid(OBJECT.substring(0, OBJECT.indexOf(",\n status")) + "}")
                        .status()
                        .phase())
                .isEqualTo(NodeUpgradePhase.PENDING);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "clusterName: blue | clusterName: red | red-kubeconfig",
                "blue-kubeconfig | admin | blue-kubeconfig",
                "node: w-1, | 'node: ../w-1,' | node '../w-1'",
                "node: w-1, | '' | invalid node",
                "role: worker | role: boss | role 'boss'",
                "version=v1.36.3 | channel=1.33/stable | target",
                "plan: kubeadm | plan: ../x | plan",
                "plan: kubeadm | 'plan: kubeadm, stage: Later' | stage 'Later'",
                "name: w-1, uid | name: W, uid | name 'W'",
                "attemptId: 7 | attemptId: seven | attemptId",
                "2026-11-26T03:00:00Z | tomorrow | deadline",
                "w-1-0a1b2c3d-7 | a123456789012345678901234567890123456789012345678901234567890123 | 63 characters"
            })
    void namesWhatIsInvalidAndKeepsTheStatus(String from, String to, String problem) {
        String yaml = OBJECT.replaceAll("\\s+", " ").replace(from, to);
        assertThat(NodeUpgradeReader.read(KubeObjects.parse(yaml)))
                .isInstanceOfSatisfying(NodeUpgradeReadResult.InvalidNodeUpgrade.class, invalid -> {
                    assertThat(invalid.problem()).contains(problem);
                    assertThat(invalid.status().phase()).isEqualTo(NodeUpgradePhase.RUNNING);
                });
    }
}
