package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.testkit.clusterapi.ClusterApiBinaries;
import dev.flotilla.testkit.clusterapi.ClusterApiRelease;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each release of Cluster API with in-place updates: another version, other files, both at once, a surge, and many workers. */
@Tag("nightly")
@EnabledIf(value = ClusterApiBinaries.PRESENT_IN_ALL_RELEASES, disabledReason = ClusterApiBinaries.MISSING_RELEASES)
class ClusterApiReleasesIT {
    private static final String NEWER = "v1.35.3";
    private static final int CONTROL_PLANES = 3;
    private static final int WORKERS = 4;
    private static final int MACHINES = CONTROL_PLANES + WORKERS;
    /** Machines in flight at once, so that no owner waits for another. */
    private static final int OWNERS = 4;

    private static final int MANY = 50;
    private static final int AT_ONCE = 10;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource
    void machinesKeepNameAndUidAndASurgeMakesOneOfEachOwner(ClusterApiRelease release) throws IOException {
        try (InPlaceUpdateLab lab = new InPlaceUpdateLab(folder, release, "release-" + release.number())) {
            lab.beginClusters(CONTROL_PLANES, WORKERS, 0, "blue");
            lab.beginClusters(CONTROL_PLANES, WORKERS, 1, "red");
            lab.awaitAt("blue", InPlaceUpdateLab.OLD, MACHINES);
            lab.awaitAt("red", InPlaceUpdateLab.OLD, MACHINES);
            lab.applyPolicy(OWNERS, 1);
            Map<String, String> blue = lab.view.uids("blue");
            Map<String, String> red = lab.view.uids("red");
            lab.noteMachines("blue", "before, with maxSurge 0");
            lab.noteMachines("red", "before, with maxSurge 1");

            lab.note("another version");
            lab.edits.changeVersion("blue", InPlaceUpdateLab.NEW);
            lab.edits.changeVersion("red", InPlaceUpdateLab.NEW);
            lab.awaitAt("blue", InPlaceUpdateLab.NEW, MACHINES);
            lab.awaitAt("red", InPlaceUpdateLab.NEW, MACHINES);
            lab.noteMachines("red", "after");
            assertKept(lab, blue, 1);
            assertOneOfEachOwnerIsNew(lab, red);

            lab.note("other files");
            lab.edits.changeFiles("blue", "one");
            lab.await("the file on all machines", () -> isAt(lab, InPlaceUpdateLab.NEW, "one"));
            assertKept(lab, blue, 2);

            lab.note("another version and other files at once");
            lab.edits.changeVersionAndFiles("blue", NEWER, "two");
            lab.await("both on all machines", () -> isAt(lab, NEWER, "two"));
            lab.noteMachines("blue", "after");
            assertKept(lab, blue, 3);
            assertThat(lab.violations()).isEmpty();
        }
    }

    private static boolean isAt(InPlaceUpdateLab lab, String version, String file) {
        return lab.view.isAt("blue", version, MACHINES) && lab.view.haveFile("blue", file);
    }

    /** Each machine is the same, and was upgraded so many times. */
    private static void assertKept(InPlaceUpdateLab lab, Map<String, String> before, int upgrades) {
        assertThat(lab.view.uids("blue")).isEqualTo(before);
        assertThat(lab.view.upgradesOf("blue").values()).hasSize(MACHINES).containsOnly(upgrades);
    }

    /** One machine of each owner is new and one is gone; all others stay, and are upgraded once. */
    private static void assertOneOfEachOwnerIsNew(InPlaceUpdateLab lab, Map<String, String> before) {
        Map<String, String> after = lab.view.uids("red");
        assertThat(ownersOfThoseOnlyIn(before, after)).as("gone").containsExactly("control-plane", "workers");
        assertThat(ownersOfThoseOnlyIn(after, before)).as("new").containsExactly("control-plane", "workers");
        assertThat(lab.view.upgradesOf("red").values()).containsOnly(1);
        after.keySet().retainAll(before.keySet());
        assertThat(lab.view.upgradesOf("red").keySet()).containsAll(after.keySet());
    }

    private static List<String> ownersOfThoseOnlyIn(Map<String, String> machines, Map<String, String> others) {
        Map<String, String> only = new TreeMap<>(machines);
        only.values().removeAll(others.values());
        return only.keySet().stream()
                .map(machine -> machine.contains("-workers-") ? "workers" : "control-plane")
                .toList();
    }

    /**
     * The releases serve other API versions of the objects that the extension reads. The members do not become Ready: their nodes, in the
     * older infrastructure manager, lack a taint that the newer control-plane manager asks for.
     */
    @Test
    void clusterApiIsUpgradedWhileMachinesAreUpdated() throws IOException {
        try (InPlaceUpdateLab lab = new InPlaceUpdateLab(folder, ClusterApiRelease.V1_12, "upgraded")) {
            lab.createClusters(CONTROL_PLANES, WORKERS, 0, "blue");
            lab.applyPolicy(OWNERS, 1);
            Map<String, String> before = lab.view.uids("blue");
            lab.noteMachines("blue", "before");
            lab.edits.changeVersion("blue", InPlaceUpdateLab.NEW);
            lab.await("the first machine", () -> !lab.view.upgradesOf("blue").isEmpty());
            lab.note("Cluster API is upgraded");
            lab.managers.upgrade(ClusterApiRelease.NEWEST);
            lab.await("all machines", () -> lab.view.isUpdatedTo("blue", InPlaceUpdateLab.NEW, MACHINES));
            lab.noteMachines("blue", "after");
            assertKept(lab, before, 1);
            assertThat(lab.violations()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void fiftyWorkersKeepNameAndUid(ClusterApiRelease release) throws IOException {
        try (InPlaceUpdateLab lab = new InPlaceUpdateLab(folder, release, "fifty-" + release.number())) {
            lab.createClusters(1, MANY, 0, "wide");
            lab.edits.allowUnavailable("wide", AT_ONCE);
            lab.applyPolicy(AT_ONCE, AT_ONCE);
            Map<String, String> before = lab.view.uids("wide");
            lab.noteMachines("wide", "before");
            lab.edits.changeWorkersVersion("wide", InPlaceUpdateLab.NEW);
            lab.await("the workers", () -> lab.view.areWorkersAt("wide", InPlaceUpdateLab.NEW));
            lab.noteMachines("wide", "after");
            assertThat(lab.view.uids("wide")).isEqualTo(before);
            assertThat(lab.view.upgradesOf("wide").values()).hasSize(MANY).containsOnly(1);
            assertThat(lab.nodesInChange().most()).isLessThanOrEqualTo(AT_ONCE);
            assertThat(lab.violations()).isEmpty();
        }
    }
}
