package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.Role;
import dev.flotilla.schemas.row.RunState;
import dev.flotilla.schemas.row.Selection;
import dev.flotilla.schemas.row.Selector;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which campaigns a machine keeps from their end whose row cannot be read. */
class UnreadableMemberTest {
    private final Scene scene = Scene.open();

    @BeforeEach
    void aWorkerWhoseRowCannotBeRead() {
        scene.cluster("a", 1, 1);
        scene.poison("flotilla.inventory.north", "machine/default/a-w-0");
    }

    /** The state of a campaign over these once the control plane has succeeded. */
    private RunState afterTheControlPlane(List<Role> roles, List<MachineKey> exclude) {
        scene.campaign(CampaignBuilder.named("up")
                .select(new Selection(List.of(), Selector.ALL, Selector.ALL, roles, List.of(), exclude))
                .build());
        if (scene.inFlight().contains("a-cp-0")) {
            scene.succeed("a-cp-0");
        }
        return scene.campaignStatus("up").state();
    }

    @Test
    void oneThatMayBeAMemberDoes() {
        assertThat(afterTheControlPlane(List.of(), List.of())).isEqualTo(RunState.RUNNING);
    }

    @Test
    void oneOfTheRoleThatIsSelectedDoes() {
        assertThat(afterTheControlPlane(List.of(Role.CONTROL_PLANE, Role.WORKER), List.of()))
                .isEqualTo(RunState.RUNNING);
    }

    @Test
    void oneOfAnotherRoleDoesNot() {
        assertThat(afterTheControlPlane(List.of(Role.CONTROL_PLANE), List.of())).isEqualTo(RunState.COMPLETED);
    }

    @Test
    void oneThatIsExcludedDoesNot() {
        assertThat(afterTheControlPlane(List.of(), List.of(Scene.machine("a-w-0"))))
                .isEqualTo(RunState.COMPLETED);
    }
}
