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
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.testkit.kube.KubeBinaries;
import java.nio.file.Files;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** A watcher on a real API server, under exactly the role of {@code deploy/}; the orchestrator is played by hand. */
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
    void aWishGoesInAndWhatCameOfItGoesBack() throws Exception {
        bed.cluster("blue");
        bed.machine("blue-w-0", "blue");
        try (WatchedTestSite site = watched.site("real")) {
            site.watch("a");
            MachineKey machine = site.machine("blue-w-0");
            site.await("its row", () -> site.inventory(machine) instanceof MachineRow row && row.ready());
            assertThat(site.inventory(site.cluster("blue"))).isInstanceOf(ClusterRow.class);
            FakeOrchestrator brain = new FakeOrchestrator(site);
            bed.wish("blue-w-0", "revision=1100");
            UpgradeIntent intent = brain.intent(machine);
            RolloutRef rolloutRef = FakeOrchestrator.driver(intent);
            brain.refreshes(machine, rolloutRef, intent.target(), "42");
            site.await("the beginning", () -> "42".equals(bed.documented("blue-w-0", "change-id")));
            brain.succeeds(machine, rolloutRef);
            site.await("the end", () -> "done".equals(bed.documented("blue-w-0", "status")));
            assertThat(bed.documented("blue-w-0", "release")).isEqualTo("revision=1100");
            assertThat(bed.documented("blue-w-0", "to")).isNull();
            site.await("the intent's end", () -> site.intent(machine) == null);
            assertThat(Files.readAllLines(bed.cluster.auditLog()))
                    .filteredOn(line -> line.contains("\"" + ManagementTestBed.WATCHER + "\"")
                            && line.contains("\"verb\":\"patch\"")
                            && line.contains("machines/blue-w-0?"))
                    .as("patches of the object; its conditions are another resource")
                    .hasSize(2);
            assertThat(site.unamended).isEmpty();
            assertThat(site.unseen).isEmpty();
        }
    }

    @Test
    void theOldVersionServesAsWellAndNothingIsLostWhenTheServedOnesChange() throws Exception {
        bed.cluster("old");
        bed.machine("old-w", "old");
        bed.owner("machinedeployments", "old-pool", "old", 0, "");
        try (WatchedTestSite site = watched.site("old")) {
            site.watch("a");
            MachineKey machine = site.machine("old-w");
            OwnerKey owner = new OwnerKey(site.id, OwnerKind.MACHINE_DEPLOYMENT, "default", "old-pool");
            FakeOrchestrator brain = new FakeOrchestrator(site);
            bed.annotate("machinedeployments", "old-pool", ManagementTestBed.KEYS + "to", "revision=7");
            brain.intent(owner);
            site.await("its row", () -> site.inventory(machine) instanceof MachineRow row && row.ready());
            site.takeWritten();
            String path = "/apis/cluster.x-k8s.io/v1beta1/namespaces/default/machines/old-w";
            bed.serve(false);
            try {
                site.await(
                        "the new version to be gone",
                        () -> bed.people
                                .get(ManagementTestBed.path("machines", "old-w"))
                                .isMissing());
                assertThat(bed.merge(path, ManagementTestBed.KEYS + "to", "revision=7"))
                        .isInstanceOf(KubeResponse.SuccessResponse.class);
                UpgradeIntent intent = brain.intent(machine);
                brain.upgrades(machine, FakeOrchestrator.driver(intent), intent.target());
                site.await("the end", () -> "done".equals(annotation(path, "status")));
                assertThat(annotation(path, "release")).isEqualTo("revision=7");
                assertThat(annotation(path, "to")).isNull();
            } finally {
                bed.serve(true);
            }
            site.await(
                    "the new version",
                    () -> bed.people.get(ManagementTestBed.path("machines", "old-w"))
                            instanceof KubeResponse.SuccessResponse);
            bed.wish("old-w", "revision=8");
            site.await("another wish", () -> site.intent(machine) != null);
            assertThat(site.takeWritten().stream().filter(Tombstone.class::isInstance))
                    .containsExactly(WatchedTestSite.gone(Table.INTENTS, machine));
            assertThat(site.intent(owner)).isNotNull();
        }
    }

    private static @Nullable String annotation(String path, String name) {
        return ((KubeResponse.SuccessResponse) bed.people.get(path)).object().annotation(ManagementTestBed.KEYS + name);
    }

    @Test
    void whatHappenedWhileTheApiServerWasAwayIsSeenAndNothingIsRemovedMeanwhile() throws Exception {
        bed.cluster("red");
        bed.machine("red-w-0", "red");
        bed.machine("red-w-1", "red");
        try (WatchedTestSite site = watched.site("killed")) {
            site.watch("a");
            MachineKey first = site.machine("red-w-0");
            MachineKey second = site.machine("red-w-1");
            site.await("both", () -> site.inventory(first) != null && site.inventory(second) != null);
            bed.cluster.kill();
            site.await("trouble", () -> !site.unseen.isEmpty());
            bed.cluster.restart();
            bed.wish("red-w-0", "channel=1.33-classic/stable");
            bed.wish("red-w-1", "revision=7");
            site.await("the wishes", () -> site.intent(first) != null && site.intent(second) != null);
            assertThat(site.takeWritten()).noneMatch(Tombstone.class::isInstance);
        }
    }
}
