package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.fleet.inventory.KubernetesVersion;
import dev.flotilla.core.gate.ClosedGate;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.CampaignStatus.ResolvedTarget;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The version rules: which versions may follow each other on a machine and run beside each other in a cluster. */
class VersionSkewGateTest {
    private final FleetScenario fleetScenario = FleetScenario.open();

    private void machine(String name, MachineRole role, String version) {
        fleetScenario.receive(MachineRowBuilder.of(FleetScenario.SITE, "k", name)
                .role(role)
                .version(version)
                .build());
    }

    private void lone(String version) {
        fleetScenario.cluster("k", 0, 0);
        machine("w", MachineRole.WORKER, version);
    }

    private String why(String name) {
        ClosedGate closedGate = fleetScenario.explain(name).closedGates().get(0);
        return closedGate.gate().label() + ": " + closedGate.message();
    }

    @ParameterizedTest(name = "{0} to {1} {2}: {3}")
    @CsvSource(
            nullValues = "-",
            value = {
                "v1.32.1, channel=1.33-classic/stable, -, starts",
                "v1.33.0, channel=1.33-classic/stable, -, starts",
                "v1.33.9, channel=1.33-classic/stable, 1.33.9, starts",
                "v1.33.9, channel=1.33-classic/stable, 1.33.10, starts",
                "v1.33.9, channel=1.33-classic/stable, 1.33.8, waits",
                "v1.34.0, channel=1.33-classic/stable, -, waits",
                "v1.31.9, channel=1.33-classic/stable, -, waits",
                "v1.31.9, revision=3500, 1.33.2, waits",
                "v1.32.9, revision=3500, v1.33.2-rc.1, starts",
                "v0.33.1, channel=1.34-classic/stable, -, waits",
                "v1.29.3, channel=latest/edge, -, starts",
                "v1.29.3, revision=3500, -, starts",
                "-, channel=1.33-classic/stable, -, starts"
            })
    void aMachineIsUpgradedByOneMinorVersionAndNeverDowngraded(
            String shown, String target, String expected, String then) {
        lone(shown);
        CampaignBuilder campaign = CampaignBuilder.named("up").target(target);
        fleetScenario.campaign((expected == null ? campaign : campaign.expecting(expected)).build());
        if (then.equals("starts")) {
            assertThat(fleetScenario.inFlight()).containsExactly("w");
        } else {
            assertThat(fleetScenario.inFlight()).isEmpty();
            assertThat(fleetScenario.closed("w")).containsExactly(GateLabel.MACHINE_NOT_ELIGIBLE);
        }
    }

    @Test
    void aDowngradeNeedsAllowDowngrade() {
        lone("v1.34.1");
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        assertThat(why("w"))
                .isEqualTo("machine-not-eligible: The machine shows 1.34.1 and the target is 1.33: a downgrade needs"
                        + " allowDowngrade in the campaign.");
        fleetScenario.campaign(CampaignBuilder.named("up").allowingDowngrade().build());
        assertThat(fleetScenario.inFlight()).containsExactly("w");
    }

    @Test
    void aMachineTwoMinorVersionsBehindWaitsUntilItIsOneBehind() {
        lone("v1.31.7");
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        assertThat(why("w"))
                .isEqualTo(
                        "machine-not-eligible: The machine shows 1.31.7 and the target is 1.33: upgrade one minor version at a"
                                + " time.");
        machine("w", MachineRole.WORKER, "v1.32.0");
        assertThat(fleetScenario.inFlight()).containsExactly("w");
    }

    @Test
    void aWorkerIsNotUpgradedAheadOfItsControlPlane() {
        fleetScenario.cluster("k", 1, 0);
        machine("k-cp-0", MachineRole.CONTROL_PLANE, "v1.32.8");
        machine("w", MachineRole.WORKER, "v1.32.8");
        fleetScenario.campaign(CampaignBuilder.named("up")
                .select(CampaignBuilder.only(MachineRole.WORKER))
                .build());
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(why("w"))
                .isEqualTo(
                        "machine-not-eligible: A control-plane machine of cluster north/default/k shows 1.32.8 and the target is"
                                + " 1.33: workers must not be newer than their control plane.");
        machine("k-cp-0", MachineRole.CONTROL_PLANE, "v1.33.0");
        assertThat(fleetScenario.inFlight()).containsExactly("w");
    }

    @Test
    void aProvenControlPlaneCountsBeforeTheInventoryShowsIt() {
        fleetScenario.cluster("k", 1, 0);
        machine("k-cp-0", MachineRole.CONTROL_PLANE, "v1.32.8");
        machine("w", MachineRole.WORKER, "v1.32.8");
        fleetScenario.campaign(CampaignBuilder.named("up").workersAnyTime().build());
        assertThat(fleetScenario.inFlight()).containsExactly("k-cp-0");
        fleetScenario.succeed("k-cp-0");
        assertThat(fleetScenario.inFlight()).containsExactly("w");
    }

    @Test
    void aControlPlaneLeavesWorkersAtMostThreeMinorVersionsBehind() {
        fleetScenario.cluster("k", 1, 0);
        machine("k-cp-0", MachineRole.CONTROL_PLANE, "v1.32.8");
        machine("w", MachineRole.WORKER, "v1.29.8");
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(why("k-cp-0"))
                .isEqualTo(
                        "machine-not-eligible: A worker of cluster north/default/k shows 1.29.8 and the target is 1.33: workers can"
                                + " be at most 3 minor versions behind their control plane.");
        machine("w", MachineRole.WORKER, "v1.30.0");
        assertThat(fleetScenario.inFlight()).containsExactly("k-cp-0");
    }

    @Test
    void aControlPlaneIsNotDowngradedBelowItsWorkers() {
        fleetScenario.cluster("k", 1, 0);
        machine("k-cp-0", MachineRole.CONTROL_PLANE, "v1.34.1");
        machine("w", MachineRole.WORKER, "v1.34.1");
        fleetScenario.campaign(CampaignBuilder.named("back").allowingDowngrade().build());
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(why("k-cp-0"))
                .isEqualTo(
                        "machine-not-eligible: A worker of cluster north/default/k shows 1.34.1 and the target is 1.33: a control"
                                + " plane must not be older than its workers. Downgrade the workers first, with controlPlaneFirst:"
                                + " false.");
        fleetScenario.campaign(CampaignBuilder.named("back")
                .allowingDowngrade()
                .workersAnyTime()
                .build());
        assertThat(fleetScenario.inFlight()).containsExactly("w");
        fleetScenario.succeed("w");
        assertThat(fleetScenario.inFlight()).containsExactly("k-cp-0");
    }

    @Test
    void aMachineIsDowngradedByOneMinorVersionAtATime() {
        lone("v1.34.1");
        fleetScenario.campaign(CampaignBuilder.named("back")
                .target("channel=1.28-classic/stable")
                .allowingDowngrade()
                .build());
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(why("w"))
                .isEqualTo(
                        "machine-not-eligible: The machine shows 1.34.1 and the target is 1.28: downgrade one minor version"
                                + " at a time.");
        machine("w", MachineRole.WORKER, "v1.29.0");
        assertThat(fleetScenario.inFlight()).containsExactly("w");
    }

    @Test
    void aRevisionOfUnknownVersionIsResolvedByOneMachine() {
        for (String name : new String[] {"a", "b", "c"}) {
            fleetScenario.cluster(name, 0, 1);
        }
        fleetScenario.campaign(
                CampaignBuilder.named("up").target("revision=3421").build());
        assertThat(fleetScenario.inFlight()).hasSize(1);
        String first = fleetScenario.inFlight().get(0);
        String other = first.equals("a-w-0") ? "b-w-0" : "a-w-0";
        assertThat(why(other))
                .isEqualTo(
                        "cap-campaign: The version of revision=3421 is unknown: one machine is upgraded first to show it"
                                + " (in flight: 1).");
        fleetScenario.succeed(first);
        assertThat(fleetScenario.campaignStatus("up").resolvedTargets())
                .containsExactly(new ResolvedTarget("amd64", "3421", "v1.33.2", FleetScenario.SITE));
        assertThat(fleetScenario.inFlight()).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({
        "v1.32.4, channel=1.36-classic/stable, 1.33.2",
        "v1.33.1, channel=1.29-classic/stable, 1.33.1",
        "v1.33.0, channel=1.36-classic/stable, v1.34.0"
    })
    void rejectsAnExpectedVersionThatContradictsTheTrack(String shown, String target, String expected) {
        lone(shown);
        fleetScenario.campaign(
                CampaignBuilder.named("up").target(target).expecting(expected).build());
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.rows.values())
                .filteredOn(RejectedRecord.class::isInstance)
                .singleElement()
                .satisfies(row -> {
                    RejectedRecord rejectedRecord = (RejectedRecord) row;
                    assertThat(rejectedRecord.reason()).isEqualTo(RejectionReason.CONTRADICTION);
                    assertThat(rejectedRecord.path()).isEqualTo("spec.target.expectedVersion");
                    assertThat(rejectedRecord.value()).isEqualTo(expected);
                    assertThat(rejectedRecord.problem())
                            .contains("is not in the track of " + target)
                            .contains("Correct one of the two, or leave expectedVersion out");
                });
    }

    @ParameterizedTest
    @CsvSource({
        "v1.33.1, channel=1.36-classic/stable, 1.34.0, waits",
        "v1.33.1, channel=1.29-classic/stable, 1.33.1, waits",
        "v1.33.1, channel=1.34-classic/stable, 1.99.0, starts"
    })
    void theTrackCountsForACampaignAcceptedWithAnotherVersion(
            String shown, String target, String expected, String then) {
        lone(shown);
        fleetScenario.campaign(CampaignBuilder.named("up")
                .startAt(fleetScenario.now.plusSeconds(60))
                .target(target)
                .build());
        CampaignStatus accepted = fleetScenario.campaignStatus("up");
        fleetScenario.state.put(new CampaignStatus(
                accepted.name(),
                accepted.uid(),
                CampaignBuilder.named("up").target(target).expecting(expected).build(),
                accepted.state(),
                null,
                accepted.stateSince(),
                List.of(),
                0,
                List.of()));
        fleetScenario.advance(Duration.ofMinutes(2));
        assertThat(fleetScenario.inFlight()).hasSize(then.equals("starts") ? 1 : 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"channel=latest/edge", "revision=3421"})
    void anExpectedVersionIsConfirmedByOneMachineFirst(String target) {
        fleetScenario.cluster("k", 0, 0);
        for (int i = 0; i < 5; i++) {
            machine("w" + i, MachineRole.WORKER, "v1.33.1");
        }
        fleetScenario.campaign(
                CampaignBuilder.named("up").target(target).expecting("1.33.2").build());
        assertThat(fleetScenario.inFlight()).hasSize(1);
        String first = fleetScenario.inFlight().get(0);
        assertThat(why(first.equals("w0") ? "w1" : "w0"))
                .isEqualTo("cap-campaign: No machine has shown yet that " + target
                        + " is version 1.33.2: one machine is upgraded first to show it (in flight: 1).");
        fleetScenario.succeed(first);
        assertThat(fleetScenario.inFlight()).hasSize(4);
    }

    @Test
    void theResolvedVersionIsComparedWithOtherMachines() {
        fleetScenario.cluster("k", 0, 0);
        machine("a", MachineRole.WORKER, "v1.32.1");
        machine("b", MachineRole.WORKER, "v1.35.1");
        fleetScenario.campaign(
                CampaignBuilder.named("up").target("revision=3421").build());
        String first = fleetScenario.inFlight().get(0);
        fleetScenario.report(
                first, new AttemptReport.Succeeded(AttemptReport.SuccessProof.UPGRADED, "3421", "v1.33.2"));
        String other = first.equals("a") ? "b" : "a";
        assertThat(fleetScenario.inFlight())
                .isEqualTo(other.equals("a") ? java.util.List.of("a") : java.util.List.of());
    }

    @ParameterizedTest
    @CsvSource({
        "v1.33.2, 1.33.2",
        "1.33.2, 1.33.2",
        "1.33-classic/stable, 1.33",
        "1.33/edge, 1.33",
        "v1.33.0-rc.1, 1.33.0 (pre-release)",
        "v1.33.4095, 1.33.4094"
    })
    void readsTheVersionAtTheStartOfAText(String text, String version) {
        assertThat(KubernetesVersion.text(KubernetesVersion.parse(text))).isEqualTo(version);
    }

    @ParameterizedTest
    @CsvSource({"latest/stable", "v1", "1.", "x1", "v"})
    void aTextWithoutAVersionHasNone(String text) {
        assertThat(KubernetesVersion.parse(text)).isEqualTo(KubernetesVersion.UNKNOWN);
    }

    @ParameterizedTest
    @CsvSource({
        "1.33.2, 1.33.3, true",
        "1.33.3, 1.33.2, false",
        "1.33.2, 1.33.2, false",
        "1.33, 1.33.2, false",
        "1.33.2, 1.33, false",
        "1.32.9, 1.33, true",
        "1.33, 1.34, true",
        "1.1023.1, 2.0.0, true",
        "1.1024.1, 2.0.0, true",
        "1.33.4094, 1.33.4095, false",
        "0.1.0, 1.0, true",
    })
    void comparesVersionsAsFarAsBothAreKnown(String one, String other, boolean older) {
        assertThat(KubernetesVersion.isOlder(KubernetesVersion.parse(one), KubernetesVersion.parse(other)))
                .isEqualTo(older);
    }

    @ParameterizedTest
    @CsvSource({
        "1.33., 1.33",
        "1.33.x, 1.33",
        "1.33x, 1.33",
        "1.33.0, 1.33.0",
        "1.33:2, 1.33",
        "1.33.2:4, 1.33.2",
        "9.90.09, 9.90.9"
    })
    void aPatchCountsOnlyWhereThereIsOne(String text, String version) {
        assertThat(KubernetesVersion.text(KubernetesVersion.parse(text))).isEqualTo(version);
    }
}
