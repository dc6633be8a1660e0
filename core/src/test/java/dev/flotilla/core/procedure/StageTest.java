package dev.flotilla.core.procedure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.row.AttemptReport;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What may be done with an attempt in each of its stages. */
class StageTest {
    private static final Moment NOW = new Moment(0, 0);
    private static final AttemptReport.Succeeded SUCCESS = new AttemptReport.Succeeded(AttemptReport.SuccessProof.UPGRADED, "3100", "v1.33.0");

    /** A stage, whether it is before the call, and whether it may be left: without a licence, and with one. */
    static Stream<Arguments> stages() {
        Verification verification = new Verification(Caution.GOOD, null, "", null);
        return Stream.of(
                Arguments.of(new Stage.Looking(null), true, true, false),
                Arguments.of(new Stage.Reaching(null), true, true, false),
                Arguments.of(new Stage.Checking(true), true, true, false),
                Arguments.of(new Stage.Guarding(0), true, true, false),
                Arguments.of(new Stage.Licensing(0), true, false, false),
                Arguments.of(new Stage.Judging(0), true, false, false),
                Arguments.of(new Stage.Calling(0), false, false, false),
                Arguments.of(new Stage.Noting("7"), false, false, false),
                Arguments.of(new Stage.After(Aftermath.watching(verification, "7", NOW)), false, true, true),
                Arguments.of(new Stage.Confirming(new Confirmation(SUCCESS, null)), false, true, true),
                Arguments.of(new Stage.Undoing(SUCCESS), false, false, false),
                Arguments.of(new Stage.Ended(), false, true, true));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("stages")
    void isTakenBackBeforeTheCallAndLeftWhereWhatIsWrittenSaysAll(
            Stage stage, boolean beforeTheCall, boolean settled, boolean settledWithALicence) {
        assertThat(stage.isBeforeTheCall()).isEqualTo(beforeTheCall);
        assertThat(stage.isSettled(false)).isEqualTo(settled);
        assertThat(stage.isSettled(true)).isEqualTo(settledWithALicence);
    }
}
