package dev.flotilla.managementwatcher.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.managementwatcher.view.UpgradeTaskStatus;
import dev.flotilla.schemas.row.AttemptMachineSnapshot;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.NodeUpgradeTemplateRef;
import dev.flotilla.schemas.row.UpgradeProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UpgradeTaskPlannerTest {
    private static final String WORKERS = "'machineDeploymentRef': {'name': 'blue-workers'}";
    private static final String CONTROL_PLANE = "'controlPlaneRef': {'apiGroup': 'controlplane.cluster.x-k8s.io',"
            + " 'kind': 'KubeadmControlPlane', 'name': 'blue-cp'}";
    private static final String ABORT = ", 'phase': 'Abort'";
    private static final String DELETED = ", 'deletionTimestamp': '2026-01-02T03:04:05Z'";
    private static final String UPDATING =
            ", 'annotations': {'in-place-updates.internal.cluster.x-k8s.io/update-in-progress': ''}";

    private final TaskScene scene = new TaskScene()
            .machine("blue-w-0", "v1.35.1", "")
            .machine("blue-w-1", "v1.36.3", "")
            .machine("blue-w-2", "v1.35.1", "")
            .machine("blue-cp-0", "v1.35.1", "");

    @Test
    void takesTheMachinesOfItsOwnerThatDiffer() {
        scene.task("a", WORKERS).settle();
        assertThat(scene.intents()).containsExactly("blue-w-0 version=v1.36.3 a", "blue-w-2 version=v1.36.3 a");
        assertThat(scene.owned())
                .containsExactly(
                        "blue-w-0 uid-a Waiting",
                        "blue-w-1 null null",
                        "blue-w-2 uid-a Waiting",
                        "blue-cp-0 null null");
        assertThat(scene.phase("a")).isEqualTo("Waiting");
        assertThat(scene.get("a").status().counts().total()).isEqualTo(2);
    }

    @Test
    void takesNamedMachinesAlsoIfTheyShowTheVersion() {
        scene.task("a", "'machines': ['blue-w-1', 'blue-cp-0']").settle();
        assertThat(scene.intents()).containsExactly("blue-w-1 version=v1.36.3 a", "blue-cp-0 version=v1.36.3 a");
    }

    @Test
    void findsTheMembersOfAControlPlaneWhoseKindIsNotWatched() {
        scene.task("a", CONTROL_PLANE).settle();
        assertThat(scene.intents()).containsExactly("blue-cp-0 version=v1.36.3 a");
    }

    @Test
    void hasTheFinalizerBeforeItsFirstMachine() {
        scene.task("a", WORKERS).step();
        assertThat(scene.get("a").hasFinalizer()).isTrue();
        assertThat(scene.owned()).allMatch(machine -> machine.contains(" null "));
    }

    @Test
    void completesOnceAllMachinesAreAtTheTarget() {
        scene.task("a", WORKERS).settle();
        scene.running("blue-w-0").settle();
        assertThat(scene.phase("a")).isEqualTo("InProgress");
        assertThat(scene.states("a")).containsExactly("blue-w-0 InProgress Admitted", "blue-w-2 Waiting Blocked");
        assertThat(scene.owned()).contains("blue-w-0 uid-a ExternalUpgradeInProgress");
        assertThat(scene.machineStatus("a", "blue-w-0").observedVersion()).isEqualTo("v1.35.1");
        scene.ended("blue-w-0", MachineOutcome.SUCCEEDED)
                .machine("blue-w-0", "v1.36.3", "")
                .settle();
        assertThat(scene.phase("a")).isEqualTo("InProgress");
        assertThat(scene.owned()).contains("blue-w-0 uid-a Ready", "blue-w-2 uid-a Waiting");
        scene.running("blue-w-2").settle();
        scene.ended("blue-w-2", MachineOutcome.UNCHANGED).settle();
        assertThat(scene.phase("a")).isEqualTo("Completed");
        assertThat(scene.get("a").status().observedVersion()).isEqualTo("v1.36.3");
        assertThat(scene.machineStatus("a", "blue-w-2").observedVersion()).isEqualTo("v1.36.3");
        assertThat(scene.condition("a", UpgradeTaskStatus.COMPLETED).status()).isEqualTo("True");
        assertThat(scene.owned()).contains("blue-w-0 null Ready", "blue-w-2 null Ready");
        assertThat(scene.intents()).isEmpty();
        assertThat(scene.get("a").hasFinalizer()).isFalse();
    }

    @Test
    void nothingToDoIsCompletedOnceTheTaskIsOldEnough() {
        scene.task("a", "'machineDeploymentRef': {'name': 'blue-workers'}, 'target': {'version': 'v1.36.3'}");
        scene.machine("blue-w-0", "v1.36.3", "")
                .machine("blue-w-2", "v1.36.3", "")
                .passed(-55)
                .settle();
        assertThat(scene.phase("a")).isEqualTo("Waiting");
        assertThat(scene.plan().getFirst().recheckAt())
                .isEqualTo(scene.get("a").createdAt().plus(TaskPlanBuilder.SETTLING));
        scene.passed(10).settle();
        assertThat(scene.phase("a")).isEqualTo("Completed");
    }

    /** The table of kubectl shows the reason as the step. */
    @Test
    void showsTheStepAndTheNodeUpgradeOfAMachineThatIsNotOfK8sd() {
        AttemptState refreshing = new AttemptState.Running(AttemptStep.REFRESHING, "17", TaskScene.NOW);
        scene.task("a", "'machines': ['blue-w-0']").settle();
        scene.running(
                        "blue-w-0",
                        refreshing,
                        new AttemptMachineSnapshot(
                                "blue",
                                MachineRole.WORKER,
                                UpgradeProvider.NODE_UPGRADE,
                                new NodeUpgradeTemplateRef("flotilla.dev/v1alpha1", "NodeUpgradeTemplate", "kubeadm")))
                .settle();
        assertThat(scene.states("a")).containsExactly("blue-w-0 InProgress Upgrading");
        assertThat(scene.machineStatus("a", "blue-w-0").message())
                .matches("attempt 70 to version=v1.36.3, NodeUpgrade blue-w-0-[0-9a-f]{8}-70");

        scene.running("blue-w-0", refreshing, new AttemptMachineSnapshot("blue", MachineRole.WORKER))
                .settle();
        assertThat(scene.states("a")).containsExactly("blue-w-0 InProgress Refreshing");
        assertThat(scene.machineStatus("a", "blue-w-0").message()).isEqualTo("attempt 70 to version=v1.36.3");
    }

    /** The campaign that has opened its cluster makes the attempt. */
    @Test
    void attemptOfACampaignToItsHashIsShown() {
        scene.task(
                        "a",
                        "'machines': ['blue-w-0'], 'target': {'machineSpec': {'hash': 'sha256:" + "ab".repeat(32)
                                + "'}}")
                .settle();
        scene.runningForCampaign("blue-w-0").settle();
        assertThat(scene.states("a")).containsExactly("blue-w-0 InProgress Admitted");
    }

    @Test
    void machineThatACampaignHasFailedNamesTheWayOut() {
        scene.task("a", "'machines': ['blue-w-0']").settle();
        scene.failedForCampaign("blue-w-0").settle();
        assertThat(scene.states("a")).containsExactly("blue-w-0 Waiting CampaignFailed");
        assertThat(scene.machineStatus("a", "blue-w-0").message())
                .isEqualTo("campaign spring has failed to upgrade this Machine: refresh-error: no space left."
                        + " `flotilla campaign retry spring` tries it again");
    }

    @Test
    void attemptOfACampaignToItsVersionIsNotThatOfTheTask() {
        scene.task("a", "'machines': ['blue-w-0']").settle();
        scene.runningForCampaign("blue-w-0").settle();
        assertThat(scene.states("a")).noneMatch(state -> state.contains("InProgress"));
    }

    @Test
    void failsOnceTheOthersHaveEnded() {
        scene.task("a", WORKERS).settle();
        scene.ended("blue-w-0", MachineOutcome.QUARANTINED).settle();
        assertThat(scene.phase("a")).isEqualTo("InProgress");
        assertThat(scene.machineStatus("a", "blue-w-0").message()).isEqualTo("no space left");
        scene.ended("blue-w-2", MachineOutcome.SUCCEEDED).settle();
        assertThat(scene.phase("a")).isEqualTo("Failed");
        assertThat(scene.condition("a", UpgradeTaskStatus.COMPLETED).message())
                .contains("blue-w-0 (RefreshError: no space left)", "create another task");
        assertThat(scene.owned()).contains("blue-w-0 null Failed", "blue-w-2 null Ready");
    }

    @Test
    void failedMemberEndsTheTaskOfAControlPlane() {
        scene.machine("blue-cp-1", "v1.35.1", "").task("a", CONTROL_PLANE).settle();
        scene.ended("blue-cp-0", MachineOutcome.QUARANTINED).settle();
        assertThat(scene.phase("a")).isEqualTo("Failed");
        assertThat(scene.states("a"))
                .containsExactly("blue-cp-0 Failed RefreshError", "blue-cp-1 Skipped MemberFailed");
        assertThat(scene.owned()).contains("blue-cp-0 null Failed", "blue-cp-1 null null");
    }

    @Test
    void failureIsShownOnceTheWorkerHasRemovedItsGuards() {
        String guarded = ", 'annotations': {'flotilla.dev/attempt': '{}'}";
        scene.task("a", "'machines': ['blue-w-0']").settle();
        scene.machine("blue-w-0", "v1.35.1", guarded)
                .ended("blue-w-0", MachineOutcome.QUARANTINED)
                .settle();
        assertThat(scene.phase("a")).isEqualTo("Failed");
        assertThat(scene.owned()).contains("blue-w-0 uid-a Waiting");
        scene.machine("blue-w-0", "v1.35.1", "").settle();
        assertThat(scene.owned()).contains("blue-w-0 null Failed");
    }

    @Test
    void newerTaskForTheSameOwnerWaits() {
        scene.task("a", WORKERS).task("b", WORKERS).settle();
        assertThat(scene.phase("b")).isEqualTo("Waiting");
        assertThat(scene.condition("b", UpgradeTaskStatus.COMPLETED).reason()).isEqualTo("OwnerHeld");
        assertThat(scene.condition("b", UpgradeTaskStatus.COMPLETED).message())
                .contains("UpgradeTask a upgrades MachineDeployment blue-workers", "kubectl -n fleet patch ut a");
        assertThat(scene.get("b").hasFinalizer()).isFalse();
        scene.task("a", WORKERS + ABORT).settle();
        assertThat(scene.phase("a")).isEqualTo("Aborted");
        assertThat(scene.intents()).containsExactly("blue-w-0 version=v1.36.3 b", "blue-w-2 version=v1.36.3 b");
    }

    @Test
    void invalidTaskHoldsNoOwner() {
        scene.task("a", WORKERS + ", 'machines': 7").task("b", WORKERS).settle();
        assertThat(scene.phase("a")).isEqualTo("Failed");
        assertThat(scene.intents()).hasSize(2).allMatch(intent -> intent.endsWith(" b"));
    }

    @Test
    void machineBelongsToOneTask() {
        scene.task("a", "'machines': ['blue-w-0']").task("b", WORKERS).settle();
        assertThat(scene.states("b")).containsExactly("blue-w-0 Waiting HeldByTask", "blue-w-2 Waiting Blocked");
        assertThat(scene.owned()).contains("blue-w-0 uid-a Waiting", "blue-w-2 uid-b Waiting");
        scene.ended("blue-w-0", MachineOutcome.SUCCEEDED)
                .machine("blue-w-0", "v1.36.3", "")
                .settle();
        assertThat(scene.states("b")).containsExactly("blue-w-2 Waiting Blocked");
    }

    @Test
    void annotationOnTheMachineGoesFirst() {
        scene.annotate("blue-w-0", "flotilla.dev/upgrade-to").task("a", WORKERS).settle();
        assertThat(scene.machineStatus("a", "blue-w-0").reason()).isEqualTo("AnnotationFirst");
        assertThat(scene.machineStatus("a", "blue-w-0").message())
                .contains("annotation flotilla.dev/upgrade-to", "remove it");
        assertThat(scene.intents()).containsExactly("blue-w-2 version=v1.36.3 a");
        scene.annotate("blue-w-0", null).settle();
        assertThat(scene.intents()).hasSize(2);
    }

    @Test
    void runningAttemptIsShownAlsoIfAnAnnotationReplacedItsIntent() {
        scene.task("a", "'machines': ['blue-w-0']").settle();
        scene.running("blue-w-0").settle();
        scene.annotate("blue-w-0", "flotilla.dev/upgrade-to").settle();
        assertThat(scene.intents()).isEmpty();
        assertThat(scene.states("a")).containsExactly("blue-w-0 InProgress Admitted");
        scene.ended("blue-w-0", MachineOutcome.SUCCEEDED).settle();
        assertThat(scene.phase("a")).isEqualTo("Completed");
    }

    @Test
    void retryWaitsWithTheFailure() {
        scene.task("a", "'machines': ['blue-w-0']").settle();
        scene.failedOnce("blue-w-0").settle();
        assertThat(scene.states("a")).containsExactly("blue-w-0 Waiting RetryPending");
        assertThat(scene.machineStatus("a", "blue-w-0").message())
                .isEqualTo("attempt 1 failed: refresh-error: no space left");
    }

    @Test
    void showsTheGateAndWhatItNeeds() {
        scene.siteWaits("freeze: The fleet is frozen by its policy")
                .task("a", WORKERS)
                .settle();
        assertThat(scene.machineStatus("a", "blue-w-0"))
                .satisfies(machine -> assertThat(machine.gate()).isEqualTo("freeze"))
                .satisfies(machine -> assertThat(machine.needs()).isEqualTo("The fleet is frozen by its policy"));
        assertThat(scene.view("blue-w-0").task().condition()).isNotNull();
        assertThat(scene.view("blue-w-0").task().condition().message())
                .isEqualTo("freeze: The fleet is frozen by its policy");
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void abortCancelsWhatHasNotBegunAndAwaitsWhatRuns(boolean deleted) {
        scene.task("a", WORKERS).settle();
        scene.running("blue-w-0").settle();
        scene.settled(false).task("a", deleted ? WORKERS : WORKERS + ABORT, deleted ? DELETED : "");
        scene.settle();
        assertThat(scene.intents()).isEmpty();
        assertThat(scene.states("a")).containsExactly("blue-w-0 InProgress Admitted", "blue-w-2 Aborted TaskAborted");
        // The orchestrator may just have admitted it.
        assertThat(scene.owned()).contains("blue-w-2 uid-a Waiting");
        scene.settled(true).settle();
        assertThat(scene.owned()).contains("blue-w-0 uid-a ExternalUpgradeInProgress", "blue-w-2 null null");
        assertThat(scene.get("a").hasFinalizer()).isTrue();
        assertThat(scene.phase("a")).isEqualTo("InProgress");
        assertThat(scene.condition("a", UpgradeTaskStatus.COMPLETED).message()).endsWith(": blue-w-0");
        scene.ended("blue-w-0", MachineOutcome.SUCCEEDED).settle();
        assertThat(scene.owned()).allMatch(machine -> machine.endsWith(" null null"));
        if (deleted) {
            assertThat(scene.isDeleted("a")).isTrue();
        } else {
            assertThat(scene.phase("a")).isEqualTo("Aborted");
            assertThat(scene.states("a"))
                    .containsExactly("blue-w-0 Succeeded AtTarget", "blue-w-2 Aborted TaskAborted");
            assertThat(scene.get("a").hasFinalizer()).isFalse();
        }
    }

    @Test
    void attemptThatIsReportedAfterTheAbortIsAwaitedToo() {
        scene.task("a", "'machines': ['blue-w-0']").settle();
        scene.running("blue-w-0")
                .settled(false)
                .task("a", "'machines': ['blue-w-0']" + ABORT)
                .settle();
        scene.settled(true).settle();
        assertThat(scene.states("a")).containsExactly("blue-w-0 InProgress Admitted");
        assertThat(scene.owned()).contains("blue-w-0 uid-a ExternalUpgradeInProgress");
    }

    @Test
    void abortBeforeTheFirstMachineEndsAtOnce() {
        scene.task("a", WORKERS + ABORT).settle();
        assertThat(scene.phase("a")).isEqualTo("Aborted");
        assertThat(scene.intents()).isEmpty();
    }

    @Test
    void deletedMachineIsSkipped() {
        scene.task("a", "'machines': ['blue-w-0', 'blue-w-2']").settle();
        scene.running("blue-w-0").settle();
        scene.deleteMachine("blue-w-0").settle();
        assertThat(scene.states("a")).containsExactly("blue-w-0 Skipped MachineDeleted", "blue-w-2 Waiting Blocked");
        scene.ended("blue-w-2", MachineOutcome.SUCCEEDED).settle();
        assertThat(scene.phase("a")).isEqualTo("Completed");
        assertThat(scene.condition("a", UpgradeTaskStatus.COMPLETED).message()).endsWith("skipped: blue-w-0");
    }

    @Test
    void misspeltMachineFailsTheTaskAfterAWhile() {
        scene.passed(-55).task("a", "'machines': ['blue-w-9']").settle();
        assertThat(scene.states("a")).containsExactly("blue-w-9 Waiting MachineNotFound");
        scene.passed(10).settle();
        assertThat(scene.phase("a")).isEqualTo("Failed");
        assertThat(scene.machineStatus("a", "blue-w-9").message()).contains("Cluster blue", "names of its Machines");
    }

    /** Cluster API's task of a Machine that was deleted is not for the one that was created under its name. */
    @Test
    void aMachineWithAnotherUidIsAnotherMachine() {
        scene.passed(-55)
                .task(
                        "a",
                        "'machines': ['blue-w-0']",
                        ", 'labels': {'flotilla.dev/machine-uid': 'uid-of-an-earlier-one'}")
                .settle();
        assertThat(scene.states("a")).containsExactly("blue-w-0 Waiting MachineNotFound");
        assertThat(scene.owned()).noneMatch(owned -> owned.contains("uid-a"));
        scene.passed(10).settle();
        assertThat(scene.phase("a")).isEqualTo("Failed");
        assertThat(scene.machineStatus("a", "blue-w-0").message())
                .contains("has no such Machine with uid uid-of-an-earlier-one");

        scene.task("b", "'machines': ['blue-w-0']", ", 'labels': {'flotilla.dev/machine-uid': 'uid-blue-w-0'}")
                .settle();
        assertThat(scene.owned()).anyMatch(owned -> owned.startsWith("blue-w-0 uid-b"));
    }

    @Test
    void taskWithoutClusterOrOwnerWaits() {
        scene.cluster(false).task("a", WORKERS).settle();
        assertThat(scene.condition("a", UpgradeTaskStatus.ACCEPTED).reason()).isEqualTo("ClusterNotFound");
        scene.cluster(true).settle();
        assertThat(scene.condition("a", UpgradeTaskStatus.ACCEPTED).status()).isEqualTo("True");
        scene.task("b", "'machineDeploymentRef': {'name': 'blue-worker'}").settle();
        assertThat(scene.phase("b")).isEqualTo("Waiting");
        assertThat(scene.condition("b", UpgradeTaskStatus.ACCEPTED).message())
                .contains("MachineDeployment blue-worker has no Machines in Cluster blue");
    }

    @Test
    void finishedTaskIsDeletedAfterItsTime() {
        scene.task("a", "'machines': ['blue-w-0'], 'ttlSecondsAfterFinished': 30")
                .settle();
        scene.ended("blue-w-0", MachineOutcome.SUCCEEDED).settle();
        assertThat(scene.plan().getFirst().recheckAt()).isEqualTo(TaskScene.NOW.plusSeconds(30));
        scene.passed(29).settle();
        assertThat(scene.isDeleted("a")).isFalse();
        scene.passed(1).settle();
        assertThat(scene.isDeleted("a")).isTrue();
        assertThat(scene.owned()).contains("blue-w-0 null Ready");
    }

    @Test
    void machineOfATaskThatIsGoneIsLetGo() {
        scene.task("a", WORKERS).settle();
        scene.removeTask("a").settle();
        assertThat(scene.owned()).allMatch(machine -> machine.endsWith(" null null"));
    }

    @Test
    void machineThatClusterApiUpdatesShowsOnlyAFinalFailure() {
        scene.machine("blue-w-0", "v1.35.1", UPDATING)
                .task("a", "'machines': ['blue-w-0']")
                .settle();
        assertThat(scene.owned()).contains("blue-w-0 uid-a null");
        scene.ended("blue-w-0", MachineOutcome.QUARANTINED).settle();
        assertThat(scene.view("blue-w-0").task().condition())
                .isNotNull()
                .satisfies(condition -> assertThat(condition.type()).isEqualTo("flotilla.dev/UpgradeFailed"))
                .satisfies(condition -> assertThat(condition.status()).isEqualTo("True"));
    }

    @Test
    void taskIsDeletedAfterItHasLetItsMachinesGo() {
        String guarded = ", 'annotations': {'flotilla.dev/attempt': '{}'}";
        scene.task("a", "'machines': ['blue-w-0'], 'ttlSecondsAfterFinished': 0")
                .settle();
        scene.machine("blue-w-0", "v1.35.1", guarded)
                .ended("blue-w-0", MachineOutcome.QUARANTINED)
                .settle();
        assertThat(scene.isDeleted("a")).isFalse();
        scene.machine("blue-w-0", "v1.35.1", "").settle();
        assertThat(scene.isDeleted("a")).isTrue();
        assertThat(scene.owned()).contains("blue-w-0 null Failed");
    }

    @Test
    void failureReachesNoSpec() {
        scene.task(
                        "a",
                        "'machines': ['blue-w-0'], 'target': {'machineSpec': {'hash': 'sha256:" + "ab".repeat(32)
                                + "'}}")
                .settle();
        scene.ended("blue-w-0", MachineOutcome.QUARANTINED).settle();
        assertThat(scene.phase("a")).isEqualTo("Failed");
        assertThat(scene.view("blue-w-0").task().reachedSpec()).isNull();
    }

    @Test
    void specIsReachedOnlyAfterSuccess() {
        String hash = "sha256:" + "ab".repeat(32);
        String reached = ", 'annotations': {'flotilla.dev/reached-machine-spec': 'sha256:old'}";
        scene.machine("blue-w-0", "v1.36.3", reached)
                .task("a", "'machines': ['blue-w-0'], 'target': {'machineSpec': {'hash': '" + hash + "'}}")
                .settle();
        assertThat(scene.intents()).containsExactly("blue-w-0 spec=" + hash + " a");
        assertThat(scene.view("blue-w-0").task().reachedSpec()).isNull();
        scene.ended("blue-w-0", MachineOutcome.SUCCEEDED).settle();
        assertThat(scene.view("blue-w-0").task().reachedSpec()).isEqualTo(hash);
    }

    @Test
    void stateKeepsItsTimeWhileItLasts() {
        scene.task("a", WORKERS).settle();
        scene.passed(60).running("blue-w-0").settle();
        assertThat(scene.machineStatus("a", "blue-w-2").since()).isEqualTo(TaskScene.NOW);
        assertThat(scene.machineStatus("a", "blue-w-0").since()).isEqualTo(TaskScene.NOW.plusSeconds(60));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "'clusterName': 7, 'machines': ['m'] | spec.clusterName '7' is not a text",
                "'clusterName': 'Blue!', 'machines': ['m'] | spec.clusterName 'Blue!'",
                "'clusterName': '', 'machines': ['m'] | spec.clusterName ''",
                "'machines': [] | spec names no machines",
                "'machines': 'm' | spec.machines '\"m\"' is not a list",
                "'machines': ['m', 7] | spec.machines '7' is not the name of a Machine",
                "'machines': ['M_1'] | spec.machines '\"M_1\"' is not the name",
                "'machineDeploymentRef': {'name': ''} | spec.machineDeploymentRef.name ''",
                "'machineDeploymentRef': {} | spec.machineDeploymentRef.name is missing",
                "'machineDeploymentRef': {'name': 'd'}, 'controlPlaneRef': {'name': 'c'} | spec has controlPlaneRef and",
                "'controlPlaneRef': {'name': [1]} | spec.controlPlaneRef.name '[1]' is not a text",
                "'machines': ['m'], 'target': {} | spec.target is missing",
                "'machines': ['m'], 'target': 'v1.36.3' | spec.target is missing",
                "'machines': ['m'], 'target': {'version': '1.36.3'} | spec.target.version '1.36.3'",
                "'machines': ['m'], 'target': {'version': 1.36} | spec.target.version '1.36' is not a text",
                "'machines': ['m'], 'target': {'machineSpec': {'hash': 'abc'}} | spec.target.machineSpec.hash 'abc'",
                "'machines': ['m'], 'phase': 'Complete' | spec.phase 'Complete' is neither Ongoing nor Abort",
                "'machines': ['m'], 'phase': true | spec.phase 'true' is not a text",
                "'machines': ['m'], 'ttlSecondsAfterFinished': -1 | spec.ttlSecondsAfterFinished '-1' is not a number",
                "'machines': ['m'], 'ttlSecondsAfterFinished': 'x' | spec.ttlSecondsAfterFinished '\"x\"' is not",
                "'machines': ['m'], 'upgraderRef': {'name': 'u'} | spec.upgraderRef.apiGroup is missing",
                "'machines': ['m'], 'upgraderRef': 'u' | spec.upgraderRef.apiGroup is missing",
                "'machines': ['m'], 'upgraderRef': {'apiGroup': 'a', 'kind': 'K/x', 'name': 'u'} | spec.upgraderRef.kind 'K/x'",
                "'machines': ['m'], 'upgraderRef': {'apiGroup': 'a', 'kind': 'K', 'name': ['u']} | spec.upgraderRef.name '[\"u\"]'",
            })
    void garbageIsNamedWithItsValueAndBreaksNothingElse(String spec, String message) {
        scene.task("bad", spec).task("good", WORKERS).settle();
        assertThat(scene.phase("bad")).isEqualTo("Failed");
        assertThat(scene.condition("bad", UpgradeTaskStatus.ACCEPTED).reason()).isEqualTo("InvalidSpec");
        assertThat(scene.condition("bad", UpgradeTaskStatus.ACCEPTED).message())
                .startsWith(message)
                .contains(":");
        assertThat(scene.get("bad").hasFinalizer()).isFalse();
        assertThat(scene.phase("good")).isEqualTo("Waiting");
        assertThat(scene.intents()).hasSize(2);
    }
}
