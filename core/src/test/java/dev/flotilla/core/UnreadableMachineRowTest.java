package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineSelection;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which campaigns cannot complete because of a machine with an unreadable row. */
class UnreadableMachineRowTest {
    private final FleetScenario fleetScenario = FleetScenario.open();

    @BeforeEach
    void aWorkerWhoseRowCannotBeRead() {
        fleetScenario.cluster("a", 1, 1);
        fleetScenario.makeUnreadable("flotilla.inventory.north", "machine/default/a-w-0");
    }

    /** The state of a campaign with these roles after the control plane has succeeded. */
    private CampaignState afterTheControlPlane(List<MachineRole> roles, List<MachineKey> exclude) {
        fleetScenario.campaign(CampaignBuilder.named("up")
                .select(new MachineSelection(
                        List.of(), LabelSelector.ALL, LabelSelector.ALL, roles, List.of(), exclude))
                .build());
        if (fleetScenario.inFlight().contains("a-cp-0")) {
            fleetScenario.succeed("a-cp-0");
        }
        return fleetScenario.campaignStatus("up").state();
    }

    @Test
    void aPossibleMemberKeepsTheCampaignRunning() {
        assertThat(afterTheControlPlane(List.of(), List.of())).isEqualTo(CampaignState.RUNNING);
    }

    @Test
    void aMachineOfTheSelectedRoleKeepsTheCampaignRunning() {
        assertThat(afterTheControlPlane(List.of(MachineRole.CONTROL_PLANE, MachineRole.WORKER), List.of()))
                .isEqualTo(CampaignState.RUNNING);
    }

    @Test
    void aMachineOfAnotherRoleLetsTheCampaignComplete() {
        assertThat(afterTheControlPlane(List.of(MachineRole.CONTROL_PLANE), List.of()))
                .isEqualTo(CampaignState.COMPLETED);
    }

    @Test
    void anExcludedMachineLetsTheCampaignComplete() {
        assertThat(afterTheControlPlane(List.of(), List.of(FleetScenario.machine("a-w-0"))))
                .isEqualTo(CampaignState.COMPLETED);
    }
}
