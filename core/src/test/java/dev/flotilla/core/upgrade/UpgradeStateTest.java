package dev.flotilla.core.upgrade;

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

    /** A state, and whether it may be left. */
    static Stream<Arguments> states() {
        NodeVerification verification = new NodeVerification(UpgradeSafeguards.ALL, null, "", null);
        CallPreparer callPreparer = new CallPreparer(
                UpgradeProcedureHarness.command(UpgradeProcedureHarness.LEASE_EXPIRY), UpgradeSafeguards.ALL);
        return Stream.of(
                Arguments.of(new UpgradeState.PreparingCall(callPreparer), true),
                Arguments.of(new UpgradeState.CallingUpgrade(), false),
                Arguments.of(new UpgradeState.RecordingChangeId("7"), false),
                Arguments.of(
                        new UpgradeState.ResolvingOutcome(
                                OutcomeResolver.startPollingChange(verification, () -> false, "7", NOW)),
                        true),
                Arguments.of(new UpgradeState.RunningPostChecks(new PostCheckState(SUCCESS, null)), true),
                Arguments.of(new UpgradeState.CleaningUp(SUCCESS), false),
                Arguments.of(new UpgradeState.Ended(), true));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("states")
    void statesAllowHandOverWhenReportsSuffice(UpgradeState upgradeState, boolean settled) {
        assertThat(upgradeState.isSettled()).isEqualTo(settled);
    }
}
