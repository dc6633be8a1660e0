package dev.flotilla.core.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The properties of each state of an attempt before its call. */
class PreparationStateTest {

    /** A state, and whether it may be left without a written permit. With one, none may be left. */
    static Stream<Arguments> states() {
        return Stream.of(
                Arguments.of(new PreparationState.InspectingNode(null), true),
                Arguments.of(new PreparationState.Connecting(null), true),
                Arguments.of(new PreparationState.RunningPreChecks(true), true),
                Arguments.of(new PreparationState.SettingGuards(0), true),
                Arguments.of(new PreparationState.WritingPermit(0), false),
                Arguments.of(new PreparationState.CheckingPreconditions(0), false));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("states")
    void statesAllowHandOverWhenReportsSuffice(PreparationState preparationState, boolean settledWithoutPermit) {
        assertThat(preparationState.isSettled(false)).isEqualTo(settledWithoutPermit);
        assertThat(preparationState.isSettled(true)).isFalse();
    }
}
