package dev.flotilla.managementwatcher.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.managementwatcher.stub.SampleObjects;
import dev.flotilla.managementwatcher.view.MachineTaskCondition;
import dev.flotilla.managementwatcher.view.MachineView;
import dev.flotilla.managementwatcher.view.ObjectViewFactory;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.AttemptFailure;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** When a Machine says that its upgrade has failed for good, so that a MachineHealthCheck replaces it. */
class FailedUpgradeConditionPlannerTest {
    private static final String SHOWN =
            "'conditions': [{'type': 'flotilla.dev/UpgradeFailed', 'status': 'True', 'reason': 'Failed', 'message': 'm'}]";
    private static final String SHOWN_BY_TASK =
            "'conditions': [{'type': 'MachineUpToDate', 'status': 'False', 'reason': 'Failed', 'message': 'm'}]";
    private static final String UP_TO_DATE =
            "'conditions': [{'type': 'MachineUpToDate', 'status': 'True', 'reason': 'Ready', 'message': ''}]";
    private static final String VERSION = "version=v1.36.3";

    private static MachineView machine(String metadata, String status) {
        return new ObjectViewFactory(new SiteId("east"))
                .machineView(SampleObjects.kube("""
                {'metadata': {'name': 'blue-w-1', 'namespace': 'fleet', 'uid': 'u-1', 'resourceVersion': '7'%s},
                 'spec': {'clusterName': 'blue'}, 'status': {%s}}""".formatted(metadata, status)));
    }

    private static ReceivedMachineStatus status(MachineView machine, String target, MachineOutcome outcome) {
        RolloutRef rollout = new RolloutRef.CampaignRef(new CampaignName("up"), 3);
        return new ReceivedMachineStatus(
                new MachineStatus(
                        machine.key(),
                        "u-1",
                        null,
                        new AttemptFailure(
                                17,
                                FailureClass.TERMINAL,
                                FailureReason.NODE_UPGRADE_FAILED,
                                "no space left",
                                Instant.EPOCH),
                        List.of(new RolloutEntry(
                                rollout, "", 1, null, null, null, outcome, null, UpgradeTarget.parse(target), null))),
                Instant.EPOCH);
    }

    private static ObjectWrite.@Nullable TaskConditionWrite plan(MachineView machine, String target) {
        return FailedUpgradeConditionPlanner.planWrite(machine, status(machine, target, MachineOutcome.QUARANTINED));
    }

    @Test
    void finalFailureIsShown() {
        assertThat(plan(machine("", ""), VERSION))
                .isNotNull()
                .satisfies(write -> assertThat(write.condition())
                        .isEqualTo(new MachineTaskCondition(
                                "flotilla.dev/UpgradeFailed",
                                "True",
                                "Failed",
                                "node-upgrade-failed: no space left",
                                "")));
        assertThat(plan(machine("", UP_TO_DATE), VERSION))
                .as("of an earlier task")
                .isNotNull();
    }

    @Test
    void guardedMachineWaitsForItsCleanup() {
        assertThat(plan(machine(", 'annotations': {'flotilla.dev/attempt': '{}'}", ""), VERSION))
                .isNull();
    }

    @Test
    void failureThatIsShownIsNotWrittenAgain() {
        assertThat(plan(machine("", SHOWN), VERSION)).isNull();
        assertThat(plan(machine("", SHOWN_BY_TASK), VERSION)).isNull();
    }

    @Test
    void refreshByK8sdShowsNoCondition() {
        assertThat(plan(machine("", ""), "revision=7")).isNull();
    }

    @Test
    void machineOfATaskIsTheTasks() {
        assertThat(plan(machine(", 'annotations': {'flotilla.dev/upgrade-task': 'uid-a'}", ""), VERSION))
                .isNull();
    }

    @ParameterizedTest
    @EnumSource(
            value = MachineOutcome.class,
            names = {"OPEN", "SUCCEEDED", "SKIPPED"})
    void conditionGoesWhenTheMachineIsTriedAgainOrGivenUp(MachineOutcome outcome) {
        MachineView shown = machine("", SHOWN);
        assertThat(FailedUpgradeConditionPlanner.planWrite(shown, status(shown, VERSION, outcome)))
                .isEqualTo(new ObjectWrite.TaskConditionWrite(shown.key(), "u-1", null));
        MachineView byTask = machine("", SHOWN_BY_TASK);
        assertThat(FailedUpgradeConditionPlanner.planWrite(byTask, status(byTask, VERSION, outcome)))
                .isNull();
    }
}
