package dev.flotilla.nodeupgrader.bed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.nodeupgrader.NodeUpgraderProcess;
import dev.flotilla.testkit.kube.KubeBinaries;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** An upgrade stays where it has begun, in its namespace and on its machine, whatever becomes of its plan and of the Node's name. */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class UpgradePlaceIT {
    private static final String OTHER_JOBS = "/apis/batch/v1/namespaces/other-upgrades/jobs/";
    private static final AtomicInteger NAMES = new AtomicInteger();

    @TempDir
    private static Path folder;

    private static UpgraderTestBed bed;

    private final String name = "w-1-0a1b2c3d-" + NAMES.incrementAndGet();
    private Path ran;
    private Path go;
    private NodeUpgraderProcess upgrader;

    @BeforeAll
    static void startBed() throws Exception {
        bed = new UpgraderTestBed(folder);
        bed.allowNamespace("other-upgrades");
    }

    @AfterAll
    static void stopBed() {
        bed.close();
    }

    @BeforeEach
    void start() throws Exception {
        ran = folder.resolve(name + ".ran");
        go = folder.resolve(name + ".go");
        upgrader = bed.startUpgrader();
        bed.createPlan(name, steps());
        bed.createUpgrade(
                name,
                UpgradeObjects.spec("")
                        .replace("version=v1.36.3", "version=v1.36.1")
                        .replace("plan: example", "plan: " + name));
        bed.awaitUpgrade(name, seen -> Files.exists(ran));
    }

    @AfterEach
    void stop() throws Exception {
        Files.writeString(go, "");
        upgrader.close();
    }

    private String steps() {
        return "[{name: one, image: i, command: [sh, -c, 'echo one >>%s; until [ -f %s ]; do sleep 0.05; done']}]"
                .formatted(ran, go);
    }

    @Test
    void deletedPlanEndsWhatHasBegun() throws Exception {
        bed.deleteNow(UpgradeObjects.FLEET + "upgradeplans/" + name);
        Files.writeString(go, "");
        assertThat(bed.awaitEnd(name).text("status", "phase")).isEqualTo("Succeeded");
        bed.awaitUpgrade(name, seen -> seen.texts("metadata", "finalizers").isEmpty());
    }

    @Test
    void planOfAnotherNamespaceMakesNoSecondJob() throws Exception {
        bed.deleteNow(UpgradeObjects.FLEET + "upgradeplans/" + name);
        bed.cluster.apply(
                UpgradeObjects.FLEET + "upgradeplans/" + name,
                UpgradeObjects.plan(name, steps()).replace("spec: {", "spec: {namespace: other-upgrades, "));
        upgrader.close();
        upgrader = bed.startUpgrader();
        bed.abort(name);
        bed.awaitUpgrade(
                name,
                seen -> bed.job(name).bool("spec", "suspend")
                        || !bed.read(OTHER_JOBS + name).uid().isEmpty());
        assertThat(bed.read(OTHER_JOBS + name).uid()).isEmpty();
        Files.writeString(go, "");
        assertThat(bed.awaitEnd(name).text("status", "phase")).isEqualTo("Succeeded");
    }

    @Test
    void anotherMachineWithTheNodesNameIsNotUpgraded() throws Exception {
        bed.replaceNode();
        bed.kubelet.killContainers();
        KubeObject ended = bed.awaitEnd(name);
        Files.writeString(go, "");
        assertThat(Files.readAllLines(ran)).as("the new machine ran nothing").isEqualTo(List.of("one"));
        assertThat(ended.text("status", "failureReason")).isEqualTo("NodeReplaced");
        assertThat(ended.bool("status", "retryable")).isTrue();
        bed.awaitUpgrade(name, seen -> seen.texts("metadata", "finalizers").isEmpty());
    }
}
