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
 * A watcher beside a double of the provider's controllers, on one real API server. The orchestrator and its worker are played by
 * hand; nodes are in the ledger, where everybody would meet.
 */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class ProviderCoexistenceIT {
    private static final String TO = ManagementTestBed.KEYS + "to";
    private static final String RELEASE = ManagementTestBed.KEYS + "release";
    private static final String US = "flotilla";
    private static final RolloutRef CAMPAIGN = new RolloutRef.CampaignRef(new CampaignName("c"), 3);

    private RefreshRequestLedger nodes = new RefreshRequestLedger();
    private LocalKafka kafka;
    private ManagementTestBed bed;
    private WatchedTestSite site;
    private FakeOrchestrator brain;
    private @Nullable FakeCanonicalControllers canonical;

    @BeforeEach
    void start() throws Exception {
        kafka = LocalKafka.start();
        bed = ManagementTestBed.start();
        site = new WatchedTestSite(
                kafka.bootstrap(), "beside", bed.cluster.kubeconfig(ManagementTestBed.WATCHER), "default");
        brain = new FakeOrchestrator(site);
        bed.cluster("blue");
        bed.owner("machinedeployments", "pool", "blue", 3, "");
        bed.controlPlane("blue", 3, "");
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
    void interceptedOwnersAreUpgradedByUsAloneAndNeverBack() throws Exception {
        begin(SiteModeSetting.INTERCEPT);
        OwnerKey pool = new OwnerKey(site.id, OwnerKind.MACHINE_DEPLOYMENT, "default", "pool");
        bed.annotate("machinedeployments", "pool", TO, "revision=7");
        UpgradeIntent first = brain.intent(pool);
        brain.says(first, IntentStatus.IntentState.IN_PROGRESS, worker(0), 3, 0);
        upgrade(worker(0), FakeOrchestrator.driver(first), "revision=7", null);
        // The owner is annotated again while one of its machines is at it.
        upgrade(worker(1), FakeOrchestrator.driver(first), "revision=7", () -> {
            bed.annotate("machinedeployments", "pool", TO, "revision=8");
            site.await(
                    "the other",
                    () -> Objects.requireNonNull((UpgradeIntent) site.intent(pool))
                            .target()
                            .text()
                            .equals("revision=8"));
        });
        UpgradeIntent second = brain.intent(pool);
        brain.says(second, IntentStatus.IntentState.IN_PROGRESS, worker(1), 3, 0);
        for (int i = 0; i < 3; i++) {
            upgrade(worker(i), FakeOrchestrator.driver(second), "revision=8", null);
        }
        brain.says(second, IntentStatus.IntentState.DONE, null, 3, 3);
        site.await("the owner's release", () -> "revision=8".equals(owner(RELEASE)));
        turns();

        // One joins: it is made with what the others have, so that neither they nor we have anything to do with it.
        bed.await("what joiners are made with", () -> "revision=8".equals(madeWith("MachineDeployment.pool")));
        worker("w-3");
        assertThat(bed.documented("w-3", "release")).isEqualTo("revision=8");
        turns();
        assertThat(site.intent(site.machine("w-3"))).isNull();

        // A campaign: what stands on the owner must not lead anybody back.
        for (int i = 0; i < 4; i++) {
            upgrade(site.machine("w-" + i), CAMPAIGN, "revision=9", null);
            turns();
        }
        site.await("the owner's release", () -> "revision=9".equals(owner(RELEASE)));
        turns();
        assertThat(nodes.calls())
                .extracting(RefreshRequestLedger.RefreshRequest::requester)
                .containsOnly(US);
        assertThat(nodes.conflicts()).isZero();
        for (int i = 0; i < 4; i++) {
            String name = "w-" + i;
            assertThat(bed.documented(name, "release")).isEqualTo("revision=9");
            assertThat(nodes.calls().stream()
                            .filter(refreshRequest -> refreshRequest.machine().equals(name))
                            .map(RefreshRequestLedger.RefreshRequest::option))
                    .isSorted();
        }
    }

    @Test
    void anInterceptedControlPlaneHasNeverTwoMembersAtIt() throws Exception {
        begin(SiteModeSetting.INTERCEPT);
        OwnerKey owner = new OwnerKey(site.id, OwnerKind.CONTROL_PLANE, "default", "blue");
        bed.annotate("ck8scontrolplanes", "blue", TO, "revision=7");
        UpgradeIntent first = brain.intent(owner);
        brain.says(first, IntentStatus.IntentState.IN_PROGRESS, site.machine("cp-0"), 3, 0);
        upgrade(site.machine("cp-0"), FakeOrchestrator.driver(first), "revision=7", () -> {
            bed.annotate("ck8scontrolplanes", "blue", TO, "revision=8");
            turns();
            assertThat(nodes.running(name -> name.startsWith("cp-"))).isOne();
        });
        UpgradeIntent second = brain.intent(owner);
        assertThat(second.target().text()).isEqualTo("revision=8");
        for (int i = 0; i < 3; i++) {
            upgrade(site.machine("cp-" + i), FakeOrchestrator.driver(second), "revision=8", this::turns);
        }
        brain.says(second, IntentStatus.IntentState.DONE, null, 3, 3);
        site.await("its release", () -> "revision=8".equals(bed.annotation("ck8scontrolplanes", "blue", RELEASE)));
        turns();
        assertThat(nodes.calls())
                .extracting(RefreshRequestLedger.RefreshRequest::requester)
                .containsOnly(US);
        assertThat(nodes.conflicts()).isZero();
    }

    @Test
    void withNothingBetweenWhatTheyAreAtIsForeignAndWhatWeAreAtIsLeftAlone() throws Exception {
        for (int i = 0; i < 3; i++) {
            bed.annotate("machines", "w-" + i, RELEASE, "revision=6");
        }
        bed.annotate("machinedeployments", "pool", RELEASE, "revision=6");
        begin(SiteModeSetting.CLUSTER_ONLY);
        // Their order is kept in our words before anything is begun.
        site.await("no order", () -> owner(RELEASE) == null);
        assertThat(owner("flotilla.dev/standing-release")).isEqualTo("revision=6");
        bed.annotate("clusters", "blue", TO, "revision=7");
        UpgradeIntent intent = brain.intent(site.cluster("blue"));
        for (int i = 0; i < 3; i++) {
            upgrade(worker(i), FakeOrchestrator.driver(intent), "revision=7", this::turns);
        }
        turns();
        assertThat(nodes.calls())
                .extracting(RefreshRequestLedger.RefreshRequest::requester)
                .containsOnly(US);
        site.await("what joins", () -> "revision=7".equals(owner("flotilla.dev/standing-release")));
        assertThat(owner(RELEASE)).isNull();

        // Somebody annotates the owner for them while we are at one of its machines.
        upgrade(worker(0), CAMPAIGN, "revision=8", () -> {
            bed.annotate("machinedeployments", "pool", TO, "revision=9");
            site.await("machines that are theirs", () -> isForeign(worker(1)) && isForeign(worker(2)));
            turns();
        });
        site.await("them to end", () -> "revision=9".equals(owner(RELEASE)) || owner(TO) == null);
        turns();
        assertThat(nodes.conflicts()).as("a node was asked while it was at it").isZero();
        for (int i = 0; i < 3; i++) {
            assertThat(bed.documented("w-" + i, "release")).isEqualTo("revision=9");
        }
    }

    @Test
    void anUpgradeOfTheirsIsTakenOverWhenThePolicyArrivesInItsMiddle() throws Exception {
        nodes = RefreshRequestLedger.blockingLedger();
        canonical = FakeCanonicalControllers.start(bed.people, nodes, 7, Duration.ofMillis(50));
        bed.annotate("machinedeployments", "pool", TO, "revision=7");
        site.await("their first call", () -> nodes.running(name -> true) == 1);
        String theirs = nodes.calls().getFirst().machine();
        bed.intercept();
        OwnerKey pool = new OwnerKey(site.id, OwnerKind.MACHINE_DEPLOYMENT, "default", "pool");
        site.in(SiteModeSetting.INTERCEPT).watch("a");
        UpgradeIntent intent = brain.intent(pool);
        assertThat(owner(TO)).isNull();
        site.await("what is theirs", () -> isForeign(site.machine(theirs)));
        brain.says(intent, IntentStatus.IntentState.IN_PROGRESS, null, 3, 0);
        nodes.finish(theirs);
        site.await("their end", () -> "revision=7".equals(bed.documented(theirs, "release")));
        turns();
        for (int i = 0; i < 3; i++) {
            if (!theirs.equals("w-" + i)) {
                upgrade(worker(i), FakeOrchestrator.driver(intent), "revision=7", this::turns);
            }
        }
        brain.says(intent, IntentStatus.IntentState.DONE, null, 3, 3);
        site.await("the owner's release", () -> "revision=7".equals(owner(RELEASE)));
        turns();
        // They may have called the machine as well by which the policy was tried.
        assertThat(nodes.calls().stream()
                        .map(RefreshRequestLedger.RefreshRequest::machine)
                        .filter(name -> name.startsWith("w-")))
                .containsExactlyInAnyOrder("w-0", "w-1", "w-2");
        assertThat(nodes.conflicts()).isZero();
    }

    private void begin(SiteModeSetting mode) throws Exception {
        if (mode == SiteModeSetting.INTERCEPT) {
            bed.intercept();
        }
        canonical = FakeCanonicalControllers.start(bed.people, nodes, 7, Duration.ofMillis(50));
        site.in(mode).watch("a");
        site.await("all machines", () -> site.machines() >= 6);
    }

    /** The played worker's way with a machine: the node is asked, is at it for a while, and is done. */
    private void upgrade(MachineKey machine, RolloutRef rolloutRef, String option, @Nullable Runnable meanwhile) {
        UpgradeTarget target = UpgradeTarget.parse(option);
        brain.admits(machine, rolloutRef, target);
        String changeId = Objects.requireNonNull(nodes.refresh(machine.name(), option, US), machine.name());
        brain.refreshes(machine, rolloutRef, target, changeId);
        site.await("the beginning", () -> changeId.equals(bed.documented(machine.name(), "change-id")));
        if (meanwhile != null) {
            meanwhile.run();
        }
        nodes.finish(machine.name());
        brain.succeeds(machine, rolloutRef);
        site.await("the end", () -> option.equals(bed.documented(machine.name(), "release")));
    }

    /** The controllers look at everything a few times. */
    private void turns() {
        FakeCanonicalControllers there = Objects.requireNonNull(canonical);
        long until = there.turns() + 5;
        site.await("the controllers", () -> there.turns() >= until);
    }

    private boolean isForeign(MachineKey machine) {
        return site.inventory(machine) instanceof MachineRow row
                && row.foreignActivities().contains(ForeignActivity.FOREIGN);
    }

    private @Nullable String madeWith(String owner) {
        return bed.people.get("/api/v1/namespaces/default/configmaps/flotilla-standing-releases")
                        instanceof KubeResponse.SuccessResponse successResponse
                ? successResponse.object().text("data", owner)
                : null;
    }

    private @Nullable String owner(String key) {
        return bed.annotation("machinedeployments", "pool", key);
    }

    private MachineKey worker(int number) {
        return site.machine("w-" + number);
    }

    private void worker(String name) {
        bed.machine(name, "blue", ", labels: {cluster.x-k8s.io/deployment-name: pool}");
    }

    private void member(String name) {
        bed.machine(
                name,
                "blue",
                ", labels: {cluster.x-k8s.io/control-plane: \"\"}, ownerReferences: [{apiVersion:"
                        + " controlplane.cluster.x-k8s.io/v1beta2, kind: CK8sControlPlane, name: blue, uid: u, controller:"
                        + " true}]");
    }
}
