package dev.flotilla.nodeupgrader.bed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.nodeupgrader.UpgraderListenerStub;
import dev.flotilla.nodeupgrader.contract.NodeUpgrade;
import dev.flotilla.nodeupgrader.decision.UpgradeDecision;
import dev.flotilla.testkit.kube.KubeBinaries;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** A node-upgrader whose clock is ten minutes ahead of the workload cluster's, as it happens at remote sites. */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class SkewedClockIT {
    private static final Duration AHEAD = Duration.ofMinutes(10);

    @TempDir
    private Path folder;

    private final AtomicInteger resultPodsDeleted = new AtomicInteger();

    @Test
    void upgradeEndsAsWithEqualClocks() throws Exception {
        Path go = folder.resolve("go");
        try (UpgraderTestBed bed = new UpgraderTestBed(folder);
                UpgraderParts upgrader = new UpgraderParts(bed, () -> AHEAD, new DeletionCounter())) {
            bed.createPlan(
                    "skewed",
                    "[{name: one, image: i, command: [sh, -c, 'until [ -f %s ]; do sleep 0.05; done']}]".formatted(go));
            bed.createUpgrade("w-1-skewed-1", UpgradeObjects.spec("").replace("plan: example", "plan: skewed"));
            upgrader.start();
            KubeObject running = bed.awaitUpgrade("w-1-skewed-1", seen -> seen.has("status", "lastHeartbeat"));
            assertThat(running.instant("status", "lastHeartbeat"))
                    .as("by the clock of the management cluster's processes, with which the worker compares it")
                    .isCloseTo(Instant.now().plus(AHEAD), within(2, ChronoUnit.MINUTES));
            Files.writeString(go, "");
            // The kubelet shows its version a little after the last step.
            String result = UpgraderTestBed.PODS + "/w-1-skewed-1-result";
            bed.awaitUpgrade(
                    "w-1-skewed-1", seen -> "Succeeded".equals(bed.read(result).text("status", "phase")));
            bed.setKubeletVersion("v1.36.3");
            KubeObject ended = bed.awaitEnd("w-1-skewed-1");
            assertThat(ended.text("status", "phase"))
                    .as(ended.text("status", "failureMessage"))
                    .isEqualTo("Succeeded");
            assertThat(resultPodsDeleted).hasValue(0);
        }
    }

    private final class DeletionCounter extends UpgraderListenerStub {
        @Override
        public void decided(NodeUpgrade nodeUpgrade, UpgradeDecision decision) {
            if (decision instanceof UpgradeDecision.DeleteResultPod) {
                resultPodsDeleted.incrementAndGet();
            }
        }
    }
}
