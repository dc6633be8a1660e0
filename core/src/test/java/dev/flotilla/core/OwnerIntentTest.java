package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.IntentStatus;
import dev.flotilla.schemas.row.IntentStatus.IntentState;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.RetryRule;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What is asked of an owner is asked of the machines that name it, under all gates, and shown on it. */
class OwnerIntentTest {
    private static final String TARGET = "revision=9";
    private static final OwnerKey WORKERS = Scene.deployment("a");
    private static final OwnerKey CONTROL_PLANE = Scene.controlPlane("a");

    private final Scene scene = Scene.open();

    @ParameterizedTest
    @EnumSource(OwnerKind.class)
    void upgradesTheMachinesThatNameItAndNoOthers(OwnerKind kind) {
        MachineRole role = kind == OwnerKind.CONTROL_PLANE ? MachineRole.CONTROL_PLANE : MachineRole.WORKER;
        scene.cluster("a", 1, 1);
        int controlPlanes = role == MachineRole.WORKER ? 1 : 2;
        scene.arrive(new ClusterRow(
                new ClusterKey(Scene.SITE, "default", "a"),
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
        OwnerKey owner = Scene.owner(kind, "mine");

        scene.ask(owner, TARGET);
        assertThat(scene.inFlight()).containsExactly("of-it");
        assertThat(scene.attempt("of-it").rolloutRef()).isEqualTo(new RolloutRef.IntentRef(owner, scene.now));
        assertThat(scene.attempt("of-it").target().text()).isEqualTo(TARGET);
        scene.succeed("of-it");

        assertThat(scene.inFlight()).isEmpty();
        assertThat(scene.shown(owner)).isEqualTo(status(owner, IntentState.DONE, null, 1, 1, 0));
    }

    /** The member that was given up on follows what its cluster was asked for before, and is at that target. */
    @Test
    void stopsAtAMemberThatWasGivenUpOnAlsoWhereItsClusterWasAskedForSomethingBefore() {
        ClusterKey cluster = scene.cluster("a", 3, 0);
        scene.ask(cluster, "revision=7");
        for (String member : List.of("a-cp-0", "a-cp-1", "a-cp-2")) {
            scene.succeed(member);
        }
        scene.ask(CONTROL_PLANE, TARGET);
        scene.failForGood("a-cp-0");
        assertThat(scene.inFlight()).isEmpty();
        scene.takeBack(CONTROL_PLANE);
        scene.pass(Duration.ofMinutes(20));
        scene.ask(CONTROL_PLANE, "revision=9");
        assertThat(scene.inFlight()).hasSize(1);
    }

    @Test
    void takesAControlPlaneOneMachineAtATime() {
        scene.cluster("a", 3, 2);
        scene.ask(CONTROL_PLANE, TARGET);
        for (String member : List.of("a-cp-0", "a-cp-1", "a-cp-2")) {
            assertThat(scene.inFlight()).containsExactly(member);
            scene.succeed(member);
        }
        assertThat(scene.inFlight()).isEmpty();
        assertThat(scene.shown(CONTROL_PLANE).state()).isEqualTo(IntentState.DONE);
    }

    @Test
    void letsWorkersWaitForAControlPlaneThatIsAskedToo() {
        scene.cluster("a", 2, 2);
        scene.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.FREEZE);
        scene.ask(WORKERS, "revision=8");
        scene.ask(CONTROL_PLANE, TARGET);
        scene.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.UNFREEZE);
        assertThat(scene.inFlight()).containsExactly("a-cp-0");
        assertThat(scene.closed("a-w-0")).containsExactly(GateLabel.CLUSTER_ORDER);
        scene.succeed("a-cp-0");
        scene.succeed("a-cp-1");
        assertThat(scene.inFlight()).containsExactly("a-w-0");
        assertThat(scene.attempt("a-w-0").target().text()).isEqualTo("revision=8");
        scene.succeed("a-w-0");
        scene.succeed("a-w-1");
        assertThat(scene.shown(WORKERS).state()).isEqualTo(IntentState.DONE);
        assertThat(scene.shown(CONTROL_PLANE).state()).isEqualTo(IntentState.DONE);
    }

    @Test
    void sharesWhatMayBeAwayInAClusterWithItsOtherOwners() {
        scene.cluster("a", 0, 2);
        machine("spare-0", OwnerKind.MACHINE_SET, "spare", MachineRole.WORKER);
        rule(new CountOrPercent.Count(2), RetryRule.DEFAULT);
        String track = "channel=1.33-classic/stable";
        scene.ask(WORKERS, track);
        scene.ask(Scene.owner(OwnerKind.MACHINE_SET, "spare"), track);
        assertThat(scene.inFlight()).hasSize(2);
        assertThat(scene.closed("spare-0")).containsExactly(GateLabel.CLUSTER_HEALTH);
        scene.succeed("a-w-0");
        assertThat(scene.inFlight()).contains("spare-0");
    }

    @Test
    void triesAgainAfterABackoffAndGivesUpAsThePolicySays() {
        scene.cluster("a", 0, 2);
        rule(new CountOrPercent.Count(1), new RetryRule(2, Duration.ofMinutes(1), Duration.ofMinutes(1)));
        scene.ask(WORKERS, TARGET);
        long first = scene.attempt("a-w-0").id();
        scene.fail("a-w-0");
        assertThat(scene.inFlight()).containsExactly("a-w-1");
        assertThat(scene.closed("a-w-0")).contains(GateLabel.BACKOFF);
        assertThat(scene.shown(WORKERS).lastFailure()).satisfies(failure -> {
            assertThat(failure.machine()).isEqualTo(Scene.machine("a-w-0"));
            assertThat(failure.failure().attemptId()).isEqualTo(first);
            assertThat(failure.failure().text()).isEqualTo("snap said no");
        });
        scene.succeed("a-w-1");
        scene.pass(Duration.ofMinutes(2));
        scene.fail("a-w-0");
        assertThat(scene.outcome("a-w-0")).isEqualTo(MachineOutcome.QUARANTINED);
        IntentStatus shown = scene.shown(WORKERS);
        assertThat(shown.state()).isEqualTo(IntentState.FAILED);
        assertThat(List.of(shown.machines(), shown.succeeded(), shown.failed())).containsExactly(2, 1, 1);
    }

    @Test
    void forgetsAFailureThatTheNextAttemptMakesGood() {
        scene.cluster("a", 0, 1);
        scene.ask(WORKERS, TARGET);
        scene.fail("a-w-0");
        scene.pass(Duration.ofHours(1));
        scene.succeed("a-w-0");
        assertThat(scene.shown(WORKERS)).isEqualTo(status(WORKERS, IntentState.DONE, null, 1, 1, 0));
    }

    @Test
    void saysThatItFailedWhereAControlPlaneHasComeToAHalt() {
        scene.cluster("a", 3, 0);
        scene.ask(CONTROL_PLANE, TARGET);
        scene.failForGood("a-cp-0");
        assertThat(scene.inFlight()).isEmpty();
        IntentStatus shown = scene.shown(CONTROL_PLANE);
        assertThat(shown.state()).isEqualTo(IntentState.FAILED);
        assertThat(List.of(shown.machines(), shown.succeeded(), shown.failed())).containsExactly(3, 0, 1);
    }

    /** Each object is asked for a target of its own; the machine comes to them in this order. */
    @ParameterizedTest
    @CsvSource({"machine owner cluster", "machine owner", "owner cluster", "machine cluster"})
    void comesAfterTheMachinesOwnIntentAndBeforeItsClusters(String asked) {
        ClusterKey cluster = scene.cluster("a", 0, 1);
        scene.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.FREEZE);
        List<String> order = List.of(asked.split(" "));
        for (String who : order.reversed()) {
            scene.ask(object(who, cluster), "revision=" + who.length());
        }
        scene.campaign(CampaignBuilder.named("up").priority(100).build());
        scene.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.UNFREEZE);
        for (String who : order) {
            assertThat(scene.attempt("a-w-0").target().text()).isEqualTo("revision=" + who.length());
            assertThat(scene.attempt("a-w-0").rolloutRef()).isEqualTo(new RolloutRef.IntentRef(object(who, cluster), scene.now));
            scene.succeed("a-w-0");
        }
        assertThat(scene.attempt("a-w-0").rolloutRef()).isInstanceOf(RolloutRef.CampaignRef.class);
    }

    @Test
    void failsAtOnceWhereItIsRefused() {
        scene.cluster("a", 0, 1);
        scene.ask(WORKERS, "localPath=/opt/k8s.snap");
        assertThat(scene.inFlight()).isEmpty();
        assertThat(scene.events()).endsWith(Event.REJECTED, Event.OBJECT_PROGRESSED);
        assertThat(scene.shown(WORKERS).state()).isEqualTo(IntentState.FAILED);
    }

    @Test
    void waitsForItsFirstMachine() {
        scene.ask(WORKERS, TARGET);
        assertThat(scene.shown(WORKERS)).isEqualTo(status(WORKERS, IntentState.IN_PROGRESS, null, 0, 0, 0));
        scene.cluster("a", 0, 1);
        assertThat(scene.inFlight()).containsExactly("a-w-0");
        assertThat(scene.shown(WORKERS).currentMachine()).isEqualTo(Scene.machine("a-w-0"));
    }

    @Test
    void leavesAMachineOutThatHasOptedOut() {
        scene.cluster("a", 0, 1);
        scene.arrive(MachineBuilder.like(scene.row("a-w-0")).optedOut().build());
        machine("b", OwnerKind.MACHINE_DEPLOYMENT, "a", MachineRole.WORKER);
        scene.ask(WORKERS, TARGET);
        scene.succeed("b");
        assertThat(scene.shown(WORKERS)).isEqualTo(status(WORKERS, IntentState.DONE, null, 1, 1, 0));
    }

    @Test
    void isNotDoneBecauseAMachineCannotBeRead() {
        scene.cluster("a", 0, 2);
        scene.ask(WORKERS, TARGET);
        scene.poison("flotilla.inventory.north", "machine/default/a-w-1");
        scene.succeed("a-w-0");
        assertThat(scene.shown(WORKERS)).isEqualTo(status(WORKERS, IntentState.IN_PROGRESS, null, 2, 1, 0));
    }

    private ObjectKey object(String who, ClusterKey cluster) {
        return switch (who) {
            case "machine" -> Scene.machine("a-w-0");
            case "owner" -> WORKERS;
            default -> cluster;
        };
    }

    private void machine(String name, OwnerKind kind, String owner, MachineRole role) {
        scene.arrive(MachineBuilder.of(Scene.SITE, "a", name)
                .role(role)
                .owner(kind, owner)
                .build());
    }

    private static OwnerKind other(OwnerKind kind) {
        return kind == OwnerKind.MACHINE_SET ? OwnerKind.MACHINE_DEPLOYMENT : OwnerKind.MACHINE_SET;
    }

    private void rule(CountOrPercent maxUnavailable, RetryRule retries) {
        scene.arrive(new UpgradePolicy(
                FleetScope.FLEET, null, null, false, null, null, null, new UpgradePolicy.IntentRule(maxUnavailable, retries)));
    }

    private IntentStatus status(
            OwnerKey owner, IntentState state, @Nullable MachineKey atWork, int machines, int ok, int failed) {
        return new IntentStatus(
                owner,
                "uid-" + owner.name(),
                Scene.START,
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
        scene.cluster("a", 0, 2);
        rule(new CountOrPercent.Count(2), new RetryRule(2, Duration.ofMinutes(1), Duration.ofMinutes(1)));
        scene.ask(WORKERS, "channel=1.33-classic/stable");
        scene.fail("a-w-1");
        assertThat(scene.shown(WORKERS).lastFailure().machine()).isEqualTo(Scene.machine("a-w-1"));
        scene.fail("a-w-0");
        String later = scene.status("a-w-0").lastFailure().attemptId()
                        > scene.status("a-w-1").lastFailure().attemptId()
                ? "a-w-0"
                : "a-w-1";
        assertThat(scene.shown(WORKERS).lastFailure().machine()).isEqualTo(Scene.machine(later));
        scene.pass(Duration.ofMinutes(2));
        String first = scene.inFlight().get(0);
        scene.fail(first);
        assertThat(scene.shown(WORKERS).lastFailure().machine()).isEqualTo(Scene.machine(first));
    }

    @Test
    void countsAMachineThatOptsOutAfterItWasTriedAndWaitsForItNoMore() {
        scene.cluster("a", 0, 1);
        scene.ask(WORKERS, TARGET);
        scene.report("a-w-0", new dev.flotilla.schemas.row.AttemptReport.Deferred("on hold"));
        scene.arrive(MachineBuilder.like(scene.row("a-w-0")).optedOut().build());
        assertThat(scene.shown(WORKERS)).isEqualTo(status(WORKERS, IntentState.DONE, null, 1, 0, 0));
    }

    @Test
    void hasNotFailedWhileAnotherMemberOfItsControlPlaneIsAtWork() {
        scene.cluster("a", 2, 0);
        rule(new CountOrPercent.Count(1), new RetryRule(2, Duration.ofMinutes(1), Duration.ofMinutes(1)));
        scene.ask(CONTROL_PLANE, TARGET);
        scene.fail("a-cp-0");
        assertThat(scene.inFlight()).containsExactly("a-cp-1");
        assertThat(scene.shown(CONTROL_PLANE).state()).isEqualTo(IntentState.IN_PROGRESS);
        assertThat(scene.shown(CONTROL_PLANE).currentMachine()).isEqualTo(Scene.machine("a-cp-1"));
    }

    @Test
    void theJournalSaysHowFarItIs() {
        scene.cluster("a", 0, 2);
        rule(new CountOrPercent.Count(1), new RetryRule(1, Duration.ofMinutes(1), Duration.ofMinutes(1)));
        scene.ask(WORKERS, TARGET);
        scene.fail("a-w-0");
        scene.succeed("a-w-1");
        scene.takeBack(WORKERS);
        assertThat(scene.decisions)
                .filteredOn(decision -> decision.event() == Event.OBJECT_PROGRESSED)
                .extracting(Decision::reason)
                .startsWith("in-progress, 0 of 2 at target")
                .contains("in-progress, 0 of 2 at target, 1 given up on", "failed, 1 of 2 at target, 1 given up on")
                .endsWith("intent removed");
    }
}
