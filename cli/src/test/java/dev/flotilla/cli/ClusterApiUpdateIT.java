package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.testkit.clusterapi.ClusterApiBinaries;
import dev.flotilla.testkit.clusterapi.ClusterApiRelease;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** The real managers of Cluster API update the machines of a cluster in place, through all of Flotilla: every Machine is kept. */
@Tag("whole")
@EnabledIf(value = ClusterApiBinaries.PRESENT, disabledReason = ClusterApiBinaries.MISSING)
class ClusterApiUpdateIT {
    private static final int CONTROL_PLANES = 3;
    private static final int WORKERS = 2;

    @TempDir
    private Path folder;

    @Test
    void everyMachineKeepsItsNameAndUid() throws IOException {
        try (InPlaceUpdateLab lab = new InPlaceUpdateLab(folder, ClusterApiRelease.NEWEST, "update")) {
            lab.createClusters(CONTROL_PLANES, WORKERS, 0, "blue");
            Map<String, String> before = lab.view.uids("blue");
            lab.edits.changeVersion("blue", InPlaceUpdateLab.NEW);
            lab.awaitAt("blue", InPlaceUpdateLab.NEW, CONTROL_PLANES + WORKERS);
            lab.transcript().forEach(System.out::println);
            assertThat(lab.view.uids("blue")).isEqualTo(before);
            assertThat(lab.view.upgradesOf("blue").values())
                    .hasSize(CONTROL_PLANES + WORKERS)
                    .containsOnly(1);
            assertThat(lab.violations()).isEmpty();
        }
    }
}
