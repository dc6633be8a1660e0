package dev.flotilla.clusterapi.update;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.clusterapi.coverage.AppliedSpec;
import dev.flotilla.clusterapi.coverage.IgnoredFields;
import dev.flotilla.clusterapi.dirty.DirtyMachineMarker;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an update is answered, by what is known of the Machine and its tasks. */
class UpdateDeciderTest {
    private static final String TARGET = "sha256:" + "a".repeat(64);
    private static final Instant NOW = Instant.parse("2026-11-27T12:00:00Z");
    private static final Instant FINISHED = NOW.minus(UpdateDecider.SHOWN_WITHIN);
    private static final String OTHER = "sha256:" + "b".repeat(64);

    private static UpdateRequest request(boolean hasFields) {
        return request(hasFields, new UpdateRequest.ObjectName("KubeadmConfig", "blue-w-0-config"));
    }

    private static UpdateRequest request(boolean hasFields, UpdateRequest.ObjectName bootstrapConfig) {
        JsonObjectReader none = new JsonObjectReader.Builder().build();
        return new UpdateRequest(
                "fleet",
                "blue-w-0",
                "blue",
                new UpdateRequest.ObjectName("DevMachine", "blue-w-0-infra"),
                bootstrapConfig,
                new AppliedSpec("v1.36.3", none, hasFields),
                new IgnoredFields(new TreeMap<>()));
    }

    private static MachineState machine(@Nullable String kubelet, @Nullable String reached) {
        return machine("uid-1", "v1.36.3", kubelet, reached, true, false);
    }

    private static MachineState machine(
            String uid,
            String version,
            @Nullable String kubelet,
            @Nullable String reached,
            boolean updating,
            boolean deleting) {
        return new MachineState(
                uid,
                version,
                null,
                null,
                kubelet,
                reached,
                new DirtyMachineMarker.DirtyAnnotations(null, null),
                null,
                updating,
                deleting);
    }

    private static MachineTask task(String target, int round, @Nullable String phase) {
        return new MachineTask("task-" + round, "t-" + round, target, round, false, phase, FINISHED, null, false);
    }

    private static UpdateAnswer decide(MachineState machine, MachineTask... tasks) {
        return UpdateDecider.decide(request(false), TARGET, machine, List.of(tasks), 600, NOW);
    }

    @Test
    void aFirstRequestCreatesATaskOfThisMachineAndVersion() {
        UpdateAnswer answer = decide(machine("v1.35.4", null));
        assertThat(answer).isInstanceOf(UpdateAnswer.CreateTask.class);
        KubeObject task = new KubeObject(((UpdateAnswer.CreateTask) answer).task());
        assertThat(task.namespace()).isEqualTo("fleet");
        assertThat(task.name())
                .isEqualTo(((UpdateAnswer.CreateTask) answer).name())
                .startsWith("blue-w-0-");
        assertThat(task.texts("spec", "machines")).containsExactly("blue-w-0");
        assertThat(task.text("spec", "target", "version")).isEqualTo("v1.36.3");
        assertThat(task.has("spec", "target", "machineSpec")).isFalse();
        assertThat(task.label(MachineTask.MACHINE_UID)).isEqualTo("uid-1");
        assertThat(decide(machine("v1.35.4", null))).as("the same name again").isEqualTo(answer);
    }

    @Test
    void aMachineThatWasCreatedAgainUnderItsNameHasAnotherTask() {
        UpdateAnswer first = decide(machine("v1.35.4", null));
        UpdateAnswer second = decide(machine("uid-2", "v1.36.3", "v1.35.4", null, true, false));
        assertThat(((UpdateAnswer.CreateTask) first).name()).isNotEqualTo(((UpdateAnswer.CreateTask) second).name());
    }

    @Test
    void tasksOfAMachineAreNumberedWhateverTheirTargets() {
        UpdateAnswer.CreateTask first = (UpdateAnswer.CreateTask) decide(machine("v1.35.4", null));
        assertThat(UpdateDecider.decide(request(false), OTHER, machine("v1.35.4", null), List.of(), 600, NOW))
                .as("of two at once, for different targets, one name is taken")
                .extracting(answer -> ((UpdateAnswer.CreateTask) answer).name())
                .isEqualTo(first.name());
        UpdateAnswer.CreateTask next = (UpdateAnswer.CreateTask)
                decide(machine("v1.35.4", null), task(OTHER, 1, "Completed"), task(OTHER, 2, "Failed"));
        assertThat(next.round()).isEqualTo(3);
        assertThat(next.name()).isEqualTo(first.name() + "-3");
    }

    @Test
    void fieldsBesidesTheVersionMakeATargetWithTheirHash() {
        UpdateAnswer answer =
                UpdateDecider.decide(request(true), TARGET, machine("v1.35.4", null), List.of(), 600, NOW);
        KubeObject task = new KubeObject(((UpdateAnswer.CreateTask) answer).task());
        assertThat(task.text("spec", "target", "machineSpec", "hash")).isEqualTo(TARGET);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                // phase, running, aborting, gate, seconds, message
                "-, false, false, -, 5, UpgradeTask task-1 waits",
                "Waiting, false, false, window, 20, UpgradeTask task-1 waits at gate window",
                "InProgress, true, false, -, 5, UpgradeTask task-1 upgrades the node",
                "InProgress, true, true, -, 20, UpgradeTask task-1 is being aborted"
            })
    void anOpenTaskIsInProgressWhateverItsTargetIs(
            @Nullable String phase,
            boolean running,
            boolean aborting,
            @Nullable String gate,
            int seconds,
            String message) {
        for (String target : List.of(TARGET, OTHER)) {
            MachineTask open = new MachineTask("task-1", "t-1", target, 1, aborting, phase, null, gate, running);
            assertThat(decide(machine("v1.36.3", null), open))
                    .isEqualTo(new UpdateAnswer.InProgress(
                            seconds, target.equals(TARGET) ? message : message + ", for an earlier change"));
        }
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                // fields, kubelet, reached, done
                "false, v1.36.3, -, true",
                "false, v1.35.4, -, false",
                "false, -, -, false",
                "true, v1.36.3, a, true",
                "true, v1.36.3, b, false",
                "true, v1.36.3, -, false",
                "true, v1.35.4, b, false"
            })
    void onlyACompletedTaskOfAMachineAtItsTargetIsDone(
            boolean fields, @Nullable String kubelet, @Nullable String reached, boolean done) {
        MachineState machine = machine(kubelet, reached == null ? null : "sha256:" + reached.repeat(64));
        UpdateAnswer answer =
                UpdateDecider.decide(request(fields), TARGET, machine, List.of(task(TARGET, 1, "Completed")), 600, NOW);
        assertThat(answer instanceof UpdateAnswer.Done).isEqualTo(done);
        if (!done) {
            assertThat(((UpdateAnswer.CreateTask) answer).name())
                    .as("the machine has left the target since")
                    .endsWith("-2");
        }
        assertThat(UpdateDecider.decide(request(fields), TARGET, machine, List.of(), 600, NOW))
                .as("without a task nobody has said that it succeeded")
                .isInstanceOf(UpdateAnswer.CreateTask.class);
    }

    @Test
    void aTaskThatHasJustEndedIsNotRepeatedBecauseTheMachineShowsItLater() {
        MachineTask before = task(TARGET, 1, "Completed");
        MachineTask justEnded =
                new MachineTask("task-1", "t-1", TARGET, 1, false, "Completed", FINISHED.plusMillis(1), null, false);
        assertThat(decide(machine("v1.35.4", null), justEnded))
                .isEqualTo(new UpdateAnswer.InProgress(5, "UpgradeTask task-1 has ended"));
        assertThat(decide(machine("v1.36.3", null), justEnded)).isInstanceOf(UpdateAnswer.Done.class);
        MachineState owned = new MachineState(
                "uid-1",
                "v1.36.3",
                null,
                null,
                "v1.36.3",
                null,
                new DirtyMachineMarker.DirtyAnnotations(null, null),
                before.uid(),
                true,
                false);
        assertThat(UpdateDecider.decide(request(true), TARGET, owned, List.of(before), 600, NOW))
                .as("the watcher has not let it go yet, however long that takes")
                .isEqualTo(new UpdateAnswer.InProgress(5, "UpgradeTask task-1 has ended"));
    }

    /** The node was proven to have it, so the Machine shows it late: a task more would upgrade the node again. */
    @Test
    void aMachineThatShowsItsNewVersionLateIsNotUpgradedAgain() {
        MachineState late = machine("v1.35.4", TARGET);
        assertThat(UpdateDecider.decide(request(true), TARGET, late, List.of(task(TARGET, 1, "Completed")), 600, NOW))
                .isEqualTo(new UpdateAnswer.InProgress(
                        20,
                        "UpgradeTask task-1 has completed, and the Machine does not show its version yet;"
                                + " if the node has another one, delete the task"));
        assertThat(UpdateDecider.decide(
                        request(true),
                        TARGET,
                        late,
                        List.of(task(TARGET, 1, "Completed"), task(OTHER, 2, "Failed")),
                        600,
                        NOW))
                .as("another task may have left it anywhere")
                .isInstanceOf(UpdateAnswer.CreateTask.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Failed", "Aborted"})
    void aChangeThatWasTakenBackAndMadeAgainIsTriedAgain(String phase) {
        UpdateAnswer answer = decide(machine("v1.35.4", null), task(TARGET, 1, phase), task(OTHER, 2, "Completed"));
        assertThat(((UpdateAnswer.CreateTask) answer).round()).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {"blue-w-0-0a1b2c3d-12, -, 12", "blue-w-0-0a1b2c3d, -, 1", "blue-w-12, -, 1", "t, 7, 7", "t, 07, 1"
            })
    void aTaskThatHasLostItsNumberHasItInItsName(String name, @Nullable String annotation, int number) {
        String annotations = annotation == null ? "" : "\"flotilla.dev/update-round\": \"" + annotation + "\"";
        KubeObject task = Objects.requireNonNull(KubeObject.parse(
                "{\"metadata\": {\"name\": \"" + name + "\", \"annotations\": {" + annotations + "}}}"));
        assertThat(MachineTask.of(task, "blue-w-0").round()).isEqualTo(number);
    }

    @ParameterizedTest
    @CsvSource({"Failed, has failed", "Aborted, was aborted"})
    void aTaskThatHasEndedOtherwiseFailsUntilItIsDeleted(String phase, String what) {
        assertThat(decide(machine("v1.35.4", null), task(TARGET, 1, "Completed"), task(TARGET, 2, phase)))
                .isEqualTo(new UpdateAnswer.Failed("UpgradeTask task-2 " + what + "; delete it to try again"));
        assertThat(decide(machine("v1.35.4", null), task(OTHER, 1, phase)))
                .as("another target is tried")
                .isInstanceOf(UpdateAnswer.CreateTask.class);
    }

    @Test
    void aRequestWithoutAnObjectOfTheMachineIsNeitherDoneNorBegun() {
        JsonObjectReader ref = new JsonObjectReader.Builder()
                .put("apiGroup", "bootstrap.cluster.x-k8s.io")
                .put("kind", "KubeadmConfig")
                .put("name", "blue-w-0-config")
                .build();
        MachineState machine = new MachineState(
                "uid-1",
                "v1.36.3",
                ref,
                null,
                "v1.36.3",
                null,
                new DirtyMachineMarker.DirtyAnnotations(null, null),
                null,
                true,
                false);
        List<MachineTask> completed = List.of(task(TARGET, 1, "Completed"));
        assertThat(UpdateDecider.decide(request(false), TARGET, machine, completed, 600, NOW))
                .isInstanceOf(UpdateAnswer.Done.class);
        for (UpdateRequest.ObjectName other : List.of(
                new UpdateRequest.ObjectName(null, ""),
                new UpdateRequest.ObjectName("KubeadmConfig", "blue-w-1-config"),
                new UpdateRequest.ObjectName("RKE2Config", "blue-w-0-config"))) {
            for (List<MachineTask> tasks : List.of(completed, List.<MachineTask>of())) {
                assertThat(UpdateDecider.decide(request(false, other), TARGET, machine, tasks, 600, NOW))
                        .isEqualTo(new UpdateAnswer.InProgress(
                                20, "the request lacks an object that describes the Machine"));
            }
        }
    }

    @Test
    void whatIsDeletedOrNotUpdatedAnyMoreBeginsNothing() {
        assertThat(decide(machine("uid-1", "v1.36.3", "v1.35.4", null, true, true)))
                .isInstanceOf(UpdateAnswer.InProgress.class);
        assertThat(decide(machine("uid-1", "v1.36.3", "v1.35.4", null, false, false)))
                .isInstanceOf(UpdateAnswer.InProgress.class);
        assertThat(decide(machine("uid-1", "v1.36.4", "v1.36.3", null, true, false)))
                .as("the Machine is to have another version than the request says")
                .isInstanceOf(UpdateAnswer.InProgress.class);
    }
}
