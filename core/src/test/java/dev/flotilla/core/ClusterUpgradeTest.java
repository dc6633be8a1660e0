package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.explain.BlockedMachineCounter;
import dev.flotilla.core.explain.CampaignWarning;
import dev.flotilla.core.explain.CampaignWarningFinder;
import dev.flotilla.core.explain.MachineExplainer;
import dev.flotilla.core.explain.MachineSummary;
import dev.flotilla.core.gate.ClosedGate;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.ClusterUpgradeKey;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.ClusterUpgrade;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineSelection;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.NodeUpgradeTemplateRef;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.ProviderRule;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradeProvider;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.UpgradeTaskRef;
import dev.flotilla.schemas.row.VersionField;
import dev.flotilla.schemas.row.VersionFieldChange;
import dev.flotilla.schemas.row.VersionFieldKind;
import dev.flotilla.schemas.row.WorkerCommand;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A campaign opens clusters whose machines Cluster API updates in place, and admits each machine that Cluster API asks for. */
class ClusterUpgradeTest {
    private static final String OLD = "v1.32.1";
    private static final String NEW = "v1.33.2";
    private static final String HASH = "spec=sha256:" + "a".repeat(64);
    private static final String OTHER_HASH = "spec=sha256:" + "b".repeat(64);

    private final FleetScenario fleetScenario = FleetScenario.open();

    @BeforeEach
    void allowNodeUpgrades() {
        policy(null);
    }

    private void policy(@Nullable Integer inFlight) {
        fleetScenario.receive(FleetScenario.policy(
                        FleetScope.FLEET, inFlight == null ? null : new CountOrPercent.Count(inFlight))
                .withProviderRules(List.of(new ProviderRule(
                        List.of(),
                        LabelSelector.ALL,
                        UpgradeProvider.NODE_UPGRADE,
                        new NodeUpgradeTemplateRef("flotilla.dev/v1alpha1", "NodeUpgradeTemplate", "kubeadm")))));
    }

    private static ClusterKey key(String name) {
        return new ClusterKey(FleetScenario.SITE, "default", name);
    }

    /** A plain cluster with three control-plane machines and two workers of a MachineDeployment. */
    private void cluster(String name) {
        fields(name, controlPlane(name, OLD, null), workers(name, OLD, null));
        for (int i = 0; i < 3; i++) {
            machine(name, name + "-cp-" + i, MachineRole.CONTROL_PLANE, OLD);
        }
        for (int i = 0; i < 2; i++) {
            machine(name, name + "-w-" + i, MachineRole.WORKER, OLD);
        }
    }

    private static VersionField controlPlane(String cluster, String version, @Nullable String problem) {
        return new VersionField(VersionFieldKind.CONTROL_PLANE, cluster + "-cp", version, "argocd", problem);
    }

    private static VersionField workers(String cluster, String version, @Nullable String problem) {
        return new VersionField(VersionFieldKind.MACHINE_DEPLOYMENT, cluster + "-md", version, null, problem);
    }

    private static VersionField topology(String cluster, String version) {
        return new VersionField(VersionFieldKind.TOPOLOGY, cluster, version, "argocd", null);
    }

    private void fields(String name, VersionField... fields) {
        fleetScenario.receive(
                new ClusterRow(key(name), "uid-" + name, CampaignBuilder.labels("name", name), false, false, null, 3, 2)
                        .withVersionFields(List.of(fields)));
    }

    private void machine(String cluster, String name, MachineRole role, String version) {
        MachineRowBuilder row = MachineRowBuilder.of(FleetScenario.SITE, cluster, name)
                .provider(UpgradeProvider.NODE_UPGRADE)
                .revision(null)
                .role(role)
                .version(version);
        fleetScenario.receive(
                (role == MachineRole.WORKER ? row.owner(OwnerKind.MACHINE_DEPLOYMENT, cluster + "-md") : row).build());
    }

    private static CampaignBuilder campaign() {
        return CampaignBuilder.named("up").target("version=" + NEW);
    }

    private void start() {
        fleetScenario.campaign(campaign().build());
    }

    /** A campaign has opened a cluster, and the version of its control plane is written. */
    private void openControlPlane() {
        cluster("a");
        start();
        fields("a", controlPlane("a", NEW, null), workers("a", OLD, null));
    }

    private @Nullable ClusterUpgrade upgrade(String name) {
        return fleetScenario.rows.get(new RowKey(Table.STATUS, new ClusterUpgradeKey(key(name))))
                        instanceof ClusterUpgrade row
                ? row
                : null;
    }

    private List<String> changes(String name) {
        ClusterUpgrade upgrade = upgrade(name);
        return upgrade == null
                ? List.of()
                : upgrade.changes().stream().map(VersionFieldChange::name).toList();
    }

    /** Cluster API asks for the update of a machine. */
    private void request(String name) {
        fleetScenario.receive(new UpgradeIntent(
                FleetScenario.machine(name),
                FleetScenario.uidOf(name),
                UpgradeTarget.parse("version=" + NEW),
                fleetScenario.now,
                new UpgradeTaskRef(null, name + "-task", "uid-of-task-of-" + name)));
    }

    /** Cluster API asks for the update of a machine with a task that names the hash of all changes, of which the version is one. */
    private void requestHash(String name, String hash, String version) {
        fleetScenario.receive(new UpgradeIntent(
                        FleetScenario.machine(name),
                        FleetScenario.uidOf(name),
                        UpgradeTarget.parse(hash),
                        fleetScenario.now,
                        new UpgradeTaskRef(null, name + "-task", "uid-of-task-of-" + name + hash))
                .withExpectedVersion(version));
    }

    private void upgrade(String cluster, String name, MachineRole role) {
        request(name);
        assertThat(fleetScenario.attempt(name).rolloutRef()).isInstanceOf(RolloutRef.CampaignRef.class);
        fleetScenario.succeed(name);
        // The node is at the target, so the task's own attempt ends without a call.
        fleetScenario.report(
                name,
                new dev.flotilla.schemas.row.AttemptReport.Succeeded(
                        dev.flotilla.schemas.row.AttemptReport.SuccessProof.UNCHANGED, null, NEW));
        machine(cluster, name, role, NEW);
        fleetScenario.receive(new Tombstone(new RowKey(Table.INTENTS, FleetScenario.machine(name))));
    }

    private ClosedGate gate(String name) {
        return gateOf(name, GateLabel.CLUSTER_API);
    }

    private ClosedGate gateOf(String name, GateLabel label) {
        return fleetScenario.explain(name).closedGates().stream()
                .filter(gate -> gate.gate() == label)
                .findFirst()
                .orElseThrow(() -> new AssertionError(fleetScenario.closed(name).toString()));
    }

    @Test
    void aPlainClusterIsUpgradedControlPlaneFirst() {
        cluster("a");
        start();
        assertThat(changes("a")).containsExactly("a-cp");
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(gate("a-cp-0").message())
                .isEqualTo("The site's watcher has not written the version of control plane a-cp yet.");
        fields("a", controlPlane("a", NEW, null), workers("a", OLD, null));
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(gate("a-cp-0").message()).startsWith("Cluster API has not asked for this machine yet");
        for (int i = 0; i < 3; i++) {
            assertThat(changes("a")).containsExactly("a-cp");
            upgrade("a", "a-cp-" + i, MachineRole.CONTROL_PLANE);
        }
        assertThat(changes("a")).containsExactly("a-cp", "a-md");
        fields("a", controlPlane("a", NEW, null), workers("a", NEW, null));
        upgrade("a", "a-w-0", MachineRole.WORKER);
        upgrade("a", "a-w-1", MachineRole.WORKER);
        assertThat(upgrade("a")).isNull();
        assertThat(fleetScenario.campaignStatus("up").state()).isEqualTo(CampaignState.COMPLETED);
        assertThat(fleetScenario.events())
                .contains(
                        DecisionEvent.CLUSTER_UPGRADE_OPENED,
                        DecisionEvent.CLUSTER_UPGRADE_CHANGED,
                        DecisionEvent.CLUSTER_UPGRADE_CLOSED);
    }

    @Test
    void aMachineIsUpgradedOnceToAllThatClusterApiAsksFor() {
        openControlPlane();
        requestHash("a-cp-0", HASH, NEW);
        UpgradeAttempt attempt = fleetScenario.attempt("a-cp-0");
        assertThat(attempt.rolloutRef()).isInstanceOf(RolloutRef.CampaignRef.class);
        assertThat(attempt.target().text()).isEqualTo(HASH);
        assertThat(fleetScenario.rows.get(new RowKey(Table.COMMANDS, FleetScenario.machine("a-cp-0"))))
                .isInstanceOfSatisfying(
                        WorkerCommand.UpgradeMachine.class,
                        command -> assertThat(command.expectedVersion()).isEqualTo(NEW));
        fleetScenario.succeed("a-cp-0");
        assertThat(fleetScenario.inFlight()).as("an attempt of the task").isEmpty();
        assertThat(status("a-cp-0").entries())
                .extracting(entry -> entry.rolloutRef() instanceof RolloutRef.CampaignRef, RolloutEntry::outcome)
                .containsExactly(tuple(false, MachineOutcome.SUCCEEDED), tuple(true, MachineOutcome.SUCCEEDED));
        assertThat(String.valueOf(status("a-cp-0").latestEntry().target())).isEqualTo("version=" + NEW);
    }

    @Test
    void anAttemptIsCancelledIfClusterApiAsksForSomethingElse() {
        openControlPlane();
        requestHash("a-cp-0", HASH, NEW);
        requestHash("a-cp-0", OTHER_HASH, NEW);
        assertThat(fleetScenario.attempt("a-cp-0").cancelled()).isTrue();
    }

    @Test
    void anAttemptToTheVersionIsCancelledIfClusterApiAsksForMore() {
        openControlPlane();
        request("a-cp-0");
        assertThat(fleetScenario.attempt("a-cp-0").target().text()).isEqualTo("version=" + NEW);
        requestHash("a-cp-0", HASH, NEW);
        assertThat(fleetScenario.attempt("a-cp-0").cancelled()).isTrue();
    }

    /** Versions with other suffixes are equal in order, and not the same. */
    @Test
    void aVersionWithAnotherSuffixIsAskedForByClusterApiToo() {
        String before = NEW + "+k3s1";
        String after = NEW + "+k3s2";
        cluster("a");
        fields("a", controlPlane("a", before, null), workers("a", before, null));
        for (int i = 0; i < 3; i++) {
            machine("a", "a-cp-" + i, MachineRole.CONTROL_PLANE, before);
        }
        for (int i = 0; i < 2; i++) {
            machine("a", "a-w-" + i, MachineRole.WORKER, before);
        }
        fleetScenario.campaign(campaign().target("version=" + after).build());
        assertThat(fleetScenario.inFlight()).as("nobody has asked for them").isEmpty();
        assertThat(changes("a")).containsExactly("a-cp");
    }

    @Test
    void whatATaskHasUpgradedIsNotUpgradedAgain() {
        cluster("a");
        requestHash("a-cp-0", HASH, NEW);
        fleetScenario.succeed("a-cp-0");
        start();
        fields("a", controlPlane("a", NEW, null), workers("a", OLD, null));
        assertThat(fleetScenario.attempt("a-cp-0").target().text())
                .as("a target that the node shows already")
                .isEqualTo("version=" + NEW);
    }

    /** Somebody deletes the task, and Cluster API asks again for the same: the node does not show the hash. */
    @Test
    void aTaskThatIsCreatedAgainUpgradesNothingAgain() {
        cluster("a");
        requestHash("a-cp-0", HASH, NEW);
        fleetScenario.succeed("a-cp-0");
        machine("a", "a-cp-0", MachineRole.CONTROL_PLANE, NEW);
        for (int i = 0; i < 12; i++) {
            fleetScenario.advance(Duration.ofMinutes(1));
            requestHash("a-cp-0", HASH, NEW);
            assertThat(fleetScenario.inFlight()).isEmpty();
        }
        assertThat(status("a-cp-0").entries())
                .hasSizeLessThanOrEqualTo(RolloutEntry.MAX_PER_MACHINE)
                .first()
                .satisfies(entry -> {
                    assertThat(entry.rolloutRef())
                            .isEqualTo(new RolloutRef.IntentRef(FleetScenario.machine("a-cp-0"), fleetScenario.now));
                    assertThat(entry.outcome()).isEqualTo(MachineOutcome.UNCHANGED);
                });
        fleetScenario.advance(Duration.ofMinutes(1));
        requestHash("a-cp-0", OTHER_HASH, NEW);
        fleetScenario.succeed("a-cp-0");
        fleetScenario.advance(Duration.ofMinutes(1));
        requestHash("a-cp-0", HASH, NEW);
        assertThat(fleetScenario.inFlight()).as("the first change again").containsExactly("a-cp-0");
    }

    @Test
    void aTaskThatIsCreatedAgainWhileItsMachineIsUpgradedEndsWithIt() {
        cluster("a");
        requestHash("a-cp-0", HASH, NEW);
        fleetScenario.step("a-cp-0", AttemptStep.STARTING);
        fleetScenario.advance(Duration.ofMinutes(1));
        requestHash("a-cp-0", HASH, NEW);
        fleetScenario.succeed("a-cp-0");
        assertThat(fleetScenario.inFlight()).isEmpty();
    }

    @Test
    void aTaskThatIsCreatedAgainAfterItsCampaignHasUpgradedTheMachineUpgradesNothingAgain() {
        openControlPlane();
        requestHash("a-cp-0", HASH, NEW);
        fleetScenario.succeed("a-cp-0");
        machine("a", "a-cp-0", MachineRole.CONTROL_PLANE, NEW);
        fleetScenario.advance(Duration.ofMinutes(1));
        requestHash("a-cp-0", HASH, NEW);
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(String.valueOf(status("a-cp-0").latestEntry().target())).isEqualTo("version=" + NEW);
    }

    /** Nobody knows what of the first change is left. */
    @Test
    void aTaskThatIsCreatedAgainAfterAnUpgradeToAnotherVersionWasAbortedUpgradesItsMachine() {
        cluster("a");
        fields("a");
        requestHash("a-cp-0", HASH, OLD);
        fleetScenario.succeed("a-cp-0");
        start();
        fleetScenario.step("a-cp-0", AttemptStep.REFRESHING);
        order(OperatorOrder.OrderVerb.ABORT);
        fleetScenario.report("a-cp-0", new AttemptReport.Aborted("between two steps"));
        fleetScenario.advance(Duration.ofMinutes(1));
        requestHash("a-cp-0", HASH, OLD);
        assertThat(fleetScenario.inFlight()).containsExactly("a-cp-0");
    }

    /** A longer row could not be read. */
    @Test
    void aTaskThatIsFulfilledTakesNoMoreEntriesThanAMachineHasRoomFor() {
        clusterWithOneEntryLeft();
        requestHash("a-cp-0", HASH, OLD);
        fleetScenario.succeed("a-cp-0");
        for (int i = 0; i < 3; i++) {
            assertThat(status("a-cp-0").entries()).hasSize(RolloutEntry.MAX_PER_MACHINE);
            fleetScenario.advance(Duration.ofMinutes(1));
            requestHash("a-cp-0", HASH, OLD);
            assertThat(fleetScenario.inFlight()).isEmpty();
        }
    }

    @Test
    void aTaskWaitsIfItsMachineHasNoRoomForItWhenItsCampaignHasUpgradedTheMachine() {
        clusterWithOneEntryLeft();
        start();
        fields("a", controlPlane("a", NEW, null), workers("a", OLD, null));
        requestHash("a-cp-0", HASH, NEW);
        fleetScenario.succeed("a-cp-0");
        assertThat(status("a-cp-0").entries()).hasSize(RolloutEntry.MAX_PER_MACHINE);
        assertThat(gateOf("a-cp-0", GateLabel.CLAIMED_BY_OTHER).message())
                .isEqualTo("The machine already has the maximum of 8 campaigns and intents.");
    }

    /** Campaigns have upgraded a machine that has room for one entry more. */
    private void clusterWithOneEntryLeft() {
        cluster("a");
        for (int i = 1; i < RolloutEntry.MAX_PER_MACHINE; i++) {
            fleetScenario.campaign(CampaignBuilder.named("n" + i)
                    .target("version=" + OLD)
                    .select(only("a-cp-0"))
                    .build());
            fleetScenario.succeed("a-cp-0");
        }
    }

    private static MachineSelection only(String machine) {
        return new MachineSelection(
                List.of(),
                LabelSelector.ALL,
                LabelSelector.ALL,
                List.of(),
                List.of(),
                List.of("a-cp-0", "a-cp-1", "a-cp-2", "a-w-0", "a-w-1").stream()
                        .filter(name -> !name.equals(machine))
                        .map(FleetScenario::machine)
                        .toList());
    }

    @Test
    void aTaskToAnEarlierVersionEndsFirst() {
        openControlPlane();
        upgrade("a", "a-cp-0", MachineRole.CONTROL_PLANE);
        requestHash("a-cp-1", HASH, "v1.32.4");
        UpgradeAttempt attempt = fleetScenario.attempt("a-cp-1");
        assertThat(attempt.rolloutRef()).isInstanceOf(RolloutRef.IntentRef.class);
        assertThat(attempt.target().text()).isEqualTo(HASH);
    }

    private MachineStatus status(String name) {
        return (MachineStatus)
                Objects.requireNonNull(fleetScenario.rows.get(new RowKey(Table.STATUS, FleetScenario.machine(name))));
    }

    @Test
    void aTopologyHasOneField() {
        cluster("a");
        fields("a", topology("a", OLD), controlPlane("a", OLD, null), workers("a", OLD, null));
        start();
        assertThat(changes("a")).containsExactly("a");
    }

    @Test
    void aPausedCampaignOpensNothingAndStartsNothingThatClusterApiAsksFor() {
        openControlPlane();
        order(OperatorOrder.OrderVerb.PAUSE);
        request("a-cp-0");
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.explain("a-cp-0").rolloutRef()).isInstanceOf(RolloutRef.CampaignRef.class);
        assertThat(fleetScenario.explain("a-cp-0").nextStep()).startsWith("Campaign up is paused");
        assertThat(summaryOf("a-cp-0").gate()).isEqualTo(GateLabel.CAMPAIGN_NOT_RUNNING);
        cluster("b");
        assertThat(changes("b")).isEmpty();
        order(OperatorOrder.OrderVerb.RUN);
        assertThat(fleetScenario.inFlight()).containsExactly("a-cp-0");
        assertThat(changes("b")).containsExactly("b-cp");
    }

    @Test
    void anAbortedCampaignHoldsWhatClusterApiAsksForUntilItIsRemoved() {
        openControlPlane();
        order(OperatorOrder.OrderVerb.ABORT);
        request("a-cp-0");
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(upgrade("a")).isNotNull();
        assertThat(fleetScenario.explain("a-cp-0").closedGates())
                .singleElement()
                .satisfies(gate -> {
                    assertThat(gate.gate()).isEqualTo(GateLabel.CLAIMED_BY_OTHER);
                    assertThat(gate.message())
                            .isEqualTo(
                                    "Campaign up has opened cluster north/default/a and admits its machines: the campaign is"
                                            + " aborted, and this one waits until the campaign is deleted (flotilla campaign delete up).");
                    assertThat(gate.needsPerson()).isTrue();
                });
        fleetScenario.receive(new Tombstone(new RowKey(Table.CAMPAIGNS, new CampaignName("up"))));
        assertThat(upgrade("a")).isNull();
        assertThat(fleetScenario.inFlight()).containsExactly("a-cp-0");
        assertThat(fleetScenario.attempt("a-cp-0").rolloutRef()).isInstanceOf(RolloutRef.IntentRef.class);
    }

    private void order(OperatorOrder.OrderVerb verb) {
        fleetScenario.order(new OperatorOrderKey.SetCampaignState(new CampaignName("up")), verb);
    }

    @Test
    void workersOfAnOpenClusterWaitForTheControlPlaneAndNoCap() {
        cluster("a");
        policy(1);
        start();
        fields("a", controlPlane("a", NEW, null), workers("a", OLD, null));
        assertThat(gate("a-w-0").actual()).isEqualTo("version v1.32.1 of MachineDeployment a-md");
        assertThat(gate("a-w-0").required()).isEqualTo("version v1.33.2");
        assertThat(gate("a-w-0").message())
                .isEqualTo(
                        "Campaign up has not changed the version of MachineDeployment a-md yet: it does that when all"
                                + " other gates are open, and after the control plane has the version.");
    }

    @Test
    void theExampleOfBlockedMachinesIsOneThatNeedsAPerson() {
        cluster("a");
        cluster("b");
        fields("b", controlPlane("b", OLD, "it has 1 replica"), workers("b", OLD, null));
        start();
        fields("a", controlPlane("a", NEW, null), workers("a", OLD, null));
        BlockedMachineCounter.BlockedMachines blocked = Objects.requireNonNull(BlockedMachineCounter.explainByGate(
                        fleetScenario.state,
                        fleetScenario.gates,
                        Objects.requireNonNull(fleetScenario.state.rollout(new CampaignName("up"))),
                        fleetScenario.now)
                .get(GateLabel.CLUSTER_API));
        assertThat(blocked.machines()).isEqualTo(6);
        assertThat(blocked.example()).isEqualTo(FleetScenario.machine("b-cp-0"));
        assertThat(blocked.message()).contains("it has 1 replica");
    }

    private MachineSummary summaryOf(String name) {
        fleetScenario.state.refreshDerivedState(fleetScenario.gates, fleetScenario.now);
        return MachineExplainer.summarizeMachine(
                fleetScenario.state,
                fleetScenario.gates,
                Objects.requireNonNull(fleetScenario.state.machine(FleetScenario.machine(name))),
                fleetScenario.now);
    }

    @Test
    void aCampaignPausesIfSomebodyPutsTheOldVersionBack() {
        openControlPlane();
        fields("a", controlPlane("a", OLD, null), workers("a", OLD, null));
        assertThat(fleetScenario.campaignStatus("up").state()).isEqualTo(CampaignState.PAUSED);
        assertThat(fleetScenario.campaignStatus("up").pauseReason())
                .isEqualTo("field manager argocd has written version v1.32.1 to control plane a-cp of cluster"
                        + " north/default/a, and the campaign writes v1.33.2");
        assertThat(changes("a")).isEmpty();
        order(OperatorOrder.OrderVerb.RUN);
        assertThat(changes("a")).containsExactly("a-cp");
    }

    /** Cluster API has asked for the machine before the old version was put back, and goes on to ask. */
    @Test
    void whatClusterApiHasAskedForWaitsWhileTheCampaignIsPausedForAnotherVersion() {
        openControlPlane();
        fields("a", controlPlane("a", OLD, null), workers("a", OLD, null));
        request("a-cp-0");
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(summaryOf("a-cp-0").gate()).isEqualTo(GateLabel.CAMPAIGN_NOT_RUNNING);
        order(OperatorOrder.OrderVerb.RUN);
        assertThat(fleetScenario.inFlight()).containsExactly("a-cp-0");
        assertThat(fleetScenario.attempt("a-cp-0").rolloutRef()).isInstanceOf(RolloutRef.CampaignRef.class);
    }

    @Test
    void anAbortedCampaignHoldsWhatClusterApiHasAskedForAfterTheOldVersionIsBack() {
        openControlPlane();
        order(OperatorOrder.OrderVerb.ABORT);
        fields("a", controlPlane("a", OLD, null), workers("a", OLD, null));
        request("a-cp-0");
        assertThat(changes("a")).isEmpty();
        assertThat(fleetScenario.inFlight()).isEmpty();
    }

    /** Its campaign runs again and cannot change a field: the cluster goes to the campaign that can. */
    @Test
    void aClusterWithoutAChangedFieldGoesToTheCampaignThatCanChangeOne() {
        cluster("a");
        for (int i = 0; i < 3; i++) {
            machine("a", "a-cp-" + i, MachineRole.CONTROL_PLANE, NEW);
        }
        fields("a", controlPlane("a", NEW, null), workers("a", OLD, null));
        fleetScenario.campaign(
                campaign().select(CampaignBuilder.only(MachineRole.WORKER)).build());
        fields("a", controlPlane("a", NEW, null), workers("a", NEW, null));
        fields("a", controlPlane("a", OLD, null), workers("a", OLD, null));
        for (int i = 0; i < 3; i++) {
            machine("a", "a-cp-" + i, MachineRole.CONTROL_PLANE, OLD);
        }
        fleetScenario.campaign(
                CampaignBuilder.named("all").target("version=" + NEW).build());
        assertThat(changes("a")).as("while its campaign is paused").isEmpty();
        assertThat(gate("a-cp-0").message()).contains("If it is paused, resume it (flotilla campaign resume up)");
        order(OperatorOrder.OrderVerb.RUN);
        assertThat(changes("a")).containsExactly("a-cp");
        assertThat(Objects.requireNonNull(upgrade("a")).campaign().name()).isEqualTo(new CampaignName("all"));
    }

    /** Its task would start the machine by itself, and the failure would count for nobody. */
    @Test
    void aClusterWithAMachineThatHasFailedGoesToAnotherCampaignAfterARetry() {
        String later = "v1.33.5";
        cluster("a");
        for (int i = 0; i < 3; i++) {
            machine("a", "a-cp-" + i, MachineRole.CONTROL_PLANE, later);
        }
        fields("a", controlPlane("a", later, null), workers("a", OLD, null));
        fleetScenario.campaign(
                campaign().select(CampaignBuilder.only(MachineRole.WORKER)).build());
        fields("a", controlPlane("a", later, null), workers("a", NEW, null));
        request("a-w-0");
        fleetScenario.quarantine("a-w-0");
        fields("a", controlPlane("a", later, null), workers("a", later, null));
        fleetScenario.campaign(CampaignBuilder.named("later")
                .target("version=" + later)
                .select(CampaignBuilder.only(MachineRole.WORKER))
                .build());
        fleetScenario.order(
                new OperatorOrderKey.ApproveOverlap(new CampaignName("later")), OperatorOrder.OrderVerb.APPROVE);
        order(OperatorOrder.OrderVerb.RUN);
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.explain("a-w-0").nextStep())
                .contains("this one starts after flotilla campaign retry up");
        fleetScenario.order(
                new OperatorOrderKey.RetryQuarantined(new CampaignName("up")), OperatorOrder.OrderVerb.RETRY);
        assertThat(fleetScenario.attempt("a-w-0").rolloutRef())
                .isInstanceOfSatisfying(
                        RolloutRef.CampaignRef.class,
                        ref -> assertThat(ref.name()).isEqualTo(new CampaignName("up")));
        fleetScenario.succeed("a-w-0");
        assertThat(Objects.requireNonNull(upgrade("a")).campaign().name()).isEqualTo(new CampaignName("later"));
    }

    @Test
    void aClusterWithALaterVersionTakesNoSlotFromTheOthers() {
        cluster("a");
        cluster("b");
        policy(1);
        start();
        fields("a", controlPlane("a", "v1.34.0", null), workers("a", OLD, null));
        assertThat(fleetScenario.campaignStatus("up").state()).isEqualTo(CampaignState.PAUSED);
        order(OperatorOrder.OrderVerb.RUN);
        assertThat(changes("a")).isEmpty();
        assertThat(gate("a-cp-0").message()).contains("Cluster API downgrades nothing in place");
        assertThat(changes("b")).containsExactly("b-cp");
        fields("a", controlPlane("a", OLD, null), workers("a", OLD, null));
        assertThat(changes("a")).as("while the other cluster has the slot").isEmpty();
        policy(2);
        assertThat(changes("a")).containsExactly("a-cp");
    }

    @Test
    void aClusterThatIsCreatedAgainIsOpenedAgain() {
        openControlPlane();
        for (int i = 0; i < 3; i++) {
            fleetScenario.receive(new Tombstone(new RowKey(Table.INVENTORY, FleetScenario.machine("a-cp-" + i))));
        }
        fleetScenario.receive(new Tombstone(new RowKey(Table.INVENTORY, FleetScenario.machine("a-w-0"))));
        fleetScenario.receive(new Tombstone(new RowKey(Table.INVENTORY, key("a"))));
        assertThat(upgrade("a")).as("while it has a machine").isNotNull();
        fleetScenario.receive(new Tombstone(new RowKey(Table.INVENTORY, FleetScenario.machine("a-w-1"))));
        assertThat(upgrade("a")).isNull();
        cluster("a");
        assertThat(fleetScenario.campaignStatus("up").state()).isEqualTo(CampaignState.RUNNING);
        assertThat(changes("a")).containsExactly("a-cp");
    }

    @Test
    void aChangeThatReplacesMachinesIsNotMade() {
        cluster("a");
        fields("a", controlPlane("a", OLD, "it has 1 replica"), workers("a", OLD, null));
        start();
        assertThat(changes("a")).isEmpty();
        assertThat(gate("a-cp-0").message())
                .isEqualTo("Cluster API would replace machines of control plane a-cp: it has 1 replica. Correct that,"
                        + " or write clusterApi.uncovered: replace in the campaign.");
        assertThat(gate("a-cp-0").needsPerson()).isTrue();
        fleetScenario.campaign(campaign().replacing().build());
        assertThat(changes("a")).containsExactly("a-cp");
    }

    @Test
    void aLowerVersionIsNotWritten() {
        cluster("a");
        fields("a", controlPlane("a", "v1.34.0", null), workers("a", OLD, null));
        start();
        assertThat(changes("a")).isEmpty();
        assertThat(gate("a-cp-0").message()).contains("Cluster API downgrades nothing in place");
    }

    @Test
    void aCampaignOfOneMachineDeploymentWritesItsFieldAlone() {
        cluster("a");
        for (int i = 0; i < 3; i++) {
            machine("a", "a-cp-" + i, MachineRole.CONTROL_PLANE, NEW);
        }
        fleetScenario.campaign(
                campaign().select(CampaignBuilder.only(MachineRole.WORKER)).build());
        assertThat(changes("a")).containsExactly("a-md");
    }

    @Test
    void workersAreNotWrittenBeforeTheirControlPlane() {
        cluster("a");
        fleetScenario.campaign(
                campaign().select(CampaignBuilder.only(MachineRole.WORKER)).build());
        assertThat(changes("a")).isEmpty();
    }

    @Test
    void aClusterIsNotOpenedForSomeOfTheMachinesThatClusterApiWouldUpdate() {
        cluster("a");
        fields("a", topology("a", OLD), controlPlane("a", OLD, null), workers("a", OLD, null));
        fleetScenario.campaign(campaign()
                .select(CampaignBuilder.only(MachineRole.CONTROL_PLANE))
                .build());
        assertThat(changes("a")).isEmpty();
        assertThat(gate("a-cp-0").message()).contains("the campaign does not select those with role worker");
    }

    /** The watcher shows a cluster before its machines. */
    @Test
    void aTopologyIsNotOpenedForItsWorkersBeforeItsControlPlaneIsKnown() {
        fields("a", topology("a", OLD), controlPlane("a", OLD, null), workers("a", OLD, null));
        machine("a", "a-w-0", MachineRole.WORKER, OLD);
        fleetScenario.campaign(
                campaign().select(CampaignBuilder.only(MachineRole.WORKER)).build());
        assertThat(changes("a")).isEmpty();
    }

    @Test
    void aClusterIsNotOpenedWithoutAMachineThatTheCampaignExcludes() {
        cluster("a");
        fleetScenario.campaign(campaign()
                .select(new MachineSelection(
                        List.of(),
                        LabelSelector.ALL,
                        LabelSelector.ALL,
                        List.of(),
                        List.of(),
                        List.of(FleetScenario.machine("a-cp-0"))))
                .build());
        assertThat(changes("a")).isEmpty();
        assertThat(gate("a-cp-1").message()).contains("the campaign does not select a-cp-0");
    }

    @Test
    void noMoreClustersAreOpenThanTheCapAllows() {
        for (String name : List.of("a", "b", "c")) {
            cluster(name);
        }
        policy(2);
        start();
        assertThat(List.of("a", "b", "c").stream().filter(name -> upgrade(name) != null))
                .hasSize(2);
        policy(3);
        assertThat(List.of("a", "b", "c").stream().filter(name -> upgrade(name) != null))
                .hasSize(3);
    }

    @Test
    void aPausedCampaignTakesNoSlotForItsOpenCluster() {
        cluster("a");
        cluster("b");
        policy(1);
        fleetScenario.campaign(campaign().select(onlyCluster("a")).build());
        CampaignBuilder later = CampaignBuilder.named("later").target("version=" + NEW);
        fleetScenario.campaign(later.select(onlyCluster("b")).build());
        assertThat(upgrade("a")).isNotNull();
        assertThat(upgrade("b")).isNull();
        assertThat(gate("b-cp-0").message()).contains("the fleet's cap has no slot left");
        fleetScenario.order(
                new OperatorOrderKey.SetCampaignState(new CampaignName("up")), OperatorOrder.OrderVerb.PAUSE);
        assertThat(upgrade("b")).isNotNull();
    }

    private static MachineSelection onlyCluster(String name) {
        return new MachineSelection(
                List.of(), CampaignBuilder.where("name", name), LabelSelector.ALL, List.of(), List.of(), List.of());
    }

    @Test
    void theCapsHoldInsideAnOpenCluster() {
        cluster("a");
        cluster("b");
        start();
        fields("a", controlPlane("a", NEW, null), workers("a", OLD, null));
        fields("b", controlPlane("b", NEW, null), workers("b", OLD, null));
        policy(1);
        request("a-cp-0");
        request("b-cp-0");
        assertThat(fleetScenario.inFlight()).hasSize(1);
    }

    @Test
    void aClusterTakesOneCampaign() {
        cluster("a");
        start();
        fleetScenario.campaign(
                CampaignBuilder.named("later").target("version=" + NEW).build());
        ClusterUpgrade upgrade = upgrade("a");
        assertThat(upgrade == null ? null : upgrade.campaign().name()).isEqualTo(new CampaignName("up"));
    }

    @Test
    void aMachineThatIsNotSelectedAnyMoreWaitsForAPerson() {
        openControlPlane();
        fleetScenario.campaign(campaign()
                .select(new MachineSelection(
                        List.of(),
                        LabelSelector.ALL,
                        LabelSelector.ALL,
                        List.of(),
                        List.of(),
                        List.of(FleetScenario.machine("a-cp-0"))))
                .build());
        request("a-cp-0");
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(gateOf("a-cp-0", GateLabel.CLAIMED_BY_OTHER).message())
                .contains("it does not select this one any more");
        assertThat(gateOf("a-cp-0", GateLabel.CLAIMED_BY_OTHER).needsPerson()).isTrue();
    }

    @Test
    void aMachineThatFailsIsNotStartedForItsTask() {
        openControlPlane();
        request("a-cp-0");
        fleetScenario.quarantine("a-cp-0");
        assertThat(fleetScenario.outcome("a-cp-0")).isEqualTo(MachineOutcome.QUARANTINED);
        assertThat(summaryOf("a-cp-0").state()).isEqualTo("quarantined");
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.explain("a-cp-0").nextStep())
                .contains("its upgrade has failed, and this one starts after flotilla campaign retry up.");
        request("a-cp-1");
        assertThat(fleetScenario.inFlight()).isEmpty();
    }

    @Test
    void aCommandIsCancelledIfClusterApiAsksNoMore() {
        openControlPlane();
        request("a-cp-0");
        assertThat(fleetScenario.inFlight()).containsExactly("a-cp-0");
        fleetScenario.removeIntent(FleetScenario.machine("a-cp-0"));
        assertThat(fleetScenario.attempt("a-cp-0").cancelled()).isTrue();
    }

    @Test
    void nothingStartsInAnOpenClusterWhoseExtensionIsGone() {
        cluster("a");
        start();
        fields("a");
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(gate("a-cp-0").message()).contains("does not update its machines in place any more");
    }

    /** Cluster API has asked for the machine before the label of the namespace was removed. */
    @Test
    void whatClusterApiHasAskedForWaitsWithThePausedCampaignWhenTheFieldsAreGone() {
        cluster("a");
        start();
        fields("a", controlPlane("a", NEW, null), workers("a", OLD, null));
        order(OperatorOrder.OrderVerb.PAUSE);
        request("a-cp-0");
        fields("a");
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(gateOf("a-cp-0", GateLabel.CAMPAIGN_NOT_RUNNING).message()).contains("paused");
        order(OperatorOrder.OrderVerb.RUN);
        assertThat(fleetScenario.inFlight()).containsExactly("a-cp-0");
        assertThat(fleetScenario.attempt("a-cp-0").rolloutRef()).isInstanceOf(RolloutRef.CampaignRef.class);
        assertThat(gate("a-cp-1").message())
                .contains("or abort campaign up and delete it (flotilla campaign delete up)");
    }

    @Test
    void aClusterThatClusterApiDoesNotUpdateInPlaceIsUpgradedAsEver() {
        cluster("a");
        fields("a");
        start();
        assertThat(upgrade("a")).isNull();
        assertThat(fleetScenario.inFlight()).containsExactly("a-cp-0");
    }

    @Test
    void aCampaignIsWarnedOfClustersWhoseMachinesWouldBeReplaced() {
        cluster("a");
        cluster("b");
        fields("b", controlPlane("b", OLD, "it has 1 replica"), workers("b", OLD, null));
        assertThat(CampaignWarningFinder.findIfAccepted(
                        fleetScenario.state, GateChain.standard(), campaign().build(), fleetScenario.now))
                .filteredOn(warning -> warning.kind() == CampaignWarning.WarningKind.CLUSTER_API)
                .singleElement()
                .satisfies(warning -> assertThat(warning.message())
                        .startsWith("leaves machines of 1 cluster alone (" + key("b")
                                + ": Cluster API would replace machines of control plane b-cp: it has 1 replica"));
    }
}
