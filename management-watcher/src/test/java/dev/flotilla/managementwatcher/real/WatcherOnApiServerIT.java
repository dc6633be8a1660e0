package dev.flotilla.managementwatcher.real;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeResponse;
import dev.flotilla.managementwatcher.stub.FakeOrchestrator;
import dev.flotilla.managementwatcher.stub.ManagementTestBed;
import dev.flotilla.managementwatcher.stub.WatchedTestSite;
import dev.flotilla.managementwatcher.stub.WatcherTestBed;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.testkit.kube.KubeBinaries;
import java.nio.file.Files;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/**
 * A watcher on a real API server, with exactly the role of {@code deploy/}; the test writes the orchestrator's rows.
 */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class WatcherOnApiServerIT {
    private static WatcherTestBed watched;
    private static ManagementTestBed bed;

    @BeforeAll
    static void start() throws Exception {
        watched = WatcherTestBed.start();
        bed = watched.bed();
    }

    @AfterAll
    static void stop() {
        watched.close();
    }

    @Test
    void annotationBecomesAnIntentAndItsResultIsWrittenBack() throws Exception {
        bed.cluster("blue");
        bed.applyMachine("blue-w-0", "blue");
        try (WatchedTestSite site = watched.site("real")) {
            site.startWatcher("a");
            MachineKey machine = site.machine("blue-w-0");
            site.await("its row", () -> site.readInventory(machine) instanceof MachineRow row && row.ready());
            assertThat(site.readInventory(site.cluster("blue"))).isInstanceOf(ClusterRow.class);
            FakeOrchestrator orchestrator = new FakeOrchestrator(site);
            bed.setUpgradeTo("blue-w-0", "revision=1100");
            UpgradeIntent intent = orchestrator.awaitIntent(machine);
            RolloutRef rolloutRef = FakeOrchestrator.rolloutRefOf(intent);
            orchestrator.admitAttempt(machine, rolloutRef, intent.target());
            orchestrator.reportRefreshing(machine, rolloutRef, intent.target(), "42");
            site.await("the start", () -> "42".equals(bed.readUpgradeAnnotation("blue-w-0", "change-id")));
            orchestrator.reportSuccess(machine, rolloutRef);
            site.await("the end", () -> "done".equals(bed.readUpgradeAnnotation("blue-w-0", "status")));
            assertThat(bed.readUpgradeAnnotation("blue-w-0", "release")).isEqualTo("revision=1100");
            assertThat(bed.readUpgradeAnnotation("blue-w-0", "to")).isNull();
            site.await("the intent's end", () -> site.readIntent(machine) == null);
            assertThat(Files.readAllLines(bed.cluster.auditLog()))
                    .filteredOn(line -> line.contains("\"" + ManagementTestBed.WATCHER + "\"")
                            && line.contains("\"verb\":\"patch\"")
                            && line.contains("machines/blue-w-0?"))
                    .as("patches of the object; its conditions are another resource")
                    .hasSize(2);
            assertThat(site.failedWrites).isEmpty();
            assertThat(site.failedReads).isEmpty();
        }
    }

    @Test
    void nothingIsLostWhenTheServedVersionsChange() throws Exception {
        bed.cluster("old");
        bed.applyMachine("old-w", "old");
        bed.applyOwner("machinedeployments", "old-pool", "old", 0, "");
        try (WatchedTestSite site = watched.site("old")) {
            site.startWatcher("a");
            MachineKey machine = site.machine("old-w");
            OwnerKey owner = new OwnerKey(site.id, OwnerKind.MACHINE_DEPLOYMENT, "default", "old-pool");
            FakeOrchestrator orchestrator = new FakeOrchestrator(site);
            bed.annotate("machinedeployments", "old-pool", ManagementTestBed.KEYS + "to", "revision=7");
            orchestrator.awaitIntent(owner);
            site.await("its row", () -> site.readInventory(machine) instanceof MachineRow row && row.ready());
            site.drainChanges();
            String path = "/apis/cluster.x-k8s.io/v1beta1/namespaces/default/machines/old-w";
            bed.serveNewVersion(false);
            try {
                site.await(
                        "that the new version is not served",
                        () -> bed.adminClient
                                .get(ManagementTestBed.path("machines", "old-w"))
                                .isMissing());
                assertThat(bed.patchAnnotation(path, ManagementTestBed.KEYS + "to", "revision=7"))
                        .isInstanceOf(KubeResponse.SuccessResponse.class);
                UpgradeIntent intent = orchestrator.awaitIntent(machine);
                orchestrator.runUpgrade(machine, FakeOrchestrator.rolloutRefOf(intent), intent.target());
                site.await("the end", () -> "done".equals(readAnnotation(path, "status")));
                assertThat(readAnnotation(path, "release")).isEqualTo("revision=7");
                assertThat(readAnnotation(path, "to")).isNull();
            } finally {
                bed.serveNewVersion(true);
            }
            site.await(
                    "the new version",
                    () -> bed.adminClient.get(ManagementTestBed.path("machines", "old-w"))
                            instanceof KubeResponse.SuccessResponse);
            bed.setUpgradeTo("old-w", "revision=8");
            site.await("another intent", () -> site.readIntent(machine) != null);
            assertThat(site.drainChanges().stream().filter(Tombstone.class::isInstance))
                    .containsExactly(WatchedTestSite.tombstone(Table.INTENTS, machine));
            assertThat(site.readIntent(owner)).isNotNull();
        }
    }

    private static @Nullable String readAnnotation(String path, String name) {
        return ((KubeResponse.SuccessResponse) bed.adminClient.get(path))
                .object()
                .annotation(ManagementTestBed.KEYS + name);
    }

    @Test
    void seesChangesOfAnOutageAndRemovesNothing() throws Exception {
        bed.cluster("red");
        bed.applyMachine("red-w-0", "red");
        bed.applyMachine("red-w-1", "red");
        try (WatchedTestSite site = watched.site("killed")) {
            site.startWatcher("a");
            MachineKey first = site.machine("red-w-0");
            MachineKey second = site.machine("red-w-1");
            site.await("both", () -> site.readInventory(first) != null && site.readInventory(second) != null);
            bed.cluster.kill();
            site.await("a failed read", () -> !site.failedReads.isEmpty());
            bed.cluster.restart();
            bed.setUpgradeTo("red-w-0", "channel=1.33-classic/stable");
            bed.setUpgradeTo("red-w-1", "revision=7");
            site.await("the intents", () -> site.readIntent(first) != null && site.readIntent(second) != null);
            assertThat(site.drainChanges()).noneMatch(Tombstone.class::isInstance);
        }
    }
}
