package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.UpgradePolicy.CampaignRule;
import dev.flotilla.schemas.row.UpgradePolicy.IntentRule;
import dev.flotilla.schemas.row.UpgradePolicy.RequiredApproval;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.Wave;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A policy restricts the targets of campaigns and intents, and requires approvals. */
class TargetPolicyTest {
    private final FleetScenario fleetScenario = FleetScenario.open();

    private void policy(CampaignRule rule) {
        fleetScenario.receive(FleetScenario.policy(FleetScope.FLEET, null).with(rule));
    }

    private List<String> refused() {
        return fleetScenario.rows.values().stream()
                .filter(RejectedRecord.class::isInstance)
                .map(row -> ((RejectedRecord) row).problem())
                .toList();
    }

    @ParameterizedTest
    @CsvSource({
        "channel=1.33-classic/stable, channel=1.3?-classic/stable, true",
        "channel=1.33-classic/edge, channel=1.3?-classic/stable, false",
        "channel=1.33-classic/edge, channel=1.3?-classic/*, true",
        "channel=latest/edge, channel=1.*, false",
        "revision=3421, revision=*, true",
        "revision=3421, revision=34*1, true",
        "revision=3421, revision=34*2, false",
        "revision=3421, revision=342, false",
        "channel=1.33, channel=1?33, true"
    })
    void aPatternMayContainStarsAndQuestionMarks(String option, String pattern, boolean matches) {
        assertThat(UpgradeTarget.parse(option).matches(List.of(pattern))).isEqualTo(matches);
    }

    @Test
    void rejectsACampaignWithAForbiddenTarget() {
        fleetScenario.cluster("a", 0, 1);
        policy(new CampaignRule(null, null, List.of("channel=1.3?-classic/stable", "revision=*")));
        fleetScenario.campaign(
                CampaignBuilder.named("up").target("channel=latest/edge").build());
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(refused())
                .containsExactly(
                        "the fleet's policy allows campaigns only the targets channel=1.3?-classic/stable, revision=*"
                                + " (campaigns.targets)");
        fleetScenario.campaign(CampaignBuilder.named("up")
                .target("channel=1.33-classic/stable")
                .build());
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
    }

    @ParameterizedTest(name = "{0} of {1} and {2}: {3}")
    @CsvSource({
        "BEFORE_FIRST_WAVE, NONE, NONE, false",
        "BEFORE_FIRST_WAVE, AFTER, NONE, false",
        "BEFORE_FIRST_WAVE, BEFORE, NONE, true",
        "AFTER_FIRST_WAVE, NONE, NONE, false",
        "AFTER_FIRST_WAVE, NONE, BEFORE, true",
        "AFTER_FIRST_WAVE, NONE, AFTER, false",
        "AFTER_FIRST_WAVE, AFTER, NONE, true"
    })
    void checksWhereAWaveNeedsItsApproval(
            RequiredApproval required, Wave.WaveApproval first, Wave.WaveApproval second, boolean is) {
        assertThat(required.isMetBy(List.of(wave("first", first), wave("second", second))))
                .isEqualTo(is);
    }

    @Test
    void aSingleWaveNeedsAnApprovalBeforeIt() {
        assertThat(RequiredApproval.AFTER_FIRST_WAVE.isMetBy(List.of(wave("all", Wave.WaveApproval.AFTER))))
                .isFalse();
        assertThat(RequiredApproval.AFTER_FIRST_WAVE.isMetBy(List.of(wave("all", Wave.WaveApproval.BEFORE))))
                .isTrue();
    }

    private static Wave wave(String name, Wave.WaveApproval approval) {
        return new Wave(
                name,
                List.of(),
                dev.flotilla.schemas.row.LabelSelector.ALL,
                null,
                approval,
                100,
                java.time.Duration.ZERO);
    }

    @Test
    void rejectsACampaignWithoutTheRequiredApproval() {
        fleetScenario.cluster("a", 0, 1);
        policy(new CampaignRule(RequiredApproval.BEFORE_FIRST_WAVE, null, List.of()));
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(refused())
                .containsExactly("the fleet's policy requires an approval before the first wave: set its approval to"
                        + " before (campaigns.requireApproval)");
    }

    @Test
    void rejectsAnIntentWithAForbiddenTargetAlsoAfterAPolicyChange() {
        fleetScenario.cluster("a", 0, 2);
        IntentRule rule = IntentRule.DEFAULT.withTargetPatterns(List.of("channel=1.33-*"));
        UpgradePolicy policy =
                FleetScenario.policy(FleetScope.FLEET, null).withCalendar(UpgradePolicy.MaintenanceCalendar.NONE, rule);
        fleetScenario.requestUpgrade(FleetScenario.machine("a-w-0"), "channel=1.33-classic/stable");
        fleetScenario.requestUpgrade(FleetScenario.machine("a-w-1"), "channel=1.34-classic/stable");
        fleetScenario.receive(policy);
        fleetScenario.succeed("a-w-0");
        assertThat(fleetScenario.inFlight()).isEmpty();
        fleetScenario.requestUpgrade(FleetScenario.machine("a-w-1"), "channel=1.35-classic/stable");
        assertThat(refused())
                .containsExactly("the policy allows annotations only the targets channel=1.33-* (intents.targets)");
    }
}
