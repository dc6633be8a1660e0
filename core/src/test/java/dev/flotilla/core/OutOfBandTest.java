package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is made of a node that shows another revision than before. */
class OutOfBandTest {
    private final Scene scene = Scene.open();

    private void shows(@Nullable String revision) {
        scene.arrive(
                MachineBuilder.of(Scene.SITE, "c", "c-w-0").revision(revision).build());
    }

    private long told() {
        return scene.decisions.stream()
                .filter(decision -> decision.event() == Event.OUT_OF_BAND)
                .count();
    }

    @Test
    void aRevisionThatChangesWithoutAnAttemptIsTold() {
        scene.cluster("c", 0, 1);
        shows("3001");
        assertThat(scene.decisions.getLast().event()).isEqualTo(Event.OUT_OF_BAND);
        assertThat(scene.decisions.getLast().reason()).isEqualTo("revision 3000 has become 3001 without an attempt");
        shows("3001");
        assertThat(told()).isEqualTo(1);
    }

    @Test
    void oneThatIsFirstSeenOrNotSeenForAWhileHasNotChanged() {
        scene.cluster("c", 0, 1);
        shows(null);
        shows("3001");
        assertThat(told()).isZero();
    }

    @Test
    void anotherMachineOfTheNameIsNoChange() {
        scene.cluster("c", 0, 1);
        scene.arrive(MachineBuilder.of(Scene.SITE, "c", "c-w-0")
                .uid("another")
                .revision("3001")
                .build());
        assertThat(told()).isZero();
    }

    @Test
    void whatAnOpenAttemptMayHaveDoneIsOurs() {
        scene.cluster("c", 0, 1);
        scene.campaign(CampaignBuilder.named("up").build());
        shows("3421");
        assertThat(told()).isZero();
    }

    @Test
    void whatTheWatcherTellsAfterTheEndIsOurs() {
        scene.cluster("c", 0, 1);
        scene.campaign(CampaignBuilder.named("up").build());
        scene.succeed("c-w-0");
        shows("3421");
        assertThat(told()).isZero();
        shows("3500");
        assertThat(told()).isEqualTo(1);
    }

    @Test
    void afterAFailureOnlyTheTargetIsOurs() {
        scene.cluster("c", 0, 1);
        scene.campaign(CampaignBuilder.named("up").target("revision=3421").build());
        scene.failForGood("c-w-0");
        shows("3421");
        assertThat(told()).isZero();
        shows("3002");
        assertThat(told()).isEqualTo(1);
    }

    @Test
    void whatAChannelMeansIsNotGuessed() {
        scene.cluster("c", 0, 1);
        scene.campaign(CampaignBuilder.named("up").build());
        scene.failForGood("c-w-0");
        shows("3002");
        assertThat(told()).isZero();
    }

    @Test
    void whatHasNeverFailedExplainsNothing() {
        scene.cluster("c", 0, 1);
        scene.campaign(CampaignBuilder.named("up").build());
        scene.report("c-w-0", new dev.flotilla.schemas.row.AttemptReport.Deferred("on hold"));
        shows("3001");
        assertThat(told()).isEqualTo(1);
    }

    @Test
    void afterAFailureOnlyWhatTheChannelHasTaughtForItsSiteAndArchitectureIsOurs() {
        scene.cluster("c", 0, 1);
        scene.cluster("d", 0, 1);
        scene.campaign(CampaignBuilder.named("up").build());
        scene.failForGood("c-w-0");
        scene.succeed("d-w-0");
        shows("3421");
        assertThat(told()).isZero();
        shows("3002");
        assertThat(told()).isEqualTo(1);
    }

    @Test
    void whatTheChannelHasTaughtForAnotherArchitectureSaysNothing() {
        scene.cluster("c", 0, 1);
        scene.cluster("d", 0, 0);
        scene.arrive(MachineBuilder.of(Scene.SITE, "d", "d-w-0")
                .architecture("arm64")
                .build());
        scene.campaign(CampaignBuilder.named("up").build());
        scene.failForGood("c-w-0");
        scene.succeed("d-w-0");
        assertThat(scene.campaignStatus("up").resolvedTargets()).hasSize(1);
        shows("3002");
        assertThat(told()).isZero();
    }
}
