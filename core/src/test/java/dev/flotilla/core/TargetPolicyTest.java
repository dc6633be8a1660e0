package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.Fleet;
import dev.flotilla.schemas.row.Policy;
import dev.flotilla.schemas.row.Policy.CampaignRule;
import dev.flotilla.schemas.row.Policy.IntentRule;
import dev.flotilla.schemas.row.Policy.RequiredApproval;
import dev.flotilla.schemas.row.Rejected;
import dev.flotilla.schemas.row.UpgradeOption;
import dev.flotilla.schemas.row.Wave;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A policy says where campaigns and annotations may lead, and where a person has to approve, whoever writes them. */
class TargetPolicyTest {
    private final Scene scene = Scene.open();

    private void policy(CampaignRule rule) {
        scene.arrive(Scene.policy(Fleet.FLEET, null).with(rule));
    }

    private List<String> refused() {
        return scene.rows.values().stream()
                .filter(Rejected.class::isInstance)
                .map(row -> ((Rejected) row).problem())
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
    void aPatternIsTextWithStarsAndQuestionMarks(String option, String pattern, boolean matches) {
        assertThat(UpgradeOption.parse(option).matches(List.of(pattern))).isEqualTo(matches);
    }

    @Test
    void aCampaignToAnotherTargetIsRefused() {
        scene.cluster("a", 0, 1);
        policy(new CampaignRule(null, null, List.of("channel=1.3?-classic/stable", "revision=*")));
        scene.campaign(CampaignBuilder.named("up").target("channel=latest/edge").build());
        assertThat(scene.inFlight()).isEmpty();
        assertThat(refused())
                .containsExactly(
                        "the fleet's policy allows campaigns to lead to channel=1.3?-classic/stable, revision=*"
                                + " (campaigns.targets)");
        scene.campaign(CampaignBuilder.named("up")
                .target("channel=1.33-classic/stable")
                .build());
        assertThat(scene.inFlight()).containsExactly("a-w-0");
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
    void anApprovalStandsWhereThePolicyWantsIt(
            RequiredApproval required, Wave.Approval first, Wave.Approval second, boolean is) {
        assertThat(required.isIn(List.of(wave("first", first), wave("second", second))))
                .isEqualTo(is);
    }

    @Test
    void aSingleWaveIsApprovedBefore() {
        assertThat(RequiredApproval.AFTER_FIRST_WAVE.isIn(List.of(wave("all", Wave.Approval.AFTER))))
                .isFalse();
        assertThat(RequiredApproval.AFTER_FIRST_WAVE.isIn(List.of(wave("all", Wave.Approval.BEFORE))))
                .isTrue();
    }

    private static Wave wave(String name, Wave.Approval approval) {
        return new Wave(
                name, List.of(), dev.flotilla.schemas.row.Selector.ALL, null, approval, 100, java.time.Duration.ZERO);
    }

    @Test
    void aCampaignWithoutTheApprovalIsRefused() {
        scene.cluster("a", 0, 1);
        policy(new CampaignRule(RequiredApproval.BEFORE_FIRST_WAVE, null, List.of()));
        scene.campaign(CampaignBuilder.named("up").build());
        assertThat(scene.inFlight()).isEmpty();
        assertThat(refused())
                .containsExactly("the fleet's policy requires an approval before the first wave: set its approval to"
                        + " before (campaigns.requireApproval)");
    }

    @Test
    void anAnnotationToAnotherTargetIsRefusedAlsoWhenThePolicyComesLater() {
        scene.cluster("a", 0, 2);
        IntentRule rule = IntentRule.DEFAULT.onlyTo(List.of("channel=1.33-*"));
        Policy policy = Scene.policy(Fleet.FLEET, null).at(Policy.Calendar.NONE, rule);
        scene.ask(Scene.machine("a-w-0"), "channel=1.33-classic/stable");
        scene.ask(Scene.machine("a-w-1"), "channel=1.34-classic/stable");
        scene.arrive(policy);
        scene.succeed("a-w-0");
        assertThat(scene.inFlight()).isEmpty();
        scene.ask(Scene.machine("a-w-1"), "channel=1.35-classic/stable");
        assertThat(refused())
                .containsExactly("the policy allows annotations to ask for channel=1.33-* (intents.targets)");
    }
}
