package dev.flotilla.orchestrator.leader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.orchestrator.loop.SampleCampaigns;
import dev.flotilla.orchestrator.loop.TableActorsFixture;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.schemas.topic.TablePartition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that a commit that a worker waits for is made soon, and a commit with only status later. */
class UrgentCommitTest {
    private static final SiteId EAST = new SiteId("east");
    private static final Instant NOW = Instant.parse("2026-03-01T00:00:00Z");

    private final TransactionSizeRecorder term = new TransactionSizeRecorder(TransactionLimits.DEFAULT);
    private final List<WorkerCommand.UpgradeMachine> commands = new ArrayList<>();
    private long offset;

    @BeforeEach
    void addFleet() {
        term.setRowListener(this::recordChange);
        term.processInput(new DecisionInput.LeaderElected(NOW));
        acceptRecord(TablePartition.of(SampleCampaigns.policy(1).rowKey().table()), SampleCampaigns.policy(1));
        acceptRecord(
                TablePartition.of(TableActorsFixture.heartbeat(EAST).rowKey().table(), EAST),
                TableActorsFixture.heartbeat(EAST));
        term.processInput(new DecisionInput.HeartbeatResumed(EAST, NOW));
        term.state().put(TableActorsFixture.cluster(EAST, "k1", 2));
        term.state().put(TableActorsFixture.worker(EAST, "k1", 0));
        term.state().put(TableActorsFixture.worker(EAST, "k1", 1));
        term.finish(NOW);
    }

    @Test
    void aStartIsUrgentAndAStepReportIsNot() {
        acceptRecord(TablePartition.of(SampleCampaigns.campaign().rowKey().table()), SampleCampaigns.campaign());
        assertThat(term.isUrgent()).as("the first machine is to start").isTrue();
        term.finish(NOW);

        WorkerCommand.UpgradeMachine first = commands.getFirst();
        acceptReport(first, new AttemptReport.StepReached(AttemptStep.REFRESHING, "17"));
        assertThat(term.isUrgent()).as("the node works").isFalse();
        term.finish(NOW);

        acceptReport(first, new AttemptReport.Succeeded(AttemptReport.SuccessProof.UPGRADED, "3100", null));
        assertThat(term.isUrgent()).as("the next machine is to start").isTrue();
    }

    private void acceptReport(WorkerCommand.UpgradeMachine command, AttemptReport report) {
        MachineKey key = command.key();
        AttemptProgress said = new AttemptProgress(key, command.uid(), command.attemptId(), report, NOW);
        acceptRecord(TablePartition.of(said.rowKey().table(), key), said);
    }

    private void acceptRecord(TablePartition tablePartition, RowChange rowChange) {
        term.acceptRecord(tablePartition, offset++, rowChange, NOW);
    }

    private void recordChange(RowChange rowChange) {
        if (rowChange instanceof WorkerCommand.UpgradeMachine command) {
            commands.add(command);
        }
    }
}
