package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.testkit.clusterapi.ClusterApiBinaries;
import dev.flotilla.testkit.clusterapi.ClusterApiRelease;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** A control plane with one member, which Cluster API would replace, is upgraded by an UpgradeTask, as docs/upgrade-task.md says. */
@Tag("nightly")
@EnabledIf(value = ClusterApiBinaries.PRESENT, disabledReason = ClusterApiBinaries.MISSING)
class ClusterApiSingleControlPlaneIT {
    @TempDir
    private Path folder;

    @Test
    void itsMachineKeepsNameAndUidAlsoWhenThePauseEnds() throws IOException {
        try (InPlaceUpdateLab lab = new InPlaceUpdateLab(folder, ClusterApiRelease.NEWEST, "single")) {
            lab.createClusters(1, 1, 0, "one");
            Map<String, String> before = lab.view.uids("one");
            String member = before.keySet().stream()
                    .filter(machine -> machine.startsWith("one-control-plane"))
                    .findFirst()
                    .orElseThrow();
            lab.edits.pauseControlPlane("one", true);
            lab.upgradeControlPlaneByTask("one", InPlaceUpdateLab.NEW);
            lab.edits.setMachineVersion(member, InPlaceUpdateLab.NEW);
            lab.edits.changeControlPlaneVersion("one", InPlaceUpdateLab.NEW);
            lab.edits.pauseControlPlane("one", false);
            // Cluster API has the time to begin a rollout.
            lab.watchFor(Duration.ofSeconds(60));
            lab.transcript().forEach(System.out::println);
            assertThat(lab.view.uids("one")).isEqualTo(before);
            lab.await(
                    "the member up to date",
                    () -> lab.view.machines("one").stream()
                            .filter(machine -> machine.name().equals(member))
                            .allMatch(machine -> machine.isCondition("UpToDate", "True")));
        }
    }
}
