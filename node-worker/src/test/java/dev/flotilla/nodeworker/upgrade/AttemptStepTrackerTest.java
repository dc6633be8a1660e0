package dev.flotilla.nodeworker.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.NodeUpgradeTemplateRef;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.WorkerCommand;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AttemptStepTrackerTest {
    private static final MachineKey MACHINE = new MachineKey(new SiteId("east"), "fleet", "m-1");
    private static final Instant START = Instant.parse("2026-11-28T02:14:00Z");
    private static final WorkerCommand COMMAND = new WorkerCommand.CancelUpgrade(MACHINE, "u-1", 7, "a test");

    private final AttemptStepTracker tracker = new AttemptStepTracker();

    private static AttemptProgress report(long attempt, int second, AttemptReport report) {
        return new AttemptProgress(MACHINE, "u-1", attempt, report, START.plusSeconds(second));
    }

    private static AttemptProgress step(int second, AttemptStep step, @Nullable String change) {
        return report(7, second, new AttemptReport.StepReached(step, change));
    }

    @Test
    void aStepLastsUntilTheNextReport() {
        tracker.upgradeStarted(COMMAND, null);
        AttemptProgress preflight = step(0, AttemptStep.PREFLIGHT, null);
        AttemptProgress end = report(7, 3, new AttemptReport.Cancelled());

        assertThat(tracker.reportCommitted(preflight)).isNull();
        EndedStep ended = tracker.reportCommitted(end);

        assertThat(ended).isNotNull();
        assertThat(ended.reached()).isEqualTo(preflight);
        assertThat(ended.next()).isEqualTo(end);
    }

    @Test
    void aStepThatAnotherWorkerBeganHasItsTrueStart() {
        tracker.upgradeStarted(COMMAND, step(-60, AttemptStep.REFRESHING, "42"));

        EndedStep ended = tracker.reportCommitted(step(3, AttemptStep.VERIFYING, "42"));

        assertThat(ended).isNotNull();
        assertThat(ended.reached().reportedAt()).isEqualTo(START.minusSeconds(60));
        assertThat(ended.step().step()).isEqualTo(AttemptStep.REFRESHING);
    }

    @Test
    void aStepThatIsReportedAgainWithItsChangeIsOneStep() {
        tracker.upgradeStarted(COMMAND, null);

        assertThat(tracker.reportCommitted(step(0, AttemptStep.REFRESHING, null)))
                .isNull();
        assertThat(tracker.reportCommitted(step(1, AttemptStep.REFRESHING, "42")))
                .isNull();
        EndedStep ended = tracker.reportCommitted(step(9, AttemptStep.VERIFYING, "42"));

        assertThat(ended).isNotNull();
        assertThat(ended.reached().reportedAt()).isEqualTo(START);
        assertThat(ended.step().changeId()).isEqualTo("42");
    }

    @Test
    void reportsOfEarlierAttemptsAndOfPreparationsAreNoSteps() {
        tracker.upgradeStarted(COMMAND, report(6, -9, new AttemptReport.StepReached(AttemptStep.VERIFYING, "1")));
        assertThat(tracker.reportCommitted(step(0, AttemptStep.PREFLIGHT, null)))
                .isNull();

        tracker.upgradeStopped(COMMAND);
        assertThat(tracker.isTracked(step(1, AttemptStep.PREFLIGHT, null))).isFalse();

        tracker.upgradeStarted(
                new WorkerCommand.PrepareMachine(
                        MACHINE,
                        "u-1",
                        7,
                        MachineRole.WORKER,
                        new UpgradeTarget.Channel("1.33-classic/stable"),
                        START,
                        START,
                        new NodeUpgradeTemplateRef("nodes.flotilla.dev/v1alpha1", "NodeUpgradeTemplate", "t")),
                null);
        assertThat(tracker.isTracked(step(1, AttemptStep.PREFLIGHT, null))).isFalse();
    }
}
