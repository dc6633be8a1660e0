package dev.flotilla.nodeupgrader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.nodeupgrader.contract.FailureReason;
import dev.flotilla.nodeupgrader.contract.NodeUpgrade;
import dev.flotilla.nodeupgrader.contract.NodeUpgradePhase;
import dev.flotilla.nodeupgrader.contract.NodeUpgradeStatus;
import dev.flotilla.nodeupgrader.decision.UpgradeDecision;
import dev.flotilla.runtime.metrics.PrometheusMetrics;
import dev.flotilla.testkit.page.GeneratedPageSection;
import dev.flotilla.testkit.page.MetricsReferenceTable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class UpgraderEventLoggerTest {
    private static final Path PAGE = Path.of("../docs/metrics.md");

    private final PrometheusMetrics prometheusMetrics = new PrometheusMetrics("node-upgrader");
    private final List<UpgraderCrashPoint> reached = new ArrayList<>();
    private boolean lockedOut;
    private int ends;
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final NodeSilenceMeter silenceMeter = new NodeSilenceMeter(() -> now);
    private final UpgraderEventLogger logger = new UpgraderEventLogger(
            new NodeUpgraderMetrics(prometheusMetrics.registry(), silenceMeter),
            silenceMeter,
            reached::add,
            () -> lockedOut,
            () -> ends++);

    @AfterEach
    void close() {
        prometheusMetrics.close();
    }

    /** {@code -Dflotilla.rewrite=true} regenerates the table. */
    @Test
    void pageHasTheTableOfRegisteredMetrics() throws IOException {
        String table = MetricsReferenceTable.markdownTable(prometheusMetrics.toPrometheusText(), List.of());
        assertThat(GeneratedPageSection.readOrRewrite(PAGE, "node-upgrader", table))
                .as("rewritten by -Dflotilla.rewrite=true")
                .isEqualTo(table);
    }

    @Test
    void isReadyWhileTheNodeUpgradesCanBeRead() {
        assertThat(logger.readiness().healthy()).isFalse();
        logger.watchSucceeded();
        assertThat(logger.readiness().healthy()).isTrue();
        logger.watchFailed("403 no");
        assertThat(logger.readiness().healthy()).isFalse();
        assertThat(logger.readiness().parts())
                .singleElement()
                .satisfies(part -> assertThat(part.message()).isEqualTo("403 no"));
        logger.watchSucceeded();
        lockedOut = true;
        assertThat(logger.readiness().healthy()).isFalse();
    }

    @Test
    void countsOutcomesAndReasons() {
        NodeUpgradeStatus running =
                SampleUpgrades.nodeUpgrade(NodeUpgradePhase.RUNNING, false).status();
        logger.statusWritten("fleet/w-1", running, running.failed(FailureReason.JOB_ENDED, "stopped"));
        logger.statusWritten("fleet/w-2", running, running.in(NodeUpgradePhase.SUCCEEDED));
        logger.statusWritten("fleet/w-3", running, running);
        assertThat(prometheusMetrics.toPrometheusText())
                .contains(
                        "flotilla_upgrader_upgrades_ended_total{application=\"node-upgrader\",outcome=\"Failed\"} 1.0",
                        "flotilla_upgrader_upgrades_ended_total{application=\"node-upgrader\",outcome=\"Succeeded\"} 1.0",
                        "flotilla_upgrader_upgrades_failed_total{application=\"node-upgrader\",reason=\"JobEnded\"} 1.0");
    }

    @Test
    void measuresTheSilenceOfNodesWhoseUpgradeRuns() {
        NodeUpgrade running = SampleUpgrades.nodeUpgrade(NodeUpgradePhase.RUNNING, false);
        logger.decided(SampleUpgrades.nodeUpgrade(), new UpgradeDecision.WaitForChange());
        assertThat(silenceMeter.longestSilenceSeconds()).isZero();
        logger.decided(running, new UpgradeDecision.WaitForChange());
        now = now.plusSeconds(700);
        logger.decided(running, new UpgradeDecision.WaitForChange());
        assertThat(prometheusMetrics.toPrometheusText())
                .contains("flotilla_upgrader_silent_seconds{application=\"node-upgrader\"} 700.0")
                .contains("flotilla_upgrader_upgrades_overdue{application=\"node-upgrader\"} 0.0");
        now = SampleUpgrades.DEADLINE.plusSeconds(1);
        assertThat(silenceMeter.overdueUpgrades()).isEqualTo(1);
        logger.upgradeClosed(running.toString(), 0);
        assertThat(silenceMeter.overdueUpgrades()).isZero();
        assertThat(silenceMeter.longestSilenceSeconds()).isZero();
    }

    @Test
    void eachKindOfWriteIsACrashPoint() {
        logger.decided(SampleUpgrades.nodeUpgrade(), new UpgradeDecision.CreateJob(false));
        logger.decided(SampleUpgrades.nodeUpgrade(), new UpgradeDecision.SuspendJob());
        logger.decided(SampleUpgrades.nodeUpgrade(), new UpgradeDecision.WaitForChange());
        assertThat(reached)
                .containsExactly(
                        UpgraderCrashPoint.CREATE_JOB, UpgraderCrashPoint.SUSPEND_JOB, UpgraderCrashPoint.WAIT);
    }

    @Test
    void bugEndsTheProcess() {
        logger.loopFailed(new IllegalStateException("bug"));
        assertThat(logger.liveness().healthy()).isFalse();
        assertThat(ends).isEqualTo(1);
    }
}
