package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.IntentStatus;
import dev.flotilla.schemas.row.IntentStatus.IntentState;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.RetryRule;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An owner's intent applies to the machines that name the owner, passes all gates, and shows its status on the owner.
 */
class OwnerIntentTest {
    private static final String TARGET = "revision=9";
    private static final OwnerKey WORKERS = FleetScenario.deployment("a");
    private static final OwnerKey CONTROL_PLANE = FleetScenario.controlPlane("a");

    private final FleetScenario fleetScenario = FleetScenario.open();

    @ParameterizedTest
    @EnumSource(OwnerKind.class)
    void upgradesOnlyTheMachinesThatNameTheOwner(OwnerKind kind) {
        MachineRole role = kind == OwnerKind.CONTROL_PLANE ? MachineRole.CONTROL_PLANE : MachineRole.WORKER;
        fleetScenario.cluster("a", 1, 1);
        int controlPlanes = role == MachineRole.WORKER ? 1 : 2;
        fleetScenario.receive(new ClusterRow(
                new ClusterKey(FleetScenario.SITE, "default", "a"),
                "uid-a",
                Labels.NONE,
                false,
                false,
                null,
                controlPlanes,
                1));
        machine("of-it", kind, "mine", role);
        machine("of-its-namesake", other(kind), "mine", MachineRole.WORKER);
        machine("of-another", kind, "others", MachineRole.WORKER);
        OwnerKey owner = FleetScenario.owner(kind, "mine");

        fleetScenario.requestUpgrade(owner, TARGET);
        assertThat(fleetScenario.inFlight()).containsExactly("of-it");
        assertThat(fleetScenario.attempt("of-it").rolloutRef())
                .isEqualTo(new RolloutRef.IntentRef(owner, fleetScenario.now));
        assertThat(fleetScenario.attempt("of-it").target().text()).isEqualTo(TARGET);
        fleetScenario.succeed("of-it");

        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.intentStatus(owner)).isEqualTo(status(owner, IntentState.DONE, null, 1, 1, 0));
    }

    /** The quarantined member follows the earlier intent of its cluster, and is at that target. */
    @Test
    void stopsAtAQuarantinedMemberDespiteAnEarlierClusterIntent() {
        ClusterKey cluster = fleetScenario.cluster("a", 3, 0);
        fleetScenario.requestUpgrade(cluster, "revision=7");
        for (String member : List.of("a-cp-0", "a-cp-1", "a-cp-2")) {
            fleetScenario.succeed(member);
        }
        fleetScenario.requestUpgrade(CONTROL_PLANE, TARGET);
        fleetScenario.quarantine("a-cp-0");
        assertThat(fleetScenario.inFlight()).isEmpty();
        fleetScenario.removeIntent(CONTROL_PLANE);
        fleetScenario.advance(Duration.ofMinutes(20));
        fleetScenario.requestUpgrade(CONTROL_PLANE, "revision=9");
        assertThat(fleetScenario.inFlight()).hasSize(1);
    }

    @Test
    void upgradesAControlPlaneOneMachineAtATime() {
        fleetScenario.cluster("a", 3, 2);
        fleetScenario.requestUpgrade(CONTROL_PLANE, TARGET);
        for (String member : List.of("a-cp-0", "a-cp-1", "a-cp-2")) {
            assertThat(fleetScenario.inFlight()).containsExactly(member);
            fleetScenario.succeed(member);
        }
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.intentStatus(CONTROL_PLANE).state()).isEqualTo(IntentState.DONE);
    }

    @Test
    void workersWaitForATargetedControlPlane() {
        fleetScenario.cluster("a", 2, 2);
        fleetScenario.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.FREEZE);
        fleetScenario.requestUpgrade(WORKERS, "revision=8");
        fleetScenario.requestUpgrade(CONTROL_PLANE, TARGET);
        fleetScenario.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.UNFREEZE);
        assertThat(fleetScenario.inFlight()).containsExactly("a-cp-0");
        assertThat(fleetScenario.closed("a-w-0")).containsExactly(GateLabel.CLUSTER_ORDER);
        fleetScenario.succeed("a-cp-0");
        fleetScenario.succeed("a-cp-1");
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
        assertThat(fleetScenario.attempt("a-w-0").target().text()).isEqualTo("revision=8");
        fleetScenario.succeed("a-w-0");
        fleetScenario.succeed("a-w-1");
        assertThat(fleetScenario.intentStatus(WORKERS).state()).isEqualTo(IntentState.DONE);
        assertThat(fleetScenario.intentStatus(CONTROL_PLANE).state()).isEqualTo(IntentState.DONE);
    }

    @Test
    void sharesMaxUnavailableWithOtherOwnersOfTheCluster() {
        fleetScenario.cluster("a", 0, 2);
        machine("spare-0", OwnerKind.MACHINE_SET, "spare", MachineRole.WORKER);
        rule(new CountOrPercent.Count(2), RetryRule.DEFAULT);
        String track = "channel=1.33-classic/stable";
        fleetScenario.requestUpgrade(WORKERS, track);
        fleetScenario.requestUpgrade(FleetScenario.owner(OwnerKind.MACHINE_SET, "spare"), track);
        assertThat(fleetScenario.inFlight()).hasSize(2);
        assertThat(fleetScenario.closed("spare-0")).containsExactly(GateLabel.CLUSTER_HEALTH);
        fleetScenario.succeed("a-w-0");
        assertThat(fleetScenario.inFlight()).contains("spare-0");
    }

    @Test
    void retriesAfterABackoffAndQuarantinesByThePolicy() {
        fleetScenario.cluster("a", 0, 2);
        rule(new CountOrPercent.Count(1), new RetryRule(2, Duration.ofMinutes(1), Duration.ofMinutes(1)));
        fleetScenario.requestUpgrade(WORKERS, TARGET);
        long first = fleetScenario.attempt("a-w-0").id();
        fleetScenario.fail("a-w-0");
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-1");
        assertThat(fleetScenario.closed("a-w-0")).contains(GateLabel.BACKOFF);
        assertThat(fleetScenario.intentStatus(WORKERS).lastFailure()).satisfies(failure -> {
            assertThat(failure.machine()).isEqualTo(FleetScenario.machine("a-w-0"));
            assertThat(failure.failure().attemptId()).isEqualTo(first);
            assertThat(failure.failure().text()).isEqualTo("snap said no");
        });
        fleetScenario.succeed("a-w-1");
        fleetScenario.advance(Duration.ofMinutes(2));
        fleetScenario.fail("a-w-0");
        assertThat(fleetScenario.outcome("a-w-0")).isEqualTo(MachineOutcome.QUARANTINED);
        IntentStatus shown = fleetScenario.intentStatus(WORKERS);
        assertThat(shown.state()).isEqualTo(IntentState.FAILED);
        assertThat(List.of(shown.machines(), shown.succeeded(), shown.failed())).containsExactly(2, 1, 1);
    }

    @Test
    void forgetsAFailureAfterASuccessfulRetry() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.requestUpgrade(WORKERS, TARGET);
        fleetScenario.fail("a-w-0");
        fleetScenario.advance(Duration.ofHours(1));
        fleetScenario.succeed("a-w-0");
        assertThat(fleetScenario.intentStatus(WORKERS)).isEqualTo(status(WORKERS, IntentState.DONE, null, 1, 1, 0));
    }

    @Test
    void failsWhenItsControlPlaneIsStuck() {
        fleetScenario.cluster("a", 3, 0);
        fleetScenario.requestUpgrade(CONTROL_PLANE, TARGET);
        fleetScenario.quarantine("a-cp-0");
        assertThat(fleetScenario.inFlight()).isEmpty();
        IntentStatus shown = fleetScenario.intentStatus(CONTROL_PLANE);
        assertThat(shown.state()).isEqualTo(IntentState.FAILED);
        assertThat(List.of(shown.machines(), shown.succeeded(), shown.failed())).containsExactly(3, 0, 1);
    }

    /** Each object has an intent with a target of its own; the machine follows them in this order. */
    @ParameterizedTest
    @CsvSource({"machine owner cluster", "machine owner", "owner cluster", "machine cluster"})
    void goesAfterTheMachinesIntentAndBeforeTheClusters(String asked) {
        ClusterKey cluster = fleetScenario.cluster("a", 0, 1);
        fleetScenario.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.FREEZE);
        List<String> order = List.of(asked.split(" "));
        for (String who : order.reversed()) {
            fleetScenario.requestUpgrade(object(who, cluster), "revision=" + who.length());
        }
        fleetScenario.campaign(CampaignBuilder.named("up").priority(100).build());
        fleetScenario.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.UNFREEZE);
        for (String who : order) {
            assertThat(fleetScenario.attempt("a-w-0").target().text()).isEqualTo("revision=" + who.length());
            assertThat(fleetScenario.attempt("a-w-0").rolloutRef())
                    .isEqualTo(new RolloutRef.IntentRef(object(who, cluster), fleetScenario.now));
            fleetScenario.succeed("a-w-0");
        }
        assertThat(fleetScenario.attempt("a-w-0").rolloutRef()).isInstanceOf(RolloutRef.CampaignRef.class);
    }

    @Test
    void failsAtOnceWhenItIsRejected() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.requestUpgrade(WORKERS, "localPath=/opt/k8s.snap");
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.events()).endsWith(DecisionEvent.REJECTED, DecisionEvent.INTENT_STATUS_CHANGED);
        assertThat(fleetScenario.intentStatus(WORKERS).state()).isEqualTo(IntentState.FAILED);
    }

    @Test
    void waitsForItsFirstMachine() {
        fleetScenario.requestUpgrade(WORKERS, TARGET);
        assertThat(fleetScenario.intentStatus(WORKERS))
                .isEqualTo(status(WORKERS, IntentState.IN_PROGRESS, null, 0, 0, 0));
        fleetScenario.cluster("a", 0, 1);
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
        assertThat(fleetScenario.intentStatus(WORKERS).currentMachine()).isEqualTo(FleetScenario.machine("a-w-0"));
    }

    @Test
    void leavesOutAMachineThatOptedOut() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.receive(
                MachineRowBuilder.like(fleetScenario.row("a-w-0")).optedOut().build());
        machine("b", OwnerKind.MACHINE_DEPLOYMENT, "a", MachineRole.WORKER);
        fleetScenario.requestUpgrade(WORKERS, TARGET);
        fleetScenario.succeed("b");
        assertThat(fleetScenario.intentStatus(WORKERS)).isEqualTo(status(WORKERS, IntentState.DONE, null, 1, 1, 0));
    }

    @Test
    void isNotDoneWhileAMachineIsUnreadable() {
        fleetScenario.cluster("a", 0, 2);
        fleetScenario.requestUpgrade(WORKERS, TARGET);
        fleetScenario.makeUnreadable("flotilla.inventory.north", "machine/default/a-w-1");
        fleetScenario.succeed("a-w-0");
        assertThat(fleetScenario.intentStatus(WORKERS))
                .isEqualTo(status(WORKERS, IntentState.IN_PROGRESS, null, 2, 1, 0));
    }

    private ObjectKey object(String who, ClusterKey cluster) {
        return switch (who) {
            case "machine" -> FleetScenario.machine("a-w-0");
            case "owner" -> WORKERS;
            default -> cluster;
        };
    }

    private void machine(String name, OwnerKind kind, String owner, MachineRole role) {
        fleetScenario.receive(MachineRowBuilder.of(FleetScenario.SITE, "a", name)
                .role(role)
                .owner(kind, owner)
                .build());
    }

    private static OwnerKind other(OwnerKind kind) {
        return kind == OwnerKind.MACHINE_SET ? OwnerKind.MACHINE_DEPLOYMENT : OwnerKind.MACHINE_SET;
    }

    private void rule(CountOrPercent maxUnavailable, RetryRule retries) {
        fleetScenario.receive(new UpgradePolicy(
                FleetScope.FLEET,
                null,
                null,
                false,
                null,
                null,
                null,
                new UpgradePolicy.IntentRule(maxUnavailable, retries)));
    }

    private IntentStatus status(
            OwnerKey owner, IntentState state, @Nullable MachineKey atWork, int machines, int ok, int failed) {
        return new IntentStatus(
                owner,
                "uid-" + owner.name(),
                FleetScenario.START,
                UpgradeTarget.parse(TARGET),
                state,
                atWork,
                machines,
                ok,
                failed,
                null);
    }

    @Test
    void showsTheFailureOfItsLatestAttempt() {
        fleetScenario.cluster("a", 0, 2);
        rule(new CountOrPercent.Count(2), new RetryRule(2, Duration.ofMinutes(1), Duration.ofMinutes(1)));
        fleetScenario.requestUpgrade(WORKERS, "channel=1.33-classic/stable");
        fleetScenario.fail("a-w-1");
        assertThat(fleetScenario.intentStatus(WORKERS).lastFailure().machine())
                .isEqualTo(FleetScenario.machine("a-w-1"));
        fleetScenario.fail("a-w-0");
        String later = fleetScenario.status("a-w-0").lastFailure().attemptId()
                        > fleetScenario.status("a-w-1").lastFailure().attemptId()
                ? "a-w-0"
                : "a-w-1";
        assertThat(fleetScenario.intentStatus(WORKERS).lastFailure().machine()).isEqualTo(FleetScenario.machine(later));
        fleetScenario.advance(Duration.ofMinutes(2));
        String first = fleetScenario.inFlight().get(0);
        fleetScenario.fail(first);
        assertThat(fleetScenario.intentStatus(WORKERS).lastFailure().machine()).isEqualTo(FleetScenario.machine(first));
    }

    @Test
    void countsAMachineThatOptsOutAfterAnAttemptWithoutWaitingForIt() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.requestUpgrade(WORKERS, TARGET);
        fleetScenario.report("a-w-0", new dev.flotilla.schemas.row.AttemptReport.Deferred("on hold"));
        fleetScenario.receive(
                MachineRowBuilder.like(fleetScenario.row("a-w-0")).optedOut().build());
        assertThat(fleetScenario.intentStatus(WORKERS)).isEqualTo(status(WORKERS, IntentState.DONE, null, 1, 0, 0));
    }

    @Test
    void hasNotFailedWhileAnotherMemberIsInFlight() {
        fleetScenario.cluster("a", 2, 0);
        rule(new CountOrPercent.Count(1), new RetryRule(2, Duration.ofMinutes(1), Duration.ofMinutes(1)));
        fleetScenario.requestUpgrade(CONTROL_PLANE, TARGET);
        fleetScenario.fail("a-cp-0");
        assertThat(fleetScenario.inFlight()).containsExactly("a-cp-1");
        assertThat(fleetScenario.intentStatus(CONTROL_PLANE).state()).isEqualTo(IntentState.IN_PROGRESS);
        assertThat(fleetScenario.intentStatus(CONTROL_PLANE).currentMachine())
                .isEqualTo(FleetScenario.machine("a-cp-1"));
    }

    @Test
    void theJournalShowsItsProgress() {
        fleetScenario.cluster("a", 0, 2);
        rule(new CountOrPercent.Count(1), new RetryRule(1, Duration.ofMinutes(1), Duration.ofMinutes(1)));
        fleetScenario.requestUpgrade(WORKERS, TARGET);
        fleetScenario.fail("a-w-0");
        fleetScenario.succeed("a-w-1");
        fleetScenario.removeIntent(WORKERS);
        assertThat(fleetScenario.decisions)
                .filteredOn(decision -> decision.event() == DecisionEvent.INTENT_STATUS_CHANGED)
                .extracting(Decision::reason)
                .startsWith("in-progress, 0 of 2 at target")
                .contains("in-progress, 0 of 2 at target, 1 quarantined", "failed, 1 of 2 at target, 1 quarantined")
                .endsWith("intent removed");
    }
}
