package dev.flotilla.orchestrator.api.answer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.explain.MachineSummary;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.AttemptStep;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ConditionTest {
    @ParameterizedTest
    @EnumSource(AttemptStep.class)
    void whoeverIsAtAStepIsInFlight(AttemptStep step) {
        assertThat(Condition.of(step.label())).isEqualTo(Condition.IN_FLIGHT);
    }

    @Test
    void everyOutcomeIsToldFromAMachineInFlight() {
        assertThat(Stream.of(MachineOutcome.values()).map(outcome -> Condition.of(outcome.label())))
                .doesNotContain(Condition.IN_FLIGHT, Condition.WAITING);
    }

    @Test
    void eachConditionIsReached() {
        Set<Condition> reached = EnumSet.noneOf(Condition.class);
        MachineSummary.states().forEach(state -> reached.add(Condition.of(state)));
        assertThat(reached).containsExactly(Condition.values());
    }
}
