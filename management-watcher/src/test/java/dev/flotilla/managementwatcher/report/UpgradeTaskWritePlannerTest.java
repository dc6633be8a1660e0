package dev.flotilla.managementwatcher.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.managementwatcher.stub.SampleObjects;
import dev.flotilla.managementwatcher.task.UpgradeTaskPlan;
import dev.flotilla.managementwatcher.view.ObjectViewFactory;
import dev.flotilla.managementwatcher.view.UpgradeTaskStatus;
import dev.flotilla.managementwatcher.view.UpgradeTaskStatus.TaskCondition;
import dev.flotilla.managementwatcher.view.UpgradeTaskStatus.TaskPhase;
import dev.flotilla.managementwatcher.view.UpgradeTaskView;
import dev.flotilla.schemas.id.SiteId;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class UpgradeTaskWritePlannerTest {
    private static final String HELD = ", 'finalizers': ['example.org/other', 'flotilla.dev/upgrade-task']";
    private static final String DELETED = ", 'deletionTimestamp': '2026-01-02T03:04:05Z'";

    @Test
    void finalizerComesBeforeTheStatusAndGoesAfterIt() {
        UpgradeTaskStatus shown = status(TaskPhase.WAITING, "Accepted", "Waiting");
        assertThat(next(task(""), true, shown, false))
                .isInstanceOfSatisfying(
                        UpgradeTaskWrite.TaskFinalizerWrite.class,
                        write -> assertThat(write.present()).isTrue());
        assertThat(next(task(HELD), true, shown, false)).isInstanceOf(UpgradeTaskWrite.TaskStatusWrite.class);
        assertThat(next(task(HELD), false, shown, false)).isInstanceOf(UpgradeTaskWrite.TaskStatusWrite.class);
        assertThat(next(task(HELD), false, UpgradeTaskStatus.NONE, true))
                .isInstanceOfSatisfying(
                        UpgradeTaskWrite.TaskFinalizerWrite.class,
                        write -> assertThat(write.present()).isFalse());
        assertThat(next(task(""), false, UpgradeTaskStatus.NONE, true))
                .isInstanceOf(UpgradeTaskWrite.TaskDeletion.class);
        assertThat(next(task(""), false, UpgradeTaskStatus.NONE, false)).isNull();
    }

    @Test
    void deletedTaskGetsNoFinalizer() {
        assertThat(next(task(DELETED), true, status(TaskPhase.WAITING, "Accepted", "Waiting"), false))
                .isInstanceOf(UpgradeTaskWrite.TaskStatusWrite.class);
    }

    @Test
    void eventTellsWhatIsNew() {
        assertThat(event(TaskPhase.WAITING, "Accepted", "Waiting")).isEqualTo("none");
        assertThat(event(TaskPhase.WAITING, "Accepted", "OwnerHeld")).isEqualTo("Normal UpgradeTaskWaiting");
        assertThat(event(TaskPhase.WAITING, "ClusterNotFound", "ClusterNotFound"))
                .isEqualTo("Warning UpgradeTaskRejected");
        assertThat(event(TaskPhase.IN_PROGRESS, "Accepted", "InProgress")).isEqualTo("Normal UpgradeTaskInProgress");
        assertThat(event(TaskPhase.COMPLETED, "Accepted", "Completed")).isEqualTo("Normal UpgradeTaskCompleted");
        assertThat(event(TaskPhase.FAILED, "Accepted", "MachinesFailed")).isEqualTo("Warning UpgradeTaskFailed");
        assertThat(event(TaskPhase.ABORTED, "Accepted", "Aborted")).isEqualTo("Normal UpgradeTaskAborted");
    }

    private static String event(TaskPhase phase, String accepted, String completed) {
        UpgradeTaskWrite write = next(task(HELD), true, status(phase, accepted, completed), false);
        UpgradeEvent event = ((UpgradeTaskWrite.TaskStatusWrite) Objects.requireNonNull(write)).event();
        return event == null ? "none" : (event.warning() ? "Warning " : "Normal ") + event.reason();
    }

    private static @Nullable UpgradeTaskWrite next(
            UpgradeTaskView task, boolean finalizer, UpgradeTaskStatus status, boolean expired) {
        return UpgradeTaskWritePlanner.planWrite(
                new UpgradeTaskPlan(task, finalizer, status, expired, List.of(), null));
    }

    private static UpgradeTaskStatus status(TaskPhase phase, String accepted, String completed) {
        return new UpgradeTaskStatus(
                phase,
                UpgradeTaskStatus.TaskCounts.of(List.of()),
                List.of(),
                null,
                null,
                List.of(
                        new TaskCondition(
                                UpgradeTaskStatus.ACCEPTED,
                                accepted.equals("Accepted") ? "True" : "False",
                                accepted,
                                "",
                                Instant.EPOCH,
                                1),
                        new TaskCondition(UpgradeTaskStatus.COMPLETED, "False", completed, "", Instant.EPOCH, 1)),
                1);
    }

    private static UpgradeTaskView task(String metadata) {
        return new ObjectViewFactory(new SiteId("east")).upgradeTaskView(SampleObjects.kube("""
                        {'metadata': {'namespace': 'fleet', 'name': 'a', 'uid': 'u', 'resourceVersion': '7'%s},
                         'spec': {'clusterName': 'blue', 'machines': ['m'], 'target': {'version': 'v1.36.3'}}}""".formatted(metadata)));
    }
}
