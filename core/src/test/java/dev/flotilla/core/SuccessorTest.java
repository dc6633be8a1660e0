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

    /** So many steps each successor goes along before the next one reads the rows. */
    private static final int TERM = 4;

    @RepeatedTest(12)
    void decidesAsWhoeverLedBefore(RepetitionInfo repetition) {
        Story story = new Story(repetition.getCurrentRepetition());
        Scene scene = story.scene;
        Brain successor = successor(story, 0);
        for (int step = 0; step < STEPS; step++) {
            if (step % TERM == 0) {
                successor = successor(story, step);
            }
            int inputs = scene.inputs.size();
            int decisions = scene.decisions.size();
            story.goOn();
            List<Decision> decided = new ArrayList<>();
            for (Input input : scene.inputs.subList(inputs, scene.inputs.size())) {
                successor.take(input, Scene.MOST, decided::add);
            }
            assertThat(decided)
                    .as("step %s: %s", step, scene.inputs.subList(inputs, scene.inputs.size()))
                    .isEqualTo(scene.decisions.subList(decisions, scene.decisions.size()));
        }
    }

    /** One that has just read the rows. */
    private static Brain successor(Story story, int step) {
        Scene scene = story.scene;
        FleetState state = new FleetState();
        scene.rows.values().forEach(state::put);
        Brain brain = new Brain(FleetDecider.standard(), state);
        List<Decision> decided = new ArrayList<>();
        brain.due(scene.now, Scene.MOST, decided::add);
        assertThat(decided).as("left undone at step %s", step).isEmpty();
        assertThat(state.hash()).isEqualTo(scene.state.hash());
        assertThat(said(state, story)).isEqualTo(said(scene.state, story));
        return brain;
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
