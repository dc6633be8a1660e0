package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.gate.ClosedGate;
import dev.flotilla.core.gate.Gate;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.FleetScope;
import org.junit.jupiter.api.Test;

/** The order of the gates. */
class GateChainTest {
    private static final String NEVER = "never";

    /** Operators see the first closed gate. */
    @Test
    void gatesAreInTheOrderOfTheirLabels() {
        assertThat(GateChain.standard().all())
                .extracting(Gate::label)
                .containsSubsequence(GateLabel.FLEET_CAP, GateLabel.CLUSTER_CAP, GateLabel.MACHINE_NOT_ELIGIBLE)
                .isSorted();
    }

    @Test
    void aChangedGateClosesTheFleet() {
        GateChain changed = GateChain.standard()
                .with(
                        GateLabel.FLEET_CAP,
                        gate -> new Gate(
                                gate.label(),
                                gate.level(),
                                gate.leaseEffect(),
                                candidate -> false,
                                candidate -> new ClosedGate(gate.label(), NEVER, "", NEVER)));
        FleetScenario fleetScenario = new FleetScenario(changed);
        fleetScenario.decide(new DecisionInput.LeaderElected(fleetScenario.now));
        fleetScenario.receive(FleetScenario.policy(FleetScope.FLEET, null));
        fleetScenario.site(FleetScenario.SITE);
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.explain("a-w-0").closedGates())
                .extracting(ClosedGate::message)
                .containsExactly(NEVER);
    }
}
