package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.PolicyScope;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.WorkerCommand;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Durations by machine class: machines of one role of which some, by their label, take much longer. */
class MachineClassDurationTest {
    private static final String LABEL = "flotilla.dev/disk";
    private static final int ENOUGH = 25;
    private static final Duration QUICK = Duration.ofMinutes(1);
    private static final Duration SLOW = Duration.ofMinutes(30);

    private final FleetScenario fleetScenario = FleetScenario.open();

    private static UpgradePolicy by(PolicyScope scope, String label) {
        return new UpgradePolicy(
                scope, null, null, false, null, null, null, null, label, UpgradePolicy.MaintenanceCalendar.NONE, null);
    }

    /** Workers alternately with a quick disk, a slow disk, and no label. */
    private void fleet() {
        fleetScenario.cluster("c", 0, 0);
        for (int i = 0; i < 3 * ENOUGH; i++) {
            MachineRowBuilder machine = MachineRowBuilder.of(FleetScenario.SITE, "c", name(i));
            fleetScenario.receive(
                    i % 3 == 2
                            ? machine.build()
                            : machine.labels(CampaignBuilder.labels(LABEL, disk(i)))
                                    .build());
        }
    }

    private static String disk(int i) {
        return i % 3 == 0 ? "quick" : "slow";
    }

    private static String name(int i) {
        return String.format("c-w-%02d", i);
    }

    private void upgradeAllButTheLastOfEach() {
        fleetScenario.campaign(
                CampaignBuilder.named("up").maxUnavailable(3 * ENOUGH).build());
        for (int i = 0; i < 3 * (ENOUGH - 1); i++) {
            fleetScenario.step(name(i), AttemptStep.STARTING);
        }
        pass(QUICK, 0);
        pass(SLOW.minus(QUICK), 1);
        pass(Duration.ZERO, 2);
    }

    private void pass(Duration time, int turn) {
        fleetScenario.advance(time);
        for (int i = turn; i < 3 * (ENOUGH - 1); i += 3) {
            fleetScenario.succeed(name(i));
        }
    }

    private Duration allowed(int turn) {
        String last = name(3 * (ENOUGH - 1) + turn);
        fleetScenario.step(last, AttemptStep.STARTING);
        return Duration.between(
                fleetScenario.now,
                ((AttemptState.Running) fleetScenario.attempt(last).state()).deadline());
    }

    @Test
    void machinesHaveTheDeadlineOfTheirClass() {
        fleetScenario.receive(by(FleetScope.FLEET, LABEL));
        fleet();
        upgradeAllButTheLastOfEach();
        assertThat(allowed(0)).isBetween(Duration.ofMinutes(12), Duration.ofMinutes(13));
        assertThat(allowed(1)).isBetween(Duration.ofMinutes(70), Duration.ofMinutes(86));
        assertThat(allowed(2)).isBetween(Duration.ofMinutes(70), Duration.ofMinutes(86));
    }

    @Test
    void machinesShareADeadlineWithoutClasses() {
        fleet();
        upgradeAllButTheLastOfEach();
        assertThat(allowed(0)).isBetween(Duration.ofMinutes(70), Duration.ofMinutes(86));
    }

    @Test
    void machinesHaveTheDeadlineOfTheirRoleUntilTheirClassIsKnown() {
        fleetScenario.receive(by(FleetScope.FLEET, LABEL));
        fleet();
        upgradeAllButTheLastOfEach();
        fleetScenario.receive(MachineRowBuilder.of(FleetScenario.SITE, "c", name(3 * (ENOUGH - 1)))
                .labels(CampaignBuilder.labels(LABEL, "new"))
                .build());
        assertThat(allowed(0)).isBetween(Duration.ofMinutes(70), Duration.ofMinutes(86));
    }

    @Test
    void commandsCarryTheMachineClass() {
        fleetScenario.receive(by(FleetScope.FLEET, "else"));
        fleetScenario.receive(by(FleetScenario.SITE, LABEL));
        fleet();
        fleetScenario.campaign(CampaignBuilder.named("up").maxUnavailable(3).build());
        assertThat(fleetScenario.inFlight()).hasSize(3).allSatisfy(name -> {
            int i = Integer.parseInt(name.substring("c-w-".length()));
            assertThat(fleetScenario.command(name))
                    .isInstanceOfSatisfying(
                            WorkerCommand.UpgradeMachine.class,
                            command -> assertThat(command.machineClass()).isEqualTo(i % 3 == 2 ? null : disk(i)));
        });
    }
}
