package dev.flotilla.managementwatcher.real;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.managementwatcher.stub.ManagementBed;
import dev.flotilla.managementwatcher.stub.PlayedOrchestrator;
import dev.flotilla.managementwatcher.stub.WatchedBed;
import dev.flotilla.managementwatcher.stub.WatchedSite;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.Driver;
import dev.flotilla.schemas.row.Gone;
import dev.flotilla.schemas.row.Intent;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.testkit.kube.KubeBinaries;
import java.nio.file.Files;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** A watcher on a real API server, under exactly the role of {@code deploy/}; the orchestrator is played by hand. */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class RealApiServerIT {
    private static WatchedBed watched;
    private static ManagementBed bed;

    @BeforeAll
    static void start() throws Exception {
        watched = WatchedBed.start();
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
        try (WatchedSite site = watched.site("real")) {
            site.watch("a");
            MachineKey machine = site.machine("blue-w-0");
            site.await("its row", () -> site.inventory(machine) instanceof MachineRow row && row.ready());
            assertThat(site.inventory(site.cluster("blue"))).isInstanceOf(ClusterRow.class);
            PlayedOrchestrator brain = new PlayedOrchestrator(site);
            bed.wish("blue-w-0", "revision=1100");
            Intent intent = brain.intent(machine);
            Driver driver = PlayedOrchestrator.driver(intent);
            brain.refreshes(machine, driver, intent.option(), "42");
            site.await("the beginning", () -> "42".equals(bed.documented("blue-w-0", "change-id")));
            brain.succeeds(machine, driver);
            site.await("the end", () -> "done".equals(bed.documented("blue-w-0", "status")));
            assertThat(bed.documented("blue-w-0", "release")).isEqualTo("revision=1100");
            assertThat(bed.documented("blue-w-0", "to")).isNull();
            site.await("the intent's end", () -> site.intent(machine) == null);
            assertThat(Files.readAllLines(bed.cluster.auditLog()))
                    .filteredOn(line -> line.contains("\"" + ManagementBed.WATCHER + "\"")
                            && line.contains("\"verb\":\"patch\"")
                            && line.contains("machines/blue-w-0?"))
                    .as("patches of the object; its conditions are another resource")
                    .hasSize(2);
            assertThat(site.unamended).isEmpty();
            assertThat(site.unseen).isEmpty();
        }
    }

    @Test
    void whatHappenedWhileTheApiServerWasAwayIsSeenAndNothingIsRemovedMeanwhile() throws Exception {
        bed.cluster("red");
        bed.machine("red-w-0", "red");
        bed.machine("red-w-1", "red");
        try (WatchedSite site = watched.site("killed")) {
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
            assertThat(site.takeWritten()).noneMatch(Gone.class::isInstance);
        }
    }
}
