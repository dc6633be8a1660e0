package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.fleet.KubeVersion;
import dev.flotilla.core.gate.Closed;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.CampaignStatus.ResolvedTarget;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.MachineRole;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which versions may follow each other in a machine, and stand beside each other in a cluster. */
class VersionTest {
    private final Scene scene = Scene.open();

    private void machine(String name, MachineRole role, String version) {
        scene.arrive(MachineBuilder.of(Scene.SITE, "k", name)
                .role(role)
                .version(version)
                .build());
    }

    private void lone(String version) {
        scene.cluster("k", 0, 0);
        machine("w", MachineRole.WORKER, version);
    }

    private String why(String name) {
        Closed closed = scene.explain(name).closed().get(0);
        return closed.gate().label() + ": " + closed.says();
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
    void aMachineGoesByOneMinorVersionAndNeverBack(String shown, String target, String expected, String then) {
        lone(shown);
        CampaignBuilder campaign = CampaignBuilder.named("up").target(target);
        scene.campaign((expected == null ? campaign : campaign.expecting(expected)).build());
        if (then.equals("starts")) {
            assertThat(scene.inFlight()).containsExactly("w");
        } else {
            assertThat(scene.inFlight()).isEmpty();
            assertThat(scene.closed("w")).containsExactly(GateLabel.MACHINE);
        }
    }

    @Test
    void whoMustNotGoBackIsToldSoAndGoesWhenTheCampaignAllowsIt() {
        lone("v1.34.1");
        scene.campaign(CampaignBuilder.named("up").build());
        assertThat(why("w"))
                .isEqualTo("machine: The machine shows 1.34.1 and the target is 1.33: the campaign has to say"
                        + " allowDowngrade.");
        scene.campaign(CampaignBuilder.named("up").allowingDowngrade().build());
        assertThat(scene.inFlight()).containsExactly("w");
    }

    @Test
    void whoIsTwoMinorVersionsBehindGoesWhenItHasCaughtUp() {
        lone("v1.31.7");
        scene.campaign(CampaignBuilder.named("up").build());
        assertThat(why("w"))
                .isEqualTo("machine: The machine shows 1.31.7 and the target is 1.33: it goes by one minor version at a"
                        + " time.");
        machine("w", MachineRole.WORKER, "v1.32.0");
        assertThat(scene.inFlight()).containsExactly("w");
    }

    @Test
    void aWorkerDoesNotGoAheadOfItsControlPlane() {
        scene.cluster("k", 1, 0);
        machine("k-cp-0", MachineRole.CONTROL_PLANE, "v1.32.8");
        machine("w", MachineRole.WORKER, "v1.32.8");
        scene.campaign(CampaignBuilder.named("up")
                .select(CampaignBuilder.only(MachineRole.WORKER))
                .build());
        assertThat(scene.inFlight()).isEmpty();
        assertThat(why("w"))
                .isEqualTo("machine: A control-plane machine of cluster north/default/k shows 1.32.8 and the target is"
                        + " 1.33: workers do not go ahead of their control plane.");
        machine("k-cp-0", MachineRole.CONTROL_PLANE, "v1.33.0");
        assertThat(scene.inFlight()).containsExactly("w");
    }

    @Test
    void aControlPlaneThatHasProvedItsTargetIsBelievedBeforeTheInventoryShowsIt() {
        scene.cluster("k", 1, 0);
        machine("k-cp-0", MachineRole.CONTROL_PLANE, "v1.32.8");
        machine("w", MachineRole.WORKER, "v1.32.8");
        scene.campaign(CampaignBuilder.named("up").workersAnyTime().build());
        assertThat(scene.inFlight()).containsExactly("k-cp-0");
        scene.succeed("k-cp-0");
        assertThat(scene.inFlight()).containsExactly("w");
    }

    @Test
    void aControlPlaneDoesNotLeaveItsWorkersMoreThanThreeMinorVersionsBehind() {
        scene.cluster("k", 1, 0);
        machine("k-cp-0", MachineRole.CONTROL_PLANE, "v1.32.8");
        machine("w", MachineRole.WORKER, "v1.29.8");
        scene.campaign(CampaignBuilder.named("up").build());
        assertThat(scene.inFlight()).isEmpty();
        assertThat(why("k-cp-0"))
                .isEqualTo(
                        "machine: A worker of cluster north/default/k shows 1.29.8 and the target is 1.33: workers may"
                                + " be 3 minor versions behind their control plane.");
        machine("w", MachineRole.WORKER, "v1.30.0");
        assertThat(scene.inFlight()).containsExactly("k-cp-0");
    }

    @Test
    void aControlPlaneDoesNotGoBelowItsWorkers() {
        scene.cluster("k", 1, 0);
        machine("k-cp-0", MachineRole.CONTROL_PLANE, "v1.34.1");
        machine("w", MachineRole.WORKER, "v1.34.1");
        scene.campaign(CampaignBuilder.named("back").allowingDowngrade().build());
        assertThat(scene.inFlight()).isEmpty();
        assertThat(why("k-cp-0"))
                .isEqualTo("machine: A worker of cluster north/default/k shows 1.34.1 and the target is 1.33: a control"
                        + " plane does not go below its workers. Bring the workers back first, with controlPlaneFirst:"
                        + " false.");
        scene.campaign(CampaignBuilder.named("back")
                .allowingDowngrade()
                .workersAnyTime()
                .build());
        assertThat(scene.inFlight()).containsExactly("w");
        scene.succeed("w");
        assertThat(scene.inFlight()).containsExactly("k-cp-0");
    }

    @Test
    void aMachineGoesBackByOneMinorVersionAtATime() {
        lone("v1.34.1");
        scene.campaign(CampaignBuilder.named("back")
                .target("channel=1.28-classic/stable")
                .allowingDowngrade()
                .build());
        assertThat(scene.inFlight()).isEmpty();
        assertThat(why("w"))
                .isEqualTo("machine: The machine shows 1.34.1 and the target is 1.28: it goes back by one minor version"
                        + " at a time.");
        machine("w", MachineRole.WORKER, "v1.29.0");
        assertThat(scene.inFlight()).containsExactly("w");
    }

    @Test
    void aRevisionOfUnknownVersionIsTaughtByOneMachineAlone() {
        for (String name : new String[] {"a", "b", "c"}) {
            scene.cluster(name, 0, 1);
        }
        scene.campaign(CampaignBuilder.named("up").target("revision=3421").build());
        assertThat(scene.inFlight()).hasSize(1);
        String first = scene.inFlight().get(0);
        String other = first.equals("a-w-0") ? "b-w-0" : "a-w-0";
        assertThat(why(other))
                .isEqualTo("cap-campaign: Which version revision=3421 is nobody has said: one machine alone teaches it,"
                        + " and 1 are in flight.");
        scene.succeed(first);
        assertThat(scene.campaignStatus("up").resolvedTargets())
                .containsExactly(new ResolvedTarget("amd64", "3421", "v1.33.2", Scene.SITE));
        assertThat(scene.inFlight()).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({
        "v1.32.4, channel=1.36-classic/stable, 1.33.2",
        "v1.33.1, channel=1.29-classic/stable, 1.33.1",
        "v1.33.0, channel=1.36-classic/stable, v1.34.0"
    })
    void anExpectedVersionThatTheTrackCannotBringIsRefused(String shown, String target, String expected) {
        lone(shown);
        scene.campaign(
                CampaignBuilder.named("up").target(target).expecting(expected).build());
        assertThat(scene.inFlight()).isEmpty();
        assertThat(scene.rows.values())
                .filteredOn(RejectedRecord.class::isInstance)
                .singleElement()
                .satisfies(row -> {
                    RejectedRecord rejectedRecord = (RejectedRecord) row;
                    assertThat(rejectedRecord.reason()).isEqualTo(RejectionReason.CONTRADICTION);
                    assertThat(rejectedRecord.path()).isEqualTo("spec.target.expectedVersion");
                    assertThat(rejectedRecord.value()).isEqualTo(expected);
                    assertThat(rejectedRecord.problem())
                            .contains("is not a version of the track of " + target)
                            .contains("Correct one of the two, or leave expectedVersion out");
                });
    }

    @ParameterizedTest
    @CsvSource({
        "v1.33.1, channel=1.36-classic/stable, 1.34.0, waits",
        "v1.33.1, channel=1.29-classic/stable, 1.33.1, waits",
        "v1.33.1, channel=1.34-classic/stable, 1.99.0, starts"
    })
    void theTrackIsWhatCountsWhereACampaignWasAcceptedWithAnother(
            String shown, String target, String expected, String then) {
        lone(shown);
        scene.campaign(CampaignBuilder.named("up")
                .startAt(scene.now.plusSeconds(60))
                .target(target)
                .build());
        CampaignStatus accepted = scene.campaignStatus("up");
        scene.state.put(new CampaignStatus(
                accepted.name(),
                accepted.uid(),
                CampaignBuilder.named("up").target(target).expecting(expected).build(),
                accepted.state(),
                null,
                accepted.since(),
                List.of(),
                0,
                List.of()));
        scene.pass(Duration.ofMinutes(2));
        assertThat(scene.inFlight()).hasSize(then.equals("starts") ? 1 : 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"channel=latest/edge", "revision=3421"})
    void anExpectedVersionIsAClaimUntilOneMachineHasShownIt(String target) {
        scene.cluster("k", 0, 0);
        for (int i = 0; i < 5; i++) {
            machine("w" + i, MachineRole.WORKER, "v1.33.1");
        }
        scene.campaign(
                CampaignBuilder.named("up").target(target).expecting("1.33.2").build());
        assertThat(scene.inFlight()).hasSize(1);
        String first = scene.inFlight().get(0);
        assertThat(why(first.equals("w0") ? "w1" : "w0"))
                .isEqualTo("cap-campaign: No machine has shown yet that " + target
                        + " is 1.33.2: one machine alone teaches it, and 1 are in flight.");
        scene.succeed(first);
        assertThat(scene.inFlight()).hasSize(4);
    }

    @Test
    void whatHasBeenTaughtIsHeldAgainstTheOthers() {
        scene.cluster("k", 0, 0);
        machine("a", MachineRole.WORKER, "v1.32.1");
        machine("b", MachineRole.WORKER, "v1.35.1");
        scene.campaign(CampaignBuilder.named("up").target("revision=3421").build());
        String first = scene.inFlight().get(0);
        scene.report(first, new AttemptReport.Succeeded(AttemptReport.SuccessProof.UPGRADED, "3421", "v1.33.2"));
        String other = first.equals("a") ? "b" : "a";
        assertThat(scene.inFlight()).isEqualTo(other.equals("a") ? java.util.List.of("a") : java.util.List.of());
    }

    @ParameterizedTest
    @CsvSource({
        "v1.33.2, 1.33.2",
        "1.33.2, 1.33.2",
        "1.33-classic/stable, 1.33",
        "1.33/edge, 1.33",
        "v1.33.0-rc.1, 1.33.0",
        "v1.33.4095, 1.33.4094"
    })
    void textsBeginWithVersions(String text, String version) {
        assertThat(KubeVersion.text(KubeVersion.of(text))).isEqualTo(version);
    }

    @ParameterizedTest
    @CsvSource({"latest/stable", "v1", "1.", "x1", "v"})
    void whatBeginsWithNoVersionSaysNothing(String text) {
        assertThat(KubeVersion.of(text)).isEqualTo(KubeVersion.UNKNOWN);
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
    void versionsCompareAsFarAsBothSayThem(String one, String other, boolean older) {
        assertThat(KubeVersion.isOlder(KubeVersion.of(one), KubeVersion.of(other)))
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
        assertThat(KubeVersion.text(KubeVersion.of(text))).isEqualTo(version);
    }
}
