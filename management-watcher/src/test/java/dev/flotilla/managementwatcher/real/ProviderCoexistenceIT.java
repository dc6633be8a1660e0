package dev.flotilla.managementwatcher.real;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeResponse;
import dev.flotilla.managementwatcher.mode.SiteModeSetting;
import dev.flotilla.managementwatcher.stub.FakeOrchestrator;
import dev.flotilla.managementwatcher.stub.ManagementTestBed;
import dev.flotilla.managementwatcher.stub.WatchedTestSite;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.row.ForeignActivity;
import dev.flotilla.schemas.row.IntentStatus;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.testkit.canonical.FakeCanonicalControllers;
import dev.flotilla.testkit.canonical.RefreshRequestLedger;
import dev.flotilla.testkit.kafka.LocalKafka;
import dev.flotilla.testkit.kube.KubeBinaries;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/**
 * A watcher beside fake provider controllers, on one real API server. The test writes the orchestrator's and worker's
 * rows; a ledger of the nodes' refresh requests shows conflicts.
 */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class ProviderCoexistenceIT {
    private static final String TO = ManagementTestBed.KEYS + "to";
    private static final String RELEASE = ManagementTestBed.KEYS + "release";
    private static final String FLOTILLA = "flotilla";
    private static final RolloutRef CAMPAIGN = new RolloutRef.CampaignRef(new CampaignName("c"), 3);

    private RefreshRequestLedger nodes = new RefreshRequestLedger();
    private LocalKafka kafka;
    private ManagementTestBed bed;
    private WatchedTestSite site;
    private FakeOrchestrator orchestrator;
    private @Nullable FakeCanonicalControllers canonical;

    @BeforeEach
    void start() throws Exception {
        kafka = LocalKafka.start();
        bed = ManagementTestBed.start();
        site = new WatchedTestSite(
                kafka.bootstrap(), "beside", bed.cluster.kubeconfig(ManagementTestBed.WATCHER), "default");
        orchestrator = new FakeOrchestrator(site);
        bed.cluster("blue");
        bed.applyOwner("machinedeployments", "pool", "blue", 3, "");
        bed.applyControlPlane("blue", 3, "");
        for (int i = 0; i < 3; i++) {
            worker("w-" + i);
            member("cp-" + i);
        }
    }

    @AfterEach
    void stop() {
        if (canonical != null) {
            canonical.close();
        }
        site.close();
        bed.close();
        kafka.close();
    }

    @Test
    void onlyFlotillaUpgradesInterceptedOwnersAndNeverDowngrades() throws Exception {
        startControllersAndWatcher(SiteModeSetting.INTERCEPT);
        OwnerKey pool = new OwnerKey(site.id, OwnerKind.MACHINE_DEPLOYMENT, "default", "pool");
        bed.annotate("machinedeployments", "pool", TO, "revision=7");
        UpgradeIntent first = orchestrator.awaitIntent(pool);
        orchestrator.writeIntentStatus(first, IntentStatus.IntentState.IN_PROGRESS, worker(0), 3, 0);
        upgrade(worker(0), FakeOrchestrator.rolloutRefOf(first), "revision=7", null);
        // The owner is annotated again while one of its machines is in flight.
        upgrade(worker(1), FakeOrchestrator.rolloutRefOf(first), "revision=7", () -> {
            bed.annotate("machinedeployments", "pool", TO, "revision=8");
            site.await(
                    "the other intent",
                    () -> Objects.requireNonNull((UpgradeIntent) site.readIntent(pool))
                            .target()
                            .text()
                            .equals("revision=8"));
        });
        UpgradeIntent second = orchestrator.awaitIntent(pool);
        orchestrator.writeIntentStatus(second, IntentStatus.IntentState.IN_PROGRESS, worker(1), 3, 0);
        for (int i = 0; i < 3; i++) {
            upgrade(worker(i), FakeOrchestrator.rolloutRefOf(second), "revision=8", null);
        }
        orchestrator.writeIntentStatus(second, IntentStatus.IntentState.DONE, null, 3, 3);
        site.await("the owner's release", () -> "revision=8".equals(owner(RELEASE)));
        awaitControllerPasses();

        // A machine joins: it is created with the default release, so that neither side has to upgrade it.
        bed.await(
                "the default release of joiners",
                () -> "revision=8".equals(readJoinerRelease("MachineDeployment.pool")));
        worker("w-3");
        assertThat(bed.readUpgradeAnnotation("w-3", "release")).isEqualTo("revision=8");
        awaitControllerPasses();
        assertThat(site.readIntent(site.machine("w-3"))).isNull();

        // A campaign: the owner's release must not cause a downgrade.
        for (int i = 0; i < 4; i++) {
            upgrade(site.machine("w-" + i), CAMPAIGN, "revision=9", null);
            awaitControllerPasses();
        }
        site.await("the owner's release", () -> "revision=9".equals(owner(RELEASE)));
        awaitControllerPasses();
        assertThat(nodes.calls())
                .extracting(RefreshRequestLedger.RefreshRequest::requester)
                .containsOnly(FLOTILLA);
        assertThat(nodes.conflicts()).isZero();
        for (int i = 0; i < 4; i++) {
            String name = "w-" + i;
            assertThat(bed.readUpgradeAnnotation(name, "release")).isEqualTo("revision=9");
            assertThat(nodes.calls().stream()
                            .filter(refreshRequest -> refreshRequest.machine().equals(name))
                            .map(RefreshRequestLedger.RefreshRequest::option))
                    .isSorted();
        }
    }

    @Test
    void interceptedControlPlaneNeverHasTwoMembersInFlight() throws Exception {
        startControllersAndWatcher(SiteModeSetting.INTERCEPT);
        OwnerKey owner = new OwnerKey(site.id, OwnerKind.CONTROL_PLANE, "default", "blue");
        bed.annotate("ck8scontrolplanes", "blue", TO, "revision=7");
        UpgradeIntent first = orchestrator.awaitIntent(owner);
        orchestrator.writeIntentStatus(first, IntentStatus.IntentState.IN_PROGRESS, site.machine("cp-0"), 3, 0);
        upgrade(site.machine("cp-0"), FakeOrchestrator.rolloutRefOf(first), "revision=7", () -> {
            bed.annotate("ck8scontrolplanes", "blue", TO, "revision=8");
            awaitControllerPasses();
            assertThat(nodes.running(name -> name.startsWith("cp-"))).isOne();
        });
        UpgradeIntent second = orchestrator.awaitIntent(owner);
        assertThat(second.target().text()).isEqualTo("revision=8");
        for (int i = 0; i < 3; i++) {
            upgrade(
                    site.machine("cp-" + i),
                    FakeOrchestrator.rolloutRefOf(second),
                    "revision=8",
                    this::awaitControllerPasses);
        }
        orchestrator.writeIntentStatus(second, IntentStatus.IntentState.DONE, null, 3, 3);
        site.await("its release", () -> "revision=8".equals(bed.readAnnotation("ck8scontrolplanes", "blue", RELEASE)));
        awaitControllerPasses();
        assertThat(nodes.calls())
                .extracting(RefreshRequestLedger.RefreshRequest::requester)
                .containsOnly(FLOTILLA);
        assertThat(nodes.conflicts()).isZero();
    }

    @Test
    void withoutPolicyNeitherSideTouchesTheOthersMachines() throws Exception {
        for (int i = 0; i < 3; i++) {
            bed.annotate("machines", "w-" + i, RELEASE, "revision=6");
        }
        bed.annotate("machinedeployments", "pool", RELEASE, "revision=6");
        startControllersAndWatcher(SiteModeSetting.CLUSTER_ONLY);
        // The provider's release becomes the default release before anything starts.
        site.await("that the release is removed", () -> owner(RELEASE) == null);
        assertThat(owner("flotilla.dev/default-release")).isEqualTo("revision=6");
        bed.annotate("clusters", "blue", TO, "revision=7");
        UpgradeIntent intent = orchestrator.awaitIntent(site.cluster("blue"));
        for (int i = 0; i < 3; i++) {
            upgrade(worker(i), FakeOrchestrator.rolloutRefOf(intent), "revision=7", this::awaitControllerPasses);
        }
        awaitControllerPasses();
        assertThat(nodes.calls())
                .extracting(RefreshRequestLedger.RefreshRequest::requester)
                .containsOnly(FLOTILLA);
        site.await("the default release", () -> "revision=7".equals(owner("flotilla.dev/default-release")));
        assertThat(owner(RELEASE)).isNull();

        // The owner is annotated for the provider while one of its machines is in flight here.
        upgrade(worker(0), CAMPAIGN, "revision=8", () -> {
            bed.annotate("machinedeployments", "pool", TO, "revision=9");
            site.await("foreign machines", () -> isForeign(worker(1)) && isForeign(worker(2)));
            awaitControllerPasses();
        });
        site.await("the provider's end", () -> "revision=9".equals(owner(RELEASE)) || owner(TO) == null);
        awaitControllerPasses();
        assertThat(nodes.conflicts()).as("calls of a node that was in flight").isZero();
        for (int i = 0; i < 3; i++) {
            assertThat(bed.readUpgradeAnnotation("w-" + i, "release")).isEqualTo("revision=9");
        }
    }

    @Test
    void takesOverAProvidersUpgradeWhenThePolicyArrives() throws Exception {
        nodes = RefreshRequestLedger.blockingLedger();
        canonical = FakeCanonicalControllers.start(bed.adminClient, nodes, 7, Duration.ofMillis(50));
        bed.annotate("machinedeployments", "pool", TO, "revision=7");
        site.await("the provider's first call", () -> nodes.running(name -> true) == 1);
        String foreignMachine = nodes.calls().getFirst().machine();
        bed.applyInterceptPolicy();
        OwnerKey pool = new OwnerKey(site.id, OwnerKind.MACHINE_DEPLOYMENT, "default", "pool");
        site.withMode(SiteModeSetting.INTERCEPT).startWatcher("a");
        UpgradeIntent intent = orchestrator.awaitIntent(pool);
        assertThat(owner(TO)).isNull();
        site.await("the foreign machine", () -> isForeign(site.machine(foreignMachine)));
        orchestrator.writeIntentStatus(intent, IntentStatus.IntentState.IN_PROGRESS, null, 3, 0);
        nodes.finish(foreignMachine);
        site.await(
                "the provider's end", () -> "revision=7".equals(bed.readUpgradeAnnotation(foreignMachine, "release")));
        awaitControllerPasses();
        for (int i = 0; i < 3; i++) {
            if (!foreignMachine.equals("w-" + i)) {
                upgrade(worker(i), FakeOrchestrator.rolloutRefOf(intent), "revision=7", this::awaitControllerPasses);
            }
        }
        orchestrator.writeIntentStatus(intent, IntentStatus.IntentState.DONE, null, 3, 3);
        site.await("the owner's release", () -> "revision=7".equals(owner(RELEASE)));
        awaitControllerPasses();
        // The provider may also have called the machine with which the policy was probed.
        assertThat(nodes.calls().stream()
                        .map(RefreshRequestLedger.RefreshRequest::machine)
                        .filter(name -> name.startsWith("w-")))
                .containsExactlyInAnyOrder("w-0", "w-1", "w-2");
        assertThat(nodes.conflicts()).isZero();
    }

    private void startControllersAndWatcher(SiteModeSetting mode) throws Exception {
        if (mode == SiteModeSetting.INTERCEPT) {
            bed.applyInterceptPolicy();
        }
        canonical = FakeCanonicalControllers.start(bed.adminClient, nodes, 7, Duration.ofMillis(50));
        site.withMode(mode).startWatcher("a");
        site.await("all machines", () -> site.countMachines() >= 6);
    }

    /** Plays the worker's upgrade of a machine: the node is called, is in flight for a while, and is done. */
    private void upgrade(MachineKey machine, RolloutRef rolloutRef, String option, @Nullable Runnable whileInFlight) {
        UpgradeTarget target = UpgradeTarget.parse(option);
        orchestrator.admitAttempt(machine, rolloutRef, target);
        String changeId = Objects.requireNonNull(nodes.refresh(machine.name(), option, FLOTILLA), machine.name());
        orchestrator.reportRefreshing(machine, rolloutRef, target, changeId);
        site.await("the start", () -> changeId.equals(bed.readUpgradeAnnotation(machine.name(), "change-id")));
        if (whileInFlight != null) {
            whileInFlight.run();
        }
        nodes.finish(machine.name());
        orchestrator.reportSuccess(machine, rolloutRef);
        site.await("the end", () -> option.equals(bed.readUpgradeAnnotation(machine.name(), "release")));
    }

    /** Waits until the controllers have reconciled everything several times. */
    private void awaitControllerPasses() {
        FakeCanonicalControllers controllers = Objects.requireNonNull(canonical);
        long until = controllers.rounds() + 5;
        site.await("the controllers", () -> controllers.rounds() >= until);
    }

    private boolean isForeign(MachineKey machine) {
        return site.readInventory(machine) instanceof MachineRow row
                && row.foreignActivities().contains(ForeignActivity.FOREIGN);
    }

    private @Nullable String readJoinerRelease(String owner) {
        return bed.adminClient.get("/api/v1/namespaces/default/configmaps/flotilla-default-releases")
                        instanceof KubeResponse.SuccessResponse successResponse
                ? successResponse.object().text("data", owner)
                : null;
    }

    private @Nullable String owner(String key) {
        return bed.readAnnotation("machinedeployments", "pool", key);
    }

    private MachineKey worker(int number) {
        return site.machine("w-" + number);
    }

    private void worker(String name) {
        bed.applyMachine(name, "blue", ", labels: {cluster.x-k8s.io/deployment-name: pool}");
    }

    private void member(String name) {
        bed.applyMachine(
                name,
                "blue",
                ", labels: {cluster.x-k8s.io/control-plane: \"\"}, ownerReferences: [{apiVersion:"
                        + " controlplane.cluster.x-k8s.io/v1beta2, kind: CK8sControlPlane, name: blue, uid: u, controller:"
                        + " true}]");
    }
}
