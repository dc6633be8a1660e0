package dev.flotilla.simulator.play;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlayTest {
    private static final long STEP = 1000;

    @Test
    void aFleetWithoutFailuresIsUpgradedWholeAndNearTheIdeal() {
        PlayResult result = play(new PlaySpec(3, 30, 300, 30, 0, 5), List.of());

        assertThat(result.succeeded()).isEqualTo(300);
        assertThat(result.notSucceeded()).isEmpty();
        assertThat(result.violations()).isEmpty();
        assertThat(result.campaignState()).isEqualTo("completed");
        assertThat(result.efficiency()).isBetween(0.85, 1.0);
        assertThat(result.refreshCalls()).isEqualTo(300);
    }

    @Test
    void everyPartMayDieAndNoMachineIsCalledTwice() {
        PlayResult result = play(new PlaySpec(3, 30, 300, 30, 0, 11), List.of(Victim.values()));

        assertThat(result.kills())
                .hasSize(Victim.values().length)
                .allSatisfy(kill -> assertThat(kill.recovered()).isNotNegative());
        assertThat(result.violations()).isEmpty();
        assertThat(result.succeeded()).isEqualTo(300);
        assertThat(result.maxInFlight()).isLessThanOrEqualTo(30);
        assertThat(result.mostCalls()).isEqualTo(1);
    }

    @Test
    void whatIsLeftHasAReason() {
        PlayResult result = play(new PlaySpec(2, 10, 60, 6, 100, 3), List.of());

        assertThat(result.violations()).isEmpty();
        assertThat(result.succeeded() + result.notSucceeded().size()).isEqualTo(60);
        assertThat(result.notSucceeded())
                .isNotEmpty()
                .allSatisfy(rest -> assertThat(rest.gate() == null ? rest.reason() : rest.gate())
                        .isNotNull());
    }

    @Test
    void equalSeedsPlayAlike() {
        PlaySpec spec = new PlaySpec(2, 10, 60, 6, 50, 4);

        assertThat(play(spec, List.of(Victim.LEADER))).isEqualTo(play(spec, List.of(Victim.LEADER)));
    }

    private static PlayResult play(PlaySpec spec, List<Victim> victims) {
        List<PlayEvent> events = new ArrayList<>();
        Play play = new Play(spec, victims, events::add);
        play.start();
        long now = 0;
        while (play.until(now)) {
            now += STEP;
        }
        assertThat(play.settled()).isTrue();
        assertThat(events).isNotEmpty();
        return play.result();
    }
}
