package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.Tombstone;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The cap on machines in flight that share a label value. */
class TopologyDomainCapTest {
    private static final String ZONE = "zone";

    private final FleetScenario fleetScenario = FleetScenario.open();

    /** Six clusters of one machine in three zones, and two more without a zone. */
    private void begin(CountOrPercent inFlight) {
        for (int i = 0; i < 8; i++) {
            fleetScenario.cluster("m" + i, 0, 0);
            MachineRowBuilder machine = MachineRowBuilder.of(FleetScenario.SITE, "m" + i, "m" + i);
            fleetScenario.receive(
                    (i < 6 ? machine.labels(CampaignBuilder.labels(ZONE, "z" + i % 3)) : machine).build());
        }
        fleetScenario.campaign(
                CampaignBuilder.named("up").domain(ZONE, inFlight).build());
    }

    private long inFlight(int zone) {
        return fleetScenario.inFlight().stream()
                .map(name -> Integer.parseInt(name.substring(1)))
                .filter(number -> number < 6 && number % 3 == zone)
                .count();
    }

    @Test
    void capsEachValueAndNoMachineWithoutTheLabel() {
        begin(new CountOrPercent.Count(1));
        assertThat(List.of(inFlight(0), inFlight(1), inFlight(2))).containsExactly(1L, 1L, 1L);
        assertThat(fleetScenario.inFlight()).contains("m6", "m7").hasSize(5);
        String waiting = fleetScenario.inFlight().contains("m0") ? "m3" : "m0";
        assertThat(fleetScenario.closed(waiting)).containsExactly(GateLabel.DOMAIN_CAP);
        assertThat(fleetScenario.explain(waiting).nextStep())
                .contains("The campaign has 1 machine with zone z0 in flight; the cap is 1");
    }

    @Test
    void aMachineStartsInTheStepThatFreesItsDomain() {
        begin(new CountOrPercent.Count(1));
        String first = fleetScenario.inFlight().contains("m0") ? "m0" : "m3";
        fleetScenario.succeed(first);
        assertThat(fleetScenario.inFlight())
                .contains(first.equals("m0") ? "m3" : "m0")
                .hasSize(5);
        fleetScenario.fail(fleetScenario.inFlight().contains("m1") ? "m1" : "m4");
        assertThat(inFlight(1)).isEqualTo(1);
    }

    @Test
    void aRetryCountsAsInFlight() {
        begin(new CountOrPercent.Count(1));
        String first = fleetScenario.inFlight().contains("m0") ? "m0" : "m3";
        fleetScenario.fail(first);
        fleetScenario.succeed(first.equals("m0") ? "m3" : "m0");
        fleetScenario.advance(java.time.Duration.ofMinutes(2));
        assertThat(fleetScenario.inFlight()).contains(first);
        fleetScenario.cluster("m9", 0, 0);
        fleetScenario.receive(MachineRowBuilder.of(FleetScenario.SITE, "m9", "m9")
                .labels(CampaignBuilder.labels(ZONE, "z0"))
                .build());
        assertThat(fleetScenario.closed("m9")).containsExactly(GateLabel.DOMAIN_CAP);
    }

    /** Its labels are deleted with its row, so it may have any value. */
    @Test
    void aDeletedMachineInFlightCountsWithEveryValue() {
        begin(new CountOrPercent.Count(2));
        fleetScenario.step("m0", AttemptStep.STARTING);
        fleetScenario.receive(new Tombstone(new RowKey(Table.INVENTORY, FleetScenario.machine("m0"))));
        fleetScenario.cluster("m9", 0, 0);
        fleetScenario.receive(MachineRowBuilder.of(FleetScenario.SITE, "m9", "m9")
                .labels(CampaignBuilder.labels(ZONE, "z0"))
                .build());
        assertThat(fleetScenario.inFlight()).contains("m0", "m3").doesNotContain("m9");
        assertThat(fleetScenario.explain("m9").nextStep())
                .contains("The campaign has 2 machines with zone z0 in flight, 1 of them with unknown labels");
        fleetScenario.succeed("m0");
        assertThat(fleetScenario.inFlight()).contains("m9");
    }

    @Test
    void aPercentageIsOfTheMachinesWithThatValue() {
        begin(new CountOrPercent.Percent(60));
        assertThat(inFlight(0)).isEqualTo(1);
        fleetScenario.receive(MachineRowBuilder.of(FleetScenario.SITE, "m6", "m6")
                .labels(CampaignBuilder.labels(ZONE, "z0"))
                .build());
        fleetScenario.receive(MachineRowBuilder.of(FleetScenario.SITE, "m7", "m7")
                .labels(CampaignBuilder.labels(ZONE, "z0"))
                .build());
        // Four machines with a cap of two; three are in flight, and none is stopped for that.
        assertThat(fleetScenario.inFlight()).hasSize(5);
        fleetScenario.succeed("m6");
        fleetScenario.succeed("m7");
        assertThat(fleetScenario.inFlight()).contains("m0", "m3");
    }

    @Test
    void aRaisedCapLetsMoreStart() {
        begin(new CountOrPercent.Count(1));
        fleetScenario.campaign(CampaignBuilder.named("up")
                .domain(ZONE, new CountOrPercent.Count(2))
                .build());
        assertThat(fleetScenario.inFlight()).hasSize(8);
    }
}
