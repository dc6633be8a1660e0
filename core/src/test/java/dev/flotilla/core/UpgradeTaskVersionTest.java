package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.NodeUpgradeTemplateRef;
import dev.flotilla.schemas.row.ProviderRule;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradeProvider;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.UpgradeTaskRef;
import dev.flotilla.schemas.row.WorkerCommand;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The version rules hold for a machine that an UpgradeTask describes by a hash, by the version that the task expects. */
class UpgradeTaskVersionTest {
    private static final String HASH = "spec=sha256:" + "4f".repeat(32);

    private final FleetScenario fleetScenario = FleetScenario.open();

    @BeforeEach
    void cluster() {
        fleetScenario.receive(FleetScenario.policy(FleetScope.FLEET, new CountOrPercent.Count(9))
                .withProviderRules(List.of(new ProviderRule(
                        List.of(),
                        LabelSelector.ALL,
                        UpgradeProvider.NODE_UPGRADE,
                        new NodeUpgradeTemplateRef("flotilla.dev/v1alpha1", "NodeUpgradeTemplate", "kubeadm")))));
        cluster("k");
        machine("k", "cp", MachineRole.CONTROL_PLANE, "v1.33.1");
        machine("k", "w0", MachineRole.WORKER, "v1.33.1");
        cluster("l");
        machine("l", "w1", MachineRole.WORKER, "v1.33.1");
    }

    private void cluster(String name) {
        fleetScenario.receive(new ClusterRow(
                new ClusterKey(FleetScenario.SITE, "default", name),
                "uid-" + name,
                Labels.NONE,
                false,
                false,
                null,
                1,
                1));
    }

    private void machine(String cluster, String name, MachineRole role, String version) {
        fleetScenario.receive(MachineRowBuilder.of(FleetScenario.SITE, cluster, name)
                .provider(UpgradeProvider.NODE_UPGRADE)
                .revision(null)
                .role(role)
                .version(version)
                .build());
    }

    private void request(String name, @Nullable String version) {
        fleetScenario.receive(new UpgradeIntent(
                FleetScenario.machine(name),
                FleetScenario.uidOf(name),
                UpgradeTarget.parse(HASH),
                fleetScenario.now,
                new UpgradeTaskRef(null, name + "-task", "uid-of-task-of-" + name),
                null,
                version));
    }

    private String why(String name) {
        return fleetScenario.explain(name).closedGates().get(0).message();
    }

    @Test
    void aWorkerWaitsForItsControlPlane() {
        request("w0", "v1.34.0");
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(why("w0"))
                .isEqualTo("A control-plane machine of cluster north/default/k shows 1.33.1 and the target is 1.34.0:"
                        + " workers must not be newer than their control plane.");
        request("cp", "v1.34.0");
        assertThat(fleetScenario.inFlight()).containsExactly("cp");
        fleetScenario.succeed("cp");
        machine("k", "cp", MachineRole.CONTROL_PLANE, "v1.34.0");
        assertThat(fleetScenario.inFlight()).containsExactly("w0");
    }

    @Test
    void aLowerVersionIsHeld() {
        request("w0", "v1.33.0");
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(why("w0")).contains("a downgrade needs intents.allowDowngrade in the policy");
    }

    @Test
    void noMachineResolvesAVersionThatIsKnown() {
        request("w0", null);
        request("w1", null);
        assertThat(fleetScenario.inFlight()).hasSize(1);
        request("w1", "v1.33.1");
        assertThat(fleetScenario.inFlight()).containsExactly("w0", "w1");
    }

    @Test
    void theWorkerComparesTheVersionToo() {
        request("w0", "v1.33.2");
        assertThat(fleetScenario.command("w0"))
                .isInstanceOfSatisfying(
                        WorkerCommand.UpgradeMachine.class,
                        command -> assertThat(command.expectedVersion()).isEqualTo("v1.33.2"));
    }
}
