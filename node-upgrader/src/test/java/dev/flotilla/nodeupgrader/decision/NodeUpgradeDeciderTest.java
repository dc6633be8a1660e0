package dev.flotilla.nodeupgrader.decision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.nodeupgrader.SampleUpgrades;
import dev.flotilla.nodeupgrader.contract.FailureReason;
import dev.flotilla.nodeupgrader.contract.NodeUpgrade;
import dev.flotilla.nodeupgrader.contract.NodeUpgradePhase;
import dev.flotilla.nodeupgrader.contract.NodeUpgradeStatus;
import dev.flotilla.nodeupgrader.contract.StepState;
import dev.flotilla.nodeupgrader.contract.StepStatus;
import dev.flotilla.nodeupgrader.contract.UpgradePlace.NodeIdentity;
import dev.flotilla.nodeupgrader.contract.UpgradePlan;
import dev.flotilla.nodeupgrader.decision.UpgradeObservation.JobState;
import dev.flotilla.nodeupgrader.decision.UpgradeObservation.PlanLookup;
import dev.flotilla.nodeupgrader.decision.UpgradeObservation.ResultPodState;
import dev.flotilla.nodeupgrader.decision.UpgradeObservation.WorkloadLookup;
import dev.flotilla.nodeupgrader.report.NodeReport;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Each row of the decision: what is known, and what is done next. */
class NodeUpgradeDeciderTest {
    private static final Instant NOW = SampleUpgrades.NOW;
    private static final Instant LATE = SampleUpgrades.DEADLINE;
    private static final String OLD = "v1.36.1";
    private static final String NEW = "v1.36.3";
    private static final ResultPodState NO_RESULT = new ResultPodState.NoResultPod();

    private static NodeUpgrade pending() {
        return SampleUpgrades.nodeUpgrade(NodeUpgradePhase.PENDING, false);
    }

    private static NodeUpgrade running() {
        return SampleUpgrades.nodeUpgrade(NodeUpgradePhase.RUNNING, false);
    }

    private static NodeUpgrade aborting() {
        return SampleUpgrades.nodeUpgrade(NodeUpgradePhase.RUNNING, true);
    }

    private static WorkloadLookup workload(JobState job, boolean activePods, ResultPodState result, String kubelet) {
        return SampleUpgrades.workload(null, job, activePods, result, kubelet, SampleUpgrades.NODE, null, null);
    }

    private static WorkloadLookup ended(JobState job, String kubelet, String one, String two) {
        return ended(job, kubelet, one, two, 1);
    }

    private static WorkloadLookup ended(JobState job, String kubelet, String one, String two, long seconds) {
        return workload(
                job, false, new ResultPodState.ResultReported(report(one, two), Duration.ofSeconds(seconds)), kubelet);
    }

    private static NodeReport report(String one, String two) {
        NodeReport report = NodeReport.parse("{\"now\":%d,\"steps\":{\"one\":\"%s\",\"two\":\"%s\"},\"message\":\"\"}"
                .formatted(NOW.getEpochSecond(), one, two));
        assertThat(report).isNotNull();
        return report;
    }

    private static UpgradeDecision decide(NodeUpgrade nodeUpgrade, WorkloadLookup workload, Instant now) {
        return NodeUpgradeDecider.decide(
                nodeUpgrade, new UpgradeObservation(new PlanLookup.PlanFound(SampleUpgrades.plan()), workload), now);
    }

    private static NodeUpgradeStatus written(UpgradeDecision decision) {
        assertThat(decision).isInstanceOf(UpgradeDecision.WriteStatus.class);
        return ((UpgradeDecision.WriteStatus) decision).status();
    }

    private static void assertFailed(UpgradeDecision decision, FailureReason reason, String message) {
        NodeUpgradeStatus status = written(decision);
        assertThat(status.phase()).isEqualTo(NodeUpgradePhase.FAILED);
        assertThat(status.failureReason()).isEqualTo(reason.label());
        assertThat(status.retryable()).isEqualTo(reason.isRetryable());
        assertThat(status.failureMessage()).contains(message);
    }

    @Test
    void writesRunningBeforeItCreatesTheJob() {
        NodeUpgradeStatus status = written(decide(pending(), workload(JobState.NONE, false, NO_RESULT, OLD), NOW));
        assertThat(status.phase()).isEqualTo(NodeUpgradePhase.RUNNING);
        assertThat(status.steps())
                .containsExactly(
                        new StepStatus("one", StepState.WAITING, null, null),
                        new StepStatus("two", StepState.WAITING, null, null));
        assertThat(decide(running(), workload(JobState.NONE, false, NO_RESULT, OLD), NOW))
                .isEqualTo(new UpgradeDecision.CreateJob(false));
    }

    @Test
    void holdsTheObjectBeforeItWritesRunning() {
        assertThat(decide(SampleUpgrades.notHeld(pending()), workload(JobState.NONE, false, NO_RESULT, OLD), NOW))
                .isEqualTo(new UpgradeDecision.HoldObject(SampleUpgrades.PLACE));
    }

    @ParameterizedTest
    @EnumSource(
            value = NodeUpgradePhase.class,
            names = {"SUCCEEDED", "FAILED", "ABORTED"})
    void afterAFinalPhaseTheObjectIsReleasedAndNothingFollows(NodeUpgradePhase phase) {
        WorkloadLookup seen = workload(JobState.NONE, false, NO_RESULT, OLD);
        NodeUpgrade ended = SampleUpgrades.nodeUpgrade(phase, true);
        assertThat(decide(ended, seen, NOW)).isEqualTo(new UpgradeDecision.ReleaseObject());
        assertThat(decide(SampleUpgrades.notHeld(ended), seen, NOW)).isEqualTo(new UpgradeDecision.Finished());
    }

    @Test
    void abortBeforeTheJobStartsNothing() {
        NodeUpgradeStatus status = written(decide(
                SampleUpgrades.nodeUpgrade(NodeUpgradePhase.PENDING, true),
                workload(JobState.NONE, false, NO_RESULT, OLD),
                NOW));
        assertThat(status.phase()).isEqualTo(NodeUpgradePhase.ABORTED);
        assertThat(status.failureMessage()).contains("nothing was started");
    }

    @Test
    void pendingBecomesRunningWhereAJobExistsAlready() {
        WorkloadLookup restored = SampleUpgrades.workload(
                "does not exist", JobState.ACTIVE, true, NO_RESULT, null, null, "flotilla/orchestrator", null);
        assertThat(written(decide(pending(), restored, NOW)).phase()).isEqualTo(NodeUpgradePhase.RUNNING);
        assertThat(decide(SampleUpgrades.notHeld(pending()), restored, NOW))
                .isInstanceOf(UpgradeDecision.HoldObject.class);
        assertThat(written(decide(pending(), restored, LATE)).phase())
                .as("after the deadline a step of it may run still")
                .isEqualTo(NodeUpgradePhase.RUNNING);
        assertThat(written(decide(SampleUpgrades.nodeUpgrade(NodeUpgradePhase.PENDING, true), restored, NOW))
                        .phase())
                .as("an abort awaits it")
                .isEqualTo(NodeUpgradePhase.RUNNING);
    }

    static Stream<Object[]> failedPreconditions() {
        return Stream.of(
                precondition("does not exist", OLD, null, FailureReason.NAMESPACE_NOT_READY, "rbac-workload.yaml"),
                precondition(null, null, null, FailureReason.NODE_NOT_FOUND, "no Node w-1"),
                precondition(null, OLD, "flotilla/o-1", FailureReason.ONLY_REPLICA, "run two replicas"));
    }

    private static Object[] precondition(
            @Nullable String namespace,
            @Nullable String kubelet,
            @Nullable String replica,
            FailureReason reason,
            String message) {
        return new Object[] {
            SampleUpgrades.workload(
                    namespace, JobState.NONE, false, NO_RESULT, kubelet, SampleUpgrades.NODE, replica, null),
            reason,
            message
        };
    }

    @ParameterizedTest
    @MethodSource("failedPreconditions")
    void failsBeforeTheStartWithTheWayOut(WorkloadLookup workload, FailureReason reason, String message) {
        assertFailed(decide(pending(), workload, NOW), reason, message);
    }

    @Test
    void startsNothingAfterTheDeadline() {
        assertFailed(
                decide(pending(), workload(JobState.NONE, false, NO_RESULT, OLD), LATE),
                FailureReason.DEADLINE_EXCEEDED,
                "nothing was started");
    }

    @ParameterizedTest
    @CsvSource({"true, 59, ", "true, 60, FORBIDDEN", "false, 119, ", "false, 120, CLUSTER_UNREACHABLE"})
    void toleratesARestartOfTheApiServerBeforeItFails(boolean forbidden, long seconds, @Nullable FailureReason reason) {
        WorkloadLookup unreadable =
                new WorkloadLookup.WorkloadUnreadable("403 no", forbidden, false, Duration.ofSeconds(seconds));
        UpgradeDecision decision = decide(pending(), unreadable, NOW);
        if (reason == null) {
            assertThat(decision).isEqualTo(new UpgradeDecision.WaitForChange());
        } else {
            assertFailed(decision, reason, "403 no");
        }
        assertThat(decide(running(), unreadable, NOW))
                .as("once it may run, silence says nothing")
                .isEqualTo(new UpgradeDecision.WaitForChange());
    }

    @Test
    void planThatCannotBeFollowedFailsOnlyWhatHasNotBegun() {
        UpgradeObservation missing =
                new UpgradeObservation(new PlanLookup.PlanMissing(), workload(JobState.NONE, false, NO_RESULT, OLD));
        assertFailed(NodeUpgradeDecider.decide(pending(), missing, NOW), FailureReason.PLAN_NOT_FOUND, "example");
        assertThat(NodeUpgradeDecider.decide(running(), missing, NOW)).isEqualTo(new UpgradeDecision.WaitForChange());
        UpgradeObservation rejected = new UpgradeObservation(
                new PlanLookup.PlanRejected("step 'one' is there twice"),
                workload(JobState.NONE, false, NO_RESULT, OLD));
        assertFailed(NodeUpgradeDecider.decide(pending(), rejected, NOW), FailureReason.PLAN_INVALID, "twice");
        UpgradeObservation unreadable =
                new UpgradeObservation(new PlanLookup.PlanUnreadable(), workload(JobState.NONE, false, NO_RESULT, OLD));
        assertThat(NodeUpgradeDecider.decide(pending(), unreadable, NOW))
                .isEqualTo(new UpgradeDecision.WaitForChange());
    }

    @ParameterizedTest
    @EnumSource(JobState.class)
    void planThatIsGoneEndsTheUpgradeOnceNothingCanRunUnlessAJobHasItsSteps(JobState job) {
        UpgradeObservation gone = withoutSteps(job, false);
        Instant nothingRuns = LATE.plus(NodeUpgradeDecider.STEP_GRACE);
        assertThat(NodeUpgradeDecider.decide(running(), gone, nothingRuns.minusMillis(1)))
                .isEqualTo(new UpgradeDecision.WaitForChange());
        if (job == JobState.NONE) {
            assertFailed(
                    NodeUpgradeDecider.decide(running(), gone, nothingRuns),
                    FailureReason.PLAN_NOT_FOUND,
                    "example is gone, invalid, or without a step for the role worker");
            assertThat(written(NodeUpgradeDecider.decide(aborting(), gone, nothingRuns))
                            .phase())
                    .isEqualTo(NodeUpgradePhase.ABORTED);
            assertThat(NodeUpgradeDecider.decide(running(), withoutSteps(job, true), nothingRuns))
                    .as("a pod of a deleted Job still ends")
                    .isEqualTo(new UpgradeDecision.WaitForChange());
        } else {
            assertThat(NodeUpgradeDecider.decide(running(), gone, nothingRuns))
                    .isEqualTo(new UpgradeDecision.WaitForChange());
        }
    }

    private static UpgradeObservation withoutSteps(JobState job, boolean activePods) {
        return new UpgradeObservation(
                new PlanLookup.PlanFound(new UpgradePlan("flotilla-node-upgrades", List.of())),
                workload(job, activePods, NO_RESULT, OLD));
    }

    @ParameterizedTest
    @EnumSource(JobState.class)
    void anotherMachineWithTheNodesNameRunsNothing(JobState job) {
        WorkloadLookup replaced = SampleUpgrades.workload(
                null, job, false, NO_RESULT, OLD, new NodeIdentity("uuid-2", "id-1"), null, null);
        UpgradeDecision decision = decide(running(), replaced, NOW);
        if (job == JobState.ACTIVE) {
            assertThat(decision).isEqualTo(new UpgradeDecision.SuspendJob());
        } else {
            assertFailed(decision, FailureReason.NODE_REPLACED, "another machine has registered as Node w-1");
        }
        WorkloadLookup rebooted = SampleUpgrades.workload(
                null, job, false, NO_RESULT, OLD, new NodeIdentity("UUID-1", "id-2"), null, null);
        assertThat(decide(running(), rebooted, NOW))
                .as("the same machine")
                .isEqualTo(decide(running(), workload(job, false, NO_RESULT, OLD), NOW));
    }

    @Test
    void anotherMachineIsAwaitedUntilNoPodRunsOnItAndIsNotBegunOn() {
        NodeIdentity other = new NodeIdentity("uuid-2", "id-2");
        assertThat(decide(
                        running(),
                        SampleUpgrades.workload(null, JobState.SUSPENDED, true, NO_RESULT, OLD, other, null, null),
                        NOW))
                .isEqualTo(new UpgradeDecision.WaitForChange());
        assertFailed(
                decide(
                        pending(),
                        SampleUpgrades.workload(null, JobState.NONE, false, NO_RESULT, OLD, other, null, null),
                        NOW),
                FailureReason.NODE_REPLACED,
                "another machine");
    }

    @Test
    void planWithoutAStepForTheRoleIsRejected() {
        UpgradePlan empty = new UpgradePlan("flotilla-node-upgrades", List.of());
        assertFailed(
                NodeUpgradeDecider.decide(
                        pending(),
                        new UpgradeObservation(
                                new PlanLookup.PlanFound(empty), workload(JobState.NONE, false, NO_RESULT, OLD)),
                        NOW),
                FailureReason.PLAN_INVALID,
                "no step for the role worker");
    }

    @Test
    void jobThatWasDeletedIsCreatedAgainAndTheNodeKnowsWhatWasDone() {
        assertThat(decide(running(), workload(JobState.NONE, false, NO_RESULT, OLD), NOW))
                .isEqualTo(new UpgradeDecision.CreateJob(false));
    }

    @Test
    void abortOrDeadlineWithoutAJobKeepsOthersFromCreatingIt() {
        assertThat(decide(aborting(), workload(JobState.NONE, false, NO_RESULT, OLD), NOW))
                .isEqualTo(new UpgradeDecision.CreateJob(true));
        assertThat(decide(running(), workload(JobState.NONE, false, NO_RESULT, OLD), LATE))
                .isEqualTo(new UpgradeDecision.CreateJob(true));
    }

    @Test
    void abortAndDeadlineSuspendTheJobAndWaitForItsPods() {
        assertThat(decide(aborting(), workload(JobState.ACTIVE, true, NO_RESULT, OLD), NOW))
                .isEqualTo(new UpgradeDecision.SuspendJob());
        assertThat(decide(running(), workload(JobState.ACTIVE, true, NO_RESULT, OLD), LATE))
                .isEqualTo(new UpgradeDecision.SuspendJob());
        assertThat(decide(aborting(), workload(JobState.SUSPENDED, true, NO_RESULT, OLD), NOW))
                .isEqualTo(new UpgradeDecision.WaitForChange());
        assertThat(decide(aborting(), workload(JobState.SUSPENDED, false, NO_RESULT, OLD), NOW))
                .isEqualTo(new UpgradeDecision.CreateResultPod());
    }

    @Test
    void jobThatSomebodyElseSuspendedIsLeftAlone() {
        assertThat(decide(running(), workload(JobState.SUSPENDED, false, NO_RESULT, OLD), NOW))
                .isEqualTo(new UpgradeDecision.WaitForChange());
    }

    @Test
    void showsTheStepsAndTheHeartbeatThatTheNodeReports() {
        NodeReport report = report("Succeeded 1700000000 1 0", "Running 1700000100 1 -");
        WorkloadLookup active = reporting(report);
        NodeUpgradeStatus status = written(decide(running(), active, NOW));
        assertThat(status.phase()).isEqualTo(NodeUpgradePhase.RUNNING);
        assertThat(status.lastHeartbeat()).isEqualTo(NOW);
        assertThat(status.steps())
                .containsExactly(
                        new StepStatus("one", StepState.SUCCEEDED, Instant.ofEpochSecond(1_700_000_000), 0L),
                        new StepStatus("two", StepState.RUNNING, Instant.ofEpochSecond(1_700_000_100), null));
        assertThat(decide(SampleUpgrades.nodeUpgrade(status, false), active, NOW))
                .as("the same once more")
                .isEqualTo(new UpgradeDecision.WaitForChange());
    }

    private static WorkloadLookup reporting(NodeReport report) {
        return SampleUpgrades.workload(null, JobState.ACTIVE, true, NO_RESULT, OLD, SampleUpgrades.NODE, null, report);
    }

    @Test
    void heartbeatOfTheFutureIsCorrected() {
        NodeReport report = report("Running 1700000000 1 -", "Waiting 0 0 -");
        WorkloadLookup active = reporting(report);
        NodeUpgradeStatus shown = written(decide(running(), active, NOW));
        NodeUpgradeStatus ahead = shown.withSteps(shown.steps(), NOW.plusSeconds(301));
        assertThat(written(decide(SampleUpgrades.nodeUpgrade(ahead, false), active, NOW))
                        .lastHeartbeat())
                .isEqualTo(NOW);
        NodeUpgradeStatus almost = shown.withSteps(shown.steps(), NOW.plusSeconds(300));
        assertThat(decide(SampleUpgrades.nodeUpgrade(almost, false), active, NOW))
                .isEqualTo(new UpgradeDecision.WaitForChange());
    }

    @ParameterizedTest
    @EnumSource(
            value = JobState.class,
            names = {"ACTIVE", "COMPLETE"})
    void imageThatCannotBePulledIsShownOnce(JobState job) {
        ResultPodState result =
                job == JobState.COMPLETE ? new ResultPodState.ResultPodPending(Duration.ZERO) : NO_RESULT;
        WorkloadLookup seen = new WorkloadLookup.WorkloadRead(
                null,
                job,
                true,
                result,
                OLD,
                SampleUpgrades.NODE,
                null,
                null,
                "image 'x' cannot be pulled: ErrImagePull");
        NodeUpgradeStatus status = written(decide(running(), seen, NOW));
        assertThat(status.phase()).isEqualTo(NodeUpgradePhase.RUNNING);
        assertThat(status.failureReason()).isEqualTo("ImageNotPulled");
        assertThat(status.retryable()).isNull();
        assertThat(status.failureMessage()).isEqualTo("image 'x' cannot be pulled: ErrImagePull");
        WorkloadLookup later = new WorkloadLookup.WorkloadRead(
                null,
                job,
                true,
                result,
                OLD,
                SampleUpgrades.NODE,
                null,
                null,
                "image 'x' cannot be pulled: ImagePullBackOff");
        assertThat(decide(SampleUpgrades.nodeUpgrade(status, false), later, NOW))
                .isEqualTo(new UpgradeDecision.WaitForChange());
    }

    /** No step of the sample starts after the deadline, and none runs for longer than 900 s. */
    private static final Instant NOTHING_RUNS = LATE.plusSeconds(900).plus(NodeUpgradeDecider.STEP_GRACE);

    @ParameterizedTest
    @EnumSource(
            value = JobState.class,
            names = {"SUSPENDED", "COMPLETE", "FAILED"})
    void imageThatNeverComesEndsTheUpgradeOnceNothingCanRun(JobState job) {
        WorkloadLookup seen = new WorkloadLookup.WorkloadRead(
                null,
                job,
                false,
                new ResultPodState.ResultPodPending(Duration.ofMinutes(3)),
                OLD,
                SampleUpgrades.NODE,
                null,
                null,
                "image 'x' cannot be pulled: ErrImagePull");
        assertThat(decide(running(), seen, NOTHING_RUNS.minusMillis(1)))
                .as("another pod may get it")
                .isEqualTo(new UpgradeDecision.DeleteResultPod());
        assertFailed(
                decide(running(), seen, NOTHING_RUNS),
                FailureReason.IMAGE_NOT_PULLED,
                "image 'x' cannot be pulled: ErrImagePull");
        NodeUpgradeStatus aborted = written(decide(aborting(), seen, NOTHING_RUNS));
        assertThat(aborted.phase()).isEqualTo(NodeUpgradePhase.ABORTED);
        assertThat(aborted.failureMessage()).contains("ErrImagePull");
    }

    @Test
    void nodeThatIsGoneForGoodEndsTheUpgradeOnceNothingCanRun() {
        WorkloadLookup gone =
                SampleUpgrades.workload(null, JobState.SUSPENDED, false, NO_RESULT, null, null, null, null);
        assertThat(decide(running(), gone, NOTHING_RUNS.minusMillis(1))).isEqualTo(new UpgradeDecision.WaitForChange());
        assertFailed(decide(running(), gone, NOTHING_RUNS), FailureReason.NODE_NOT_FOUND, "no Node w-1 any more");
        assertThat(written(decide(aborting(), gone, NOTHING_RUNS)).phase()).isEqualTo(NodeUpgradePhase.ABORTED);
        assertThat(decide(
                        running(),
                        SampleUpgrades.workload(null, JobState.NONE, false, NO_RESULT, null, null, null, null),
                        NOW))
                .as("no Job is created where no Node is")
                .isEqualTo(new UpgradeDecision.WaitForChange());
        assertThat(decide(
                        running(),
                        SampleUpgrades.workload(null, JobState.ACTIVE, true, NO_RESULT, null, null, null, null),
                        LATE))
                .isEqualTo(new UpgradeDecision.SuspendJob());
    }

    @Test
    void deletedClusterThatDoesNotAnswerEndsTheUpgradeOnceNothingCanRun() {
        assertThat(decide(running(), deletedCluster(119), NOTHING_RUNS)).isEqualTo(new UpgradeDecision.WaitForChange());
        assertThat(decide(running(), deletedCluster(120), NOTHING_RUNS.minusMillis(1)))
                .as("its steps may run under another management cluster")
                .isEqualTo(new UpgradeDecision.WaitForChange());
        assertFailed(
                decide(running(), deletedCluster(120), NOTHING_RUNS),
                FailureReason.CLUSTER_DELETED,
                "no Cluster blue in namespace fleet any more, so what ran on the node is not known: no route");
        assertThat(written(decide(aborting(), deletedCluster(120), NOTHING_RUNS))
                        .phase())
                .isEqualTo(NodeUpgradePhase.ABORTED);
    }

    private static WorkloadLookup deletedCluster(long seconds) {
        return new WorkloadLookup.WorkloadUnreadable("no route", false, true, Duration.ofSeconds(seconds));
    }

    @Test
    void imageProblemIsRemovedWhenTheNodeReports() {
        NodeUpgradeStatus waits = running()
                .status()
                .waitingFor(FailureReason.IMAGE_NOT_PULLED, "image 'x' cannot be pulled")
                .withSteps(List.of(), NOW);
        NodeReport report = report("Succeeded 1700000000 1 0", "Running 1700000100 1 -");
        WorkloadLookup active = reporting(report);
        NodeUpgradeStatus status = written(decide(SampleUpgrades.nodeUpgrade(waits, false), active, NOW));
        assertThat(status.failureReason()).isNull();
        assertThat(status.failureMessage()).isNull();
        assertThat(status.phase()).isEqualTo(NodeUpgradePhase.RUNNING);
    }

    @ParameterizedTest
    @EnumSource(
            value = JobState.class,
            names = {"COMPLETE", "FAILED"})
    void readsTheNodeWhateverTheJobSays(JobState job) {
        assertThat(decide(running(), workload(job, false, NO_RESULT, OLD), NOW))
                .isEqualTo(new UpgradeDecision.CreateResultPod());
        assertThat(decide(
                        running(),
                        workload(job, false, new ResultPodState.ResultPodPending(Duration.ofSeconds(119)), OLD),
                        NOW))
                .isEqualTo(new UpgradeDecision.WaitForChange());
        assertThat(decide(
                        running(),
                        workload(job, false, new ResultPodState.ResultPodPending(Duration.ofSeconds(120)), OLD),
                        NOW))
                .isEqualTo(new UpgradeDecision.DeleteResultPod());
        assertThat(decide(running(), workload(job, false, new ResultPodState.ResultPodFailed(), OLD), NOW))
                .isEqualTo(new UpgradeDecision.DeleteResultPod());
    }

    @ParameterizedTest
    @EnumSource(
            value = JobState.class,
            names = {"COMPLETE", "FAILED"})
    void succeedsWhenAllStepsHaveAndTheKubeletHasTheVersion(JobState job) {
        NodeUpgradeStatus status =
                written(decide(running(), ended(job, NEW, "Succeeded 1 1 0", "Succeeded 2 1 0"), NOW));
        assertThat(status.phase()).isEqualTo(NodeUpgradePhase.SUCCEEDED);
        assertThat(status.observedVersion()).isEqualTo(NEW);
        assertThat(status.observedSpec()).isNull();
        assertThat(status.failureReason()).isNull();
    }

    @Test
    void waitsForTheKubeletsVersionAndThenFails() {
        assertThat(decide(running(), ended(JobState.COMPLETE, OLD, "Succeeded 1 1 0", "Succeeded 2 1 0", 299), NOW))
                .isEqualTo(new UpgradeDecision.WaitForChange());
        assertFailed(
                decide(running(), ended(JobState.COMPLETE, OLD, "Succeeded 1 1 0", "Succeeded 2 1 0", 300), NOW),
                FailureReason.VERSION_NOT_REACHED,
                "v1.36.1 and not v1.36.3");
    }

    @Test
    void reportsTheSpecThatWasApplied() {
        String target = "spec=sha256:" + "0".repeat(64);
        NodeUpgradeStatus running =
                SampleUpgrades.nodeUpgrade(NodeUpgradePhase.RUNNING, false).status();
        NodeUpgradeStatus status = written(decide(
                SampleUpgrades.nodeUpgrade(target, running, false),
                ended(JobState.COMPLETE, OLD, "Succeeded 1 1 0", "Succeeded 2 1 0"),
                NOW));
        assertThat(status.phase()).isEqualTo(NodeUpgradePhase.SUCCEEDED);
        assertThat(status.observedSpec()).isEqualTo("sha256:" + "0".repeat(64));
        assertThat(status.observedVersion()).isEqualTo(OLD);
    }

    @ParameterizedTest
    @CsvSource({
        "3, 1, STEP_FAILED, permanent",
        "9, 3, STEP_FAILED, unknown and tried three times",
        "5, 3, STEP_FAILED_RETRYABLY, retryable",
        "137, 3, STEP_FAILED_RETRYABLY, killed"
    })
    void exitCodeSaysWhetherAnotherAttemptMaySucceed(String code, String tries, FailureReason reason, String what) {
        assertFailed(
                decide(
                        running(),
                        ended(JobState.FAILED, OLD, "Succeeded 1 1 0", "Failed 2 " + tries + " " + code),
                        NOW),
                reason,
                "step two has ended with exit code " + code + " in try " + tries);
    }

    @Test
    void abortSaysWhereItStopped() {
        NodeUpgradeStatus status =
                written(decide(aborting(), ended(JobState.SUSPENDED, OLD, "Succeeded 1 1 0", "Waiting 0 0 -"), NOW));
        assertThat(status.phase()).isEqualTo(NodeUpgradePhase.ABORTED);
        assertThat(status.failureMessage()).isEqualTo("stopped after step one, before two");
        NodeUpgradeStatus between =
                written(decide(aborting(), ended(JobState.SUSPENDED, OLD, "Failed 1 1 9", "Waiting 0 0 -"), NOW));
        assertThat(between.phase()).isEqualTo(NodeUpgradePhase.ABORTED);
        assertThat(between.failureMessage()).contains("before step one, whose try 1 has ended with exit code 9");
    }

    @Test
    void abortThatComesTooLateChangesNothing() {
        assertThat(written(decide(
                                aborting(), ended(JobState.SUSPENDED, NEW, "Succeeded 1 1 0", "Succeeded 2 1 0"), NOW))
                        .phase())
                .isEqualTo(NodeUpgradePhase.SUCCEEDED);
        assertFailed(
                decide(aborting(), ended(JobState.FAILED, OLD, "Failed 1 1 3", "Waiting 0 0 -"), NOW),
                FailureReason.STEP_FAILED,
                "step one");
    }

    @ParameterizedTest
    @EnumSource(
            value = JobState.class,
            names = {"SUSPENDED", "COMPLETE", "FAILED"})
    void stepThatOutlivesTheJobIsAwaited(JobState job) {
        String running = "Running %d 1 -".formatted(NOW.getEpochSecond());
        WorkloadLookup seen = ended(job, OLD, running, "Waiting 0 0 -");
        NodeUpgradeStatus status = written(decide(aborting(), seen, NOW));
        assertThat(status.phase()).isEqualTo(NodeUpgradePhase.RUNNING);
        NodeUpgrade shown = SampleUpgrades.nodeUpgrade(status, true);
        assertThat(decide(shown, seen, NOW)).isEqualTo(new UpgradeDecision.WaitForChange());
        assertThat(decide(shown, ended(job, OLD, running, "Waiting 0 0 -", 10), NOW))
                .as("the node is read again")
                .isEqualTo(new UpgradeDecision.DeleteResultPod());
    }

    @Test
    void jobThatEndedBeforeItsStepsFailsRetryably() {
        assertFailed(
                decide(running(), ended(JobState.FAILED, OLD, "Succeeded 1 1 0", "Waiting 0 0 -"), NOW),
                FailureReason.JOB_ENDED,
                "stopped after step one, before two");
        assertFailed(
                decide(running(), ended(JobState.COMPLETE, NEW, "Waiting 0 0 -", "Waiting 0 0 -"), NOW),
                FailureReason.JOB_ENDED,
                "stopped before step one");
    }

    @Test
    void deadlineEndsItBetweenSteps() {
        assertFailed(
                decide(running(), ended(JobState.SUSPENDED, OLD, "Succeeded 1 1 0", "Waiting 0 0 -"), LATE),
                FailureReason.DEADLINE_EXCEEDED,
                "stopped after step one");
        assertFailed(
                decide(running(), ended(JobState.SUSPENDED, OLD, "Failed 1 2 9", "Waiting 0 0 -"), LATE),
                FailureReason.DEADLINE_EXCEEDED,
                "whose try 2 has ended with exit code 9");
    }

    @Test
    void jobWhoseImageIsMissingWaitsWithoutAHeartbeatUntilItsDeadline() {
        WorkloadLookup waiting = workload(JobState.ACTIVE, true, NO_RESULT, OLD);
        assertThat(decide(running(), waiting, NOW))
                .as("no status is written: what does not run has no heartbeat")
                .isEqualTo(new UpgradeDecision.WaitForChange());
        assertThat(decide(running(), waiting, LATE)).isEqualTo(new UpgradeDecision.SuspendJob());
        ResultPodState pending = new ResultPodState.ResultPodPending(Duration.ZERO);
        assertThat(decide(running(), workload(JobState.SUSPENDED, false, pending, OLD), LATE))
                .as("a pod that would read the node has the same image")
                .isEqualTo(new UpgradeDecision.WaitForChange());
    }
}
