package dev.flotilla.orchestrator.api.answer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.explain.MachineSummary;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.MachineOutcome;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MachineMapStateTest {
    @ParameterizedTest
    @EnumSource(AttemptStep.class)
    void everyStepIsInFlight(AttemptStep step) {
        assertThat(MachineMapState.of(step.label())).isEqualTo(MachineMapState.IN_FLIGHT);
    }

    @Test
    void noOutcomeIsInFlight() {
        assertThat(Stream.of(MachineOutcome.values()).map(outcome -> MachineMapState.of(outcome.label())))
                .doesNotContain(MachineMapState.IN_FLIGHT, MachineMapState.WAITING);
    }

    @Test
    void everyConditionHasAState() {
        Set<MachineMapState> reached = EnumSet.noneOf(MachineMapState.class);
        MachineSummary.allStates().forEach(state -> reached.add(MachineMapState.of(state)));
        assertThat(reached).containsExactly(MachineMapState.values());
    }
}
