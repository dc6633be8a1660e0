package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.gate.Closed;
import dev.flotilla.core.gate.Gate;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.core.gate.Gates;
import dev.flotilla.schemas.id.FleetScope;
import org.junit.jupiter.api.Test;

/** The gates as a list. */
class GatesTest {
    private static final String NEVER = "never";

    /** The first that is closed is the one that a person reads. */
    @Test
    void standInTheOrderOfTheirLabels() {
        assertThat(Gates.standard().all())
                .extracting(Gate::label)
                .containsSubsequence(GateLabel.FLEET_CAP, GateLabel.CLUSTER_CAP, GateLabel.MACHINE)
                .isSorted();
    }

    @Test
    void oneThatIsChangedClosesTheFleetByItself() {
        Gates changed = Gates.standard()
                .with(
                        GateLabel.FLEET_CAP,
                        gate -> new Gate(
                                gate.label(),
                                gate.level(),
                                gate.hold(),
                                candidate -> false,
                                candidate -> new Closed(gate.label(), NEVER, "", NEVER)));
        Scene scene = new Scene(changed);
        scene.take(new Input.TookOver(scene.now));
        scene.arrive(Scene.policy(FleetScope.FLEET, null));
        scene.site(Scene.SITE);
        scene.cluster("a", 0, 1);
        scene.campaign(CampaignBuilder.named("up").build());
        assertThat(scene.inFlight()).isEmpty();
        assertThat(scene.explain("a-w-0").closed()).extracting(Closed::says).containsExactly(NEVER);
    }
}
