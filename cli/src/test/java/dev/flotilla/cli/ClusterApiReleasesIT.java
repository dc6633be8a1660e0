package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.testkit.clusterapi.ClusterApiBinaries;
import dev.flotilla.testkit.clusterapi.ClusterApiRelease;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each release of Cluster API with in-place updates: another version, other files, both at once, and a surge. */
@Tag("nightly")
@EnabledIf(value = ClusterApiBinaries.PRESENT_IN_ALL_RELEASES, disabledReason = ClusterApiBinaries.MISSING_RELEASES)
class ClusterApiReleasesIT {
    private static final String NEWER = "v1.35.3";
    private static final int CONTROL_PLANES = 3;
    private static final int WORKERS = 4;
    private static final int MACHINES = CONTROL_PLANES + WORKERS;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource
    void machinesKeepNameAndUidAndASurgeMakesOneOfEachOwner(ClusterApiRelease release) throws IOException {
        try (InPlaceUpdateLab lab = new InPlaceUpdateLab(folder, release)) {
            lab.createClusters(CONTROL_PLANES, WORKERS, 0, "blue");
            Map<String, String> before = lab.uids("blue");

            lab.edits.changeVersion("blue", InPlaceUpdateLab.NEW);
            lab.awaitAt("blue", InPlaceUpdateLab.NEW, MACHINES);
            assertThat(lab.upgradesOf("blue").values()).hasSize(MACHINES).containsOnly(1);

            lab.edits.changeFiles("blue", "one");
            lab.await(
                    "the file on all machines",
                    () -> lab.haveFile("blue", "one") && lab.isAt("blue", InPlaceUpdateLab.NEW, MACHINES));
            assertThat(lab.upgradesOf("blue").values()).hasSize(MACHINES).containsOnly(2);

            lab.edits.changeFiles("blue", "two");
            lab.edits.changeVersion("blue", NEWER);
            lab.await("both on all machines", () -> lab.haveFile("blue", "two") && lab.isAt("blue", NEWER, MACHINES));
            assertThat(lab.uids("blue")).isEqualTo(before);

            lab.createClusters(CONTROL_PLANES, 2, 1, "red");
            Map<String, String> replaced = lab.uids("red");
            lab.edits.changeVersion("red", InPlaceUpdateLab.NEW);
            lab.awaitAt("red", InPlaceUpdateLab.NEW, CONTROL_PLANES + 2);
            TreeSet<String> gone = new TreeSet<>(replaced.values());
            gone.removeAll(lab.uids("red").values());
            assertThat(gone).as("one machine of each owner").hasSize(2);
            assertThat(lab.violations()).isEmpty();
        } finally {
            System.out.println("Cluster API " + release.number());
        }
    }
}
