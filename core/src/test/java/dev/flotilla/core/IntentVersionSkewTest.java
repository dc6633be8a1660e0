package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.gate.ClosedGate;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.RetryRule;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.UpgradePolicy.IntentRule;
import dev.flotilla.schemas.row.VersionRuleExemptions;
import dev.flotilla.schemas.row.WorkerCommand;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Version rules of intents: the same as for campaigns, unless the policy lifts one by name. */
class IntentVersionSkewTest {
    private final FleetScenario fleetScenario = FleetScenario.open();

    @BeforeEach
    void letSeveralGoAtOnce() {
        allow(VersionRuleExemptions.STRICT);
    }

    private void allow(VersionRuleExemptions rule) {
        fleetScenario.receive(new UpgradePolicy(
                FleetScope.FLEET,
                null,
                null,
                false,
                null,
                null,
                null,
                new IntentRule(new CountOrPercent.Count(9), RetryRule.DEFAULT).with(rule)));
    }

    private void machine(String name, MachineRole role, String version, String revision) {
        fleetScenario.receive(MachineRowBuilder.of(FleetScenario.SITE, "k", name)
                .role(role)
                .version(version)
                .revision(revision)
                .build());
    }

    private void cluster(String controlPlane, String... workers) {
        fleetScenario.cluster("k", 1, 0);
        machine("k-cp-0", MachineRole.CONTROL_PLANE, controlPlane, "3000");
        for (int i = 0; i < workers.length; i++) {
            machine("w" + i, MachineRole.WORKER, workers[i], "3000");
        }
    }

    private String why(String name) {
        ClosedGate closedGate = fleetScenario.explain(name).closedGates().get(0);
        return closedGate.gate().label() + ": " + closedGate.message();
    }

    @ParameterizedTest(name = "{0}, control plane {1}, to {2}: {3}")
    @CsvSource({
        "v1.31.1, v1.34.0, channel=1.32-classic/stable, starts",
        "v1.31.1, v1.34.0, channel=1.31-classic/stable, starts",
        "v1.31.1, v1.34.0, channel=1.33-classic/stable, waits",
        "v1.31.1, v1.31.0, channel=1.32-classic/stable, waits",
        "v1.31.1, v1.34.0, channel=1.30-classic/stable, waits",
        "v1.31.1, v1.34.0, channel=latest/edge, starts"
    })
    void aWorkerIsUpgradedByOneMinorVersionAndNotAheadOfItsControlPlane(
            String shown, String controlPlane, String target, String then) {
        cluster(controlPlane, shown);
        fleetScenario.requestUpgrade(FleetScenario.machine("w0"), target);
        if (then.equals("starts")) {
            assertThat(fleetScenario.inFlight()).containsExactly("w0");
        } else {
            assertThat(fleetScenario.inFlight()).isEmpty();
            assertThat(fleetScenario.closed("w0")).containsExactly(GateLabel.MACHINE_NOT_ELIGIBLE);
        }
    }

    @ParameterizedTest(name = "{0}, workers {1}, to {2}: {3}")
    @CsvSource({
        "v1.31.1, v1.31.0, channel=1.32-classic/stable, starts",
        "v1.31.1, v1.31.0, channel=1.35-classic/stable, waits",
        "v1.32.1, v1.29.0, channel=1.33-classic/stable, waits",
        "v1.32.1, v1.30.0, channel=1.33-classic/stable, starts"
    })
    void aControlPlaneIsUpgradedByOneMinorVersionAndLeavesNoWorkerFarBehind(
            String shown, String worker, String target, String then) {
        cluster(shown, worker);
        fleetScenario.requestUpgrade(FleetScenario.machine("k-cp-0"), target);
        assertThat(fleetScenario.inFlight())
                .isEqualTo(then.equals("starts") ? java.util.List.of("k-cp-0") : java.util.List.of());
    }

    @Test
    void anIntentOfWorkersWaitsForTheirControlPlane() {
        fleetScenario.cluster("k", 1, 0);
        fleetScenario.receive(MachineRowBuilder.like(fleetScenario.row("k-cp-0"))
                .version("v1.33.0")
                .build());
        fleetScenario.receive(MachineRowBuilder.of(FleetScenario.SITE, "k", "w0")
                .owner(dev.flotilla.schemas.id.OwnerKind.MACHINE_DEPLOYMENT, "k")
                .version("v1.33.0")
                .build());
        OwnerKey workers = FleetScenario.deployment("k");
        fleetScenario.requestUpgrade(workers, "channel=1.34-classic/stable");
        assertThat(fleetScenario.inFlight()).isEmpty();
        fleetScenario.requestUpgrade(FleetScenario.controlPlane("k"), "channel=1.34-classic/stable");
        assertThat(fleetScenario.inFlight()).containsExactly("k-cp-0");
        fleetScenario.succeed("k-cp-0");
        assertThat(fleetScenario.inFlight()).isEmpty();
        fleetScenario.receive(MachineRowBuilder.like(fleetScenario.row("k-cp-0"))
                .version("v1.34.1")
                .build());
        assertThat(fleetScenario.inFlight()).containsExactly("w0");
    }

    @Test
    void anOlderIntentThatIsInForceAgainDowngradesNothing() {
        fleetScenario.cluster("k", 0, 1);
        MachineKey worker = FleetScenario.machine("k-w-0");
        fleetScenario.receive(MachineRowBuilder.like(fleetScenario.row("k-w-0"))
                .version("v1.33.0")
                .build());
        fleetScenario.requestUpgrade(worker, "channel=1.34-classic/stable");
        fleetScenario.requestUpgrade(FleetScenario.deployment("k"), "channel=1.33-classic/stable");
        fleetScenario.succeed("k-w-0");
        // The inventory does not show it yet: the worker sees the node itself and must not call.
        assertThat(fleetScenario.command("k-w-0"))
                .isInstanceOfSatisfying(
                        WorkerCommand.UpgradeMachine.class,
                        command -> assertThat(command.allowDowngrade()).isFalse());
        fleetScenario.report("k-w-0", new AttemptReport.Deferred("the node shows v1.34.1"));
        fleetScenario.receive(MachineRowBuilder.like(fleetScenario.row("k-w-0"))
                .version("v1.34.1")
                .build());
        fleetScenario.advance(Duration.ofMinutes(1));
        fleetScenario.removeIntent(worker);
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(why("k-w-0"))
                .isEqualTo("machine-not-eligible: The machine shows 1.34.1 and the target is 1.33: a downgrade needs"
                        + " intents.allowDowngrade in the policy.");
        allow(new VersionRuleExemptions(true, false));
        assertThat(fleetScenario.inFlight()).containsExactly("k-w-0");
    }

    @ParameterizedTest
    @CsvSource({"revision=3421", "channel=latest/edge", "localPath=/srv/k8s.snap"})
    void aTargetOfUnknownVersionStartsOneMachineOfASiteAtATime(String target) {
        fleetScenario.receive(new UpgradePolicy(
                FleetScope.FLEET,
                null,
                null,
                false,
                null,
                null,
                null,
                new IntentRule(new CountOrPercent.Count(9), RetryRule.DEFAULT, java.util.List.of("/srv"))));
        for (String cluster : new String[] {"a", "b", "c"}) {
            fleetScenario.cluster(cluster, 0, 2);
            fleetScenario.requestUpgrade(FleetScenario.deployment(cluster), target);
        }
        assertThat(fleetScenario.inFlight()).hasSize(1);
        String first = fleetScenario.inFlight().get(0);
        String other = first.startsWith("a") ? "b-w-0" : "a-w-0";
        assertThat(why(other))
                .isEqualTo(
                        "cap-campaign: The version of " + target + " is unknown: one machine of a site is upgraded to"
                                + " it at a time, unless the policy sets intents.allowUnknownVersion.");
        fleetScenario.requestUpgrade(FleetScenario.machine("c-w-1"), "channel=1.33-classic/stable");
        assertThat(fleetScenario.inFlight()).contains("c-w-1");
        fleetScenario.succeed(first);
        assertThat(fleetScenario.inFlight()).hasSize(2);
    }

    @Test
    void thePolicyCanAllowUnknownVersions() {
        fleetScenario.cluster("a", 0, 3);
        fleetScenario.requestUpgrade(FleetScenario.deployment("a"), "revision=3421");
        assertThat(fleetScenario.inFlight()).hasSize(1);
        allow(new VersionRuleExemptions(false, true));
        assertThat(fleetScenario.inFlight()).hasSize(3);
    }

    @Test
    void aRevisionHasTheVersionThatTheSitesMachinesShow() {
        cluster("v1.34.0", "v1.32.0", "v1.31.0", "v1.32.0");
        for (String name : new String[] {"w0", "w1", "w2"}) {
            fleetScenario.requestUpgrade(FleetScenario.machine(name), "revision=3421");
        }
        assertThat(fleetScenario.inFlight()).hasSize(1);
        machine("known", MachineRole.WORKER, "v1.33.2", "3421");
        assertThat(fleetScenario.inFlight()).hasSize(2).doesNotContain("w1");
        assertThat(why("w1"))
                .isEqualTo(
                        "machine-not-eligible: The machine shows 1.31.0 and the target is 1.33.2: upgrade one minor version at a"
                                + " time.");
    }

    @Test
    void aMachineInFlightTellsNoVersionOfARevision() {
        cluster("v1.34.0", "v1.32.0", "v1.32.0");
        fleetScenario.requestUpgrade(FleetScenario.machine("w0"), "revision=3421");
        machine("w0", MachineRole.WORKER, "v1.32.0", "3421");
        fleetScenario.requestUpgrade(FleetScenario.machine("w1"), "revision=3421");
        assertThat(fleetScenario.inFlight()).containsExactly("w0");
    }
}
