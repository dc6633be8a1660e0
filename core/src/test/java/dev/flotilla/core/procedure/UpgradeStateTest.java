package dev.flotilla.core.procedure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.row.AttemptReport;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The properties of each state of an attempt. */
class UpgradeStateTest {
    private static final ClockReading NOW = new ClockReading(0, 0);
    private static final AttemptReport.Succeeded SUCCESS =
            new AttemptReport.Succeeded(AttemptReport.SuccessProof.UPGRADED, "3100", "v1.33.0");

    /** A state, whether it is before the call, and whether it may be left: without a permit, and with one. */
    static Stream<Arguments> stages() {
        NodeVerification verification = new NodeVerification(UpgradeSafeguards.ALL, null, "", null);
        return Stream.of(
                Arguments.of(new UpgradeState.InspectingNode(null), true, true, false),
                Arguments.of(new UpgradeState.Connecting(null), true, true, false),
                Arguments.of(new UpgradeState.RunningPreChecks(true), true, true, false),
                Arguments.of(new UpgradeState.SettingGuards(0), true, true, false),
                Arguments.of(new UpgradeState.WritingPermit(0), true, false, false),
                Arguments.of(new UpgradeState.CheckingPreconditions(0), true, false, false),
                Arguments.of(new UpgradeState.CallingRefresh(0), false, false, false),
                Arguments.of(new UpgradeState.RecordingChangeId("7"), false, false, false),
                Arguments.of(
                        new UpgradeState.ResolvingOutcome(OutcomeResolver.startPollingChange(verification, "7", NOW)),
                        false,
                        true,
                        true),
                Arguments.of(new UpgradeState.RunningPostChecks(new PostCheckState(SUCCESS, null)), false, true, true),
                Arguments.of(new UpgradeState.CleaningUp(SUCCESS), false, false, false),
                Arguments.of(new UpgradeState.Ended(), false, true, true));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("stages")
    void statesAllowCancelBeforeTheCallAndHandOverWhenReportsSuffice(
            UpgradeState upgradeState, boolean beforeTheCall, boolean settled, boolean settledWithALicence) {
        assertThat(upgradeState.isBeforeTheCall()).isEqualTo(beforeTheCall);
        assertThat(upgradeState.isSettled(false)).isEqualTo(settled);
        assertThat(upgradeState.isSettled(true)).isEqualTo(settledWithALicence);
    }
}
