package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.explain.Explain;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.schemas.id.MachineKey;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/**
 * Whatever has happened, a leader that has just read the rows finds nothing to do that the one before has left, says of every
 * machine what that one says, and decides as that one would have. What the state remembers of its rows is thereby no more and
 * no less than what they say.
 */
class SuccessorTest {
    private static final int STEPS = 60;

    @RepeatedTest(12)
    void decidesAsWhoeverLedBefore(RepetitionInfo repetition) {
        Story story = new Story(repetition.getCurrentRepetition());
        Scene scene = story.scene;
        for (int step = 0; step < STEPS; step++) {
            FleetState successor = new FleetState();
            scene.rows.values().forEach(successor::put);
            Brain brain = new Brain(FleetDecider.standard(), successor);
            List<Decision> decided = new ArrayList<>();
            brain.due(scene.now, Scene.MOST, decided::add);
            assertThat(decided).as("left undone at step %s", step).isEmpty();
            assertThat(successor.hash()).isEqualTo(scene.state.hash());
            assertThat(said(successor, story)).isEqualTo(said(scene.state, story));

            int inputs = scene.inputs.size();
            int decisions = scene.decisions.size();
            story.goOn();
            for (Input input : scene.inputs.subList(inputs, scene.inputs.size())) {
                brain.take(input, Scene.MOST, decided::add);
            }
            assertThat(decided)
                    .as("step %s: %s", step, scene.inputs.subList(inputs, scene.inputs.size()))
                    .isEqualTo(scene.decisions.subList(decisions, scene.decisions.size()));
        }
    }

    private static List<Object> said(FleetState state, Story story) {
        List<Object> said = new ArrayList<>();
        said.add(state.inFlight());
        said.add(state.machines());
        for (MachineKey machine : story.machines) {
            said.add(Explain.machine(state, story.scene.gates, machine, story.scene.now));
        }
        return said;
    }
}
