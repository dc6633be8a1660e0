package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.testkit.clusterapi.ClusterApiBinaries;
import dev.flotilla.testkit.clusterapi.ClusterApiRelease;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** Cluster API would move twelve machines of three clusters at once: the fleet's cap holds for all of them together. */
@Tag("nightly")
@EnabledIf(value = ClusterApiBinaries.PRESENT, disabledReason = ClusterApiBinaries.MISSING)
class ClusterApiFleetCapIT {
    private static final List<String> CLUSTERS = List.of("north", "east", "south");
    private static final int WORKERS = 4;
    private static final int CAP = 2;

    @TempDir
    private Path folder;

    @Test
    void twoNodesAtMostAreChangedAtOnce() throws IOException {
        try (InPlaceUpdateLab lab = new InPlaceUpdateLab(folder, ClusterApiRelease.NEWEST, "fleet-cap")) {
            lab.createClusters(1, WORKERS, 0, CLUSTERS.toArray(String[]::new));
            lab.applyPolicy(CAP, 1);
            Map<String, String> before = new TreeMap<>();
            for (String cluster : CLUSTERS) {
                before.putAll(lab.view.uids(cluster));
                lab.edits.allowUnavailable(cluster, WORKERS);
                lab.edits.changeWorkersVersion(cluster, InPlaceUpdateLab.NEW);
            }
            lab.await(
                    "all machines at once with Cluster API",
                    () -> CLUSTERS.stream()
                                    .flatMap(cluster -> lab.view.machines(cluster).stream())
                                    .filter(lab.view::isUpdating)
                                    .count()
                            >= CLUSTERS.size() * WORKERS - CAP);
            lab.await(
                    "all workers",
                    () -> CLUSTERS.stream().allMatch(cluster -> lab.view.areWorkersAt(cluster, InPlaceUpdateLab.NEW)));
            NodesInChange nodes = lab.nodesInChange();
            nodes.csv().forEach(System.out::println);
            double ideal = nodes.workSeconds() / CAP;
            System.out.printf(
                    Locale.ROOT,
                    "makespan %.1f s, with %d always in change %.1f s: %.2f times the ideal%n",
                    nodes.makespanSeconds(),
                    CAP,
                    ideal,
                    nodes.makespanSeconds() / ideal);
            assertThat(nodes.most()).isEqualTo(CAP);
            Map<String, String> after = new TreeMap<>();
            CLUSTERS.forEach(cluster -> after.putAll(lab.view.uids(cluster)));
            assertThat(after).isEqualTo(before);
            assertThat(lab.violations()).isEmpty();
        }
    }
}
