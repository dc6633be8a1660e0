package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.topic.Table;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Machines that share a value of a label: so many in flight, and no more. */
class DomainCapTest {
    private static final String ZONE = "zone";

    private final Scene scene = Scene.open();

    /** Six clusters of one machine, in three zones in turn; two more without a zone. */
    private void begin(CountOrPercent inFlight) {
        for (int i = 0; i < 8; i++) {
            scene.cluster("m" + i, 0, 0);
            MachineBuilder machine = MachineBuilder.of(Scene.SITE, "m" + i, "m" + i);
            scene.arrive((i < 6 ? machine.labels(CampaignBuilder.labels(ZONE, "z" + i % 3)) : machine).build());
        }
        scene.campaign(CampaignBuilder.named("up").domain(ZONE, inFlight).build());
    }

    private long inFlight(int zone) {
        return scene.inFlight().stream()
                .map(name -> Integer.parseInt(name.substring(1)))
                .filter(number -> number < 6 && number % 3 == zone)
                .count();
    }

    @Test
    void soManyOfEachValueFlyAtOnceAndWhoHasNoneIsNotLimited() {
        begin(new CountOrPercent.Count(1));
        assertThat(List.of(inFlight(0), inFlight(1), inFlight(2))).containsExactly(1L, 1L, 1L);
        assertThat(scene.inFlight()).contains("m6", "m7").hasSize(5);
        String waiting = scene.inFlight().contains("m0") ? "m3" : "m0";
        assertThat(scene.closed(waiting)).containsExactly(GateLabel.DOMAIN_CAP);
        assertThat(scene.explain(waiting).next())
                .contains("1 machines of the campaign with zone z0 are in flight, and 1 may be");
    }

    @Test
    void whoseDomainHasRoomAgainStartsInTheSameStep() {
        begin(new CountOrPercent.Count(1));
        String first = scene.inFlight().contains("m0") ? "m0" : "m3";
        scene.succeed(first);
        assertThat(scene.inFlight()).contains(first.equals("m0") ? "m3" : "m0").hasSize(5);
        scene.fail(scene.inFlight().contains("m1") ? "m1" : "m4");
        assertThat(inFlight(1)).isEqualTo(1);
    }

    @Test
    void aRetryIsInFlightLikeAnyOther() {
        begin(new CountOrPercent.Count(1));
        String first = scene.inFlight().contains("m0") ? "m0" : "m3";
        scene.fail(first);
        scene.succeed(first.equals("m0") ? "m3" : "m0");
        scene.pass(java.time.Duration.ofMinutes(2));
        assertThat(scene.inFlight()).contains(first);
        scene.cluster("m9", 0, 0);
        scene.arrive(MachineBuilder.of(Scene.SITE, "m9", "m9")
                .labels(CampaignBuilder.labels(ZONE, "z0"))
                .build());
        assertThat(scene.closed("m9")).containsExactly(GateLabel.DOMAIN_CAP);
    }

    /** Its labels go with its row, so that it may be of any value. */
    @Test
    void aMachineInFlightWhoseRowIsGoneCountsWithEveryValue() {
        begin(new CountOrPercent.Count(2));
        scene.step("m0", AttemptStep.STARTING);
        scene.arrive(new Tombstone(new RowKey(Table.INVENTORY, Scene.machine("m0"))));
        scene.cluster("m9", 0, 0);
        scene.arrive(MachineBuilder.of(Scene.SITE, "m9", "m9")
                .labels(CampaignBuilder.labels(ZONE, "z0"))
                .build());
        assertThat(scene.inFlight()).contains("m0", "m3").doesNotContain("m9");
        assertThat(scene.explain("m9").next())
                .contains("2 machines of the campaign with zone z0 are in flight, 1 of them perhaps");
        scene.succeed("m0");
        assertThat(scene.inFlight()).contains("m9");
    }

    @Test
    void aShareIsOfTheMachinesWithThatValue() {
        begin(new CountOrPercent.Percent(60));
        assertThat(inFlight(0)).isEqualTo(1);
        scene.arrive(MachineBuilder.of(Scene.SITE, "m6", "m6")
                .labels(CampaignBuilder.labels(ZONE, "z0"))
                .build());
        scene.arrive(MachineBuilder.of(Scene.SITE, "m7", "m7")
                .labels(CampaignBuilder.labels(ZONE, "z0"))
                .build());
        // Four machines, of which two may fly; three do, and nobody is stopped for that.
        assertThat(scene.inFlight()).hasSize(5);
        scene.succeed("m6");
        scene.succeed("m7");
        assertThat(scene.inFlight()).contains("m0", "m3");
    }

    @Test
    void aRaisedCapLetsMoreStart() {
        begin(new CountOrPercent.Count(1));
        scene.campaign(
                CampaignBuilder.named("up").domain(ZONE, new CountOrPercent.Count(2)).build());
        assertThat(scene.inFlight()).hasSize(8);
    }
}
