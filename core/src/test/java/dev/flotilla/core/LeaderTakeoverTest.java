package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.explain.MachineExplainer;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.schemas.id.MachineKey;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/**
 * Whatever has happened, a leader that has just restored the rows finds nothing to do that its predecessor has left
 * undone, explains every machine in the same way, and makes the same decisions. The derived state therefore contains
 * exactly what the rows say.
 */
class LeaderTakeoverTest {
    private static final int STEPS = 60;

    /** How many steps each successor takes before the next one restores. */
    private static final int TERM = 4;

    @RepeatedTest(12)
    void decidesAsItsPredecessor(RepetitionInfo repetition) {
        RandomFleetHistory randomFleetHistory = new RandomFleetHistory(repetition.getCurrentRepetition());
        FleetScenario fleetScenario = randomFleetHistory.scenario;
        DecisionEngine successor = successor(randomFleetHistory, 0);
        for (int step = 0; step < STEPS; step++) {
            if (step % TERM == 0) {
                successor = successor(randomFleetHistory, step);
            }
            int inputs = fleetScenario.inputs.size();
            int decisions = fleetScenario.decisions.size();
            randomFleetHistory.addInput();
            List<Decision> decided = new ArrayList<>();
            for (DecisionInput input : fleetScenario.inputs.subList(inputs, fleetScenario.inputs.size())) {
                successor.processInput(input, FleetScenario.MOST, decided::add);
            }
            assertThat(decided)
                    .as("step %s: %s", step, fleetScenario.inputs.subList(inputs, fleetScenario.inputs.size()))
                    .isEqualTo(fleetScenario.decisions.subList(decisions, fleetScenario.decisions.size()));
        }
    }

    /** A leader that has just restored the rows. */
    private static DecisionEngine successor(RandomFleetHistory randomFleetHistory, int step) {
        FleetScenario fleetScenario = randomFleetHistory.scenario;
        FleetState state = new FleetState();
        fleetScenario.rows.values().forEach(state::put);
        DecisionEngine decisionEngine = new DecisionEngine(FleetDecider.standard(), state);
        List<Decision> decided = new ArrayList<>();
        decisionEngine.decideDueWork(fleetScenario.now, FleetScenario.MOST, decided::add);
        assertThat(decided).as("left undone at step %s", step).isEmpty();
        assertThat(state.hash()).isEqualTo(fleetScenario.state.hash());
        assertThat(said(state, randomFleetHistory)).isEqualTo(said(fleetScenario.state, randomFleetHistory));
        return decisionEngine;
    }

    private static List<Object> said(FleetState state, RandomFleetHistory randomFleetHistory) {
        List<Object> said = new ArrayList<>();
        said.add(state.inFlight());
        said.add(state.machines());
        for (MachineKey machine : randomFleetHistory.machines) {
            said.add(MachineExplainer.explainMachine(
                    state, randomFleetHistory.scenario.gates, machine, randomFleetHistory.scenario.now));
        }
        return said;
    }
}
