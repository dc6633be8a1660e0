package dev.flotilla.nodeupgrader.bed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.nodeupgrader.UpgraderListenerStub;
import dev.flotilla.testkit.kube.KubeBinaries;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** Upgrades whose result nobody can read any more: they end nevertheless, and nothing of them stays for ever. */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class EndWithoutResultIT {
    private static final String NAME = "w-1-0a1b2c3d-1";
    private static final String CLUSTER = "/apis/cluster.x-k8s.io/v1beta2/namespaces/fleet/clusters/blue";
    private static final String SERVICE_ACCOUNT =
            "/api/v1/namespaces/flotilla-node-upgrades/serviceaccounts/flotilla-node-upgrader";

    @TempDir
    private Path folder;

    /** How far the clock of the node-upgrader is ahead. */
    private final AtomicLong aheadNanos = new AtomicLong();

    private UpgraderTestBed bed;
    private UpgraderParts upgrader;

    @BeforeEach
    void start() throws Exception {
        bed = new UpgraderTestBed(folder);
        bed.cluster.withClusterApi();
        bed.cluster.apply(CLUSTER, """
                {apiVersion: cluster.x-k8s.io/v1beta2, kind: Cluster, metadata: {name: blue, namespace: fleet}, spec: {}}""");
        upgrader = startUpgrader();
    }

    private UpgraderParts startUpgrader() throws Exception {
        return new UpgraderParts(bed, () -> Duration.ofNanos(aheadNanos.get()), new UpgraderListenerStub()).start();
    }

    @AfterEach
    void stop() {
        upgrader.close();
        bed.close();
    }

    private void createUpgrade(String image, String command) {
        bed.createPlan("example", "[{name: one, image: %s, command: [sh, -c, '%s']}]".formatted(image, command));
        bed.createUpgrade(
                NAME,
                UpgradeObjects.spec("")
                        .replace(
                                "2099-01-01T00:00:00Z",
                                Instant.now().plus(Duration.ofHours(1)).toString()));
    }

    private void assertReleased() throws Exception {
        bed.awaitUpgrade(NAME, seen -> seen.texts("metadata", "finalizers").isEmpty());
    }

    @Test
    void imageThatNeverComesEndsAfterTheDeadlineAndLeavesNoPodThatPulls() throws Exception {
        createUpgrade("unpullable", "true");
        bed.awaitUpgrade(NAME, seen -> "ImageNotPulled".equals(seen.text("status", "failureReason")));
        aheadNanos.addAndGet(Duration.ofHours(2).toNanos());
        KubeObject ended = bed.awaitEnd(NAME);
        assertThat(ended.text("status", "phase")).isEqualTo("Failed");
        assertThat(ended.text("status", "failureReason")).isEqualTo("ImageNotPulled");
        assertThat(ended.bool("status", "retryable")).isTrue();
        assertThat(ended.text("status", "failureMessage")).contains("'unpullable'", "to node w-1");
        assertThat(bed.job(NAME).bool("spec", "suspend")).isTrue();
        assertThat(bed.read(UpgraderTestBed.PODS).list("items"))
                .allSatisfy(pod ->
                        assertThat(pod.number("spec", "activeDeadlineSeconds")).isEqualTo(300));
        assertReleased();
    }

    @Test
    void upgradeThatEndedLongAgoIsDeletedWithTheJobThatItsAbortHasLeft() throws Exception {
        createUpgrade("unpullable", "true");
        bed.awaitUpgrade(NAME, seen -> !bed.job(NAME).uid().isEmpty());
        bed.abort(NAME);
        aheadNanos.addAndGet(Duration.ofHours(2).toNanos());
        assertThat(bed.awaitEnd(NAME).text("status", "phase")).isEqualTo("Aborted");
        assertReleased();
        assertThat(bed.job(NAME).bool("spec", "suspend")).isTrue();
        aheadNanos.addAndGet(Duration.ofDays(7).toNanos());
        // The next list finds it.
        upgrader.close();
        upgrader = startUpgrader();
        bed.awaitUpgrade(NAME, seen -> seen.uid().isEmpty());
        assertThat(bed.job(NAME).uid()).isEmpty();
    }

    @Test
    void deletedClusterThatDoesNotAnswerEndsItsUpgradesOnceNoStepCanRun() throws Exception {
        Path ran = folder.resolve("ran");
        createUpgrade("i", "echo one >" + ran + "; until [ -f " + folder.resolve("go") + " ]; do sleep 0.05; done");
        bed.awaitUpgrade(NAME, seen -> Files.exists(ran));
        // The Secret goes with the cluster, and so does what accepts the token.
        bed.deleteNow("/api/v1/namespaces/fleet/secrets/blue-kubeconfig");
        bed.deleteNow(SERVICE_ACCOUNT);
        aheadNanos.addAndGet(Duration.ofMinutes(31).toNanos());
        bed.deleteNow(UpgradeObjects.FLEET + "nodeupgrades/" + NAME);
        aheadNanos.addAndGet(Duration.ofMinutes(3).toNanos());
        assertThat(bed.awaitPhase(NAME, "Running").has("metadata", "deletionTimestamp"))
                .as("its Cluster is still there")
                .isTrue();
        bed.deleteNow(CLUSTER);
        aheadNanos.addAndGet(Duration.ofHours(2).toNanos());
        bed.awaitUpgrade(NAME, seen -> {
            // Since when the cluster does not answer is counted from the first read that fails.
            aheadNanos.addAndGet(Duration.ofSeconds(10).toNanos());
            return seen.uid().isEmpty();
        });
        Files.writeString(folder.resolve("go"), "");
    }
}
