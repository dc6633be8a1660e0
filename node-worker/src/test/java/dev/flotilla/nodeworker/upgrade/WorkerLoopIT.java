package dev.flotilla.nodeworker.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.upgrade.CallResult;
import dev.flotilla.runtime.process.ProcessClock;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.testkit.kafka.LocalKafka;
import io.vertx.core.Promise;
import java.io.IOException;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Workers on a real Kafka. */
class WorkerLoopIT {
    private static final int MACHINES = 40;

    /** Limits of minutes pass in a fraction of a second. */
    private static final int HASTE = 500;

    private static LocalKafka kafka;

    @BeforeAll
    static void startKafka() {
        kafka = LocalKafka.start();
    }

    @AfterAll
    static void stopKafka() {
        kafka.close();
    }

    /** Goes as everybody's, and minutes at a time where a test says so. */
    private static final class Leaping implements ProcessClock {
        private static final long LEAP = TimeUnit.MINUTES.toNanos(1);

        private final AtomicLong ahead = new AtomicLong();

        @Override
        public long wallMillis() {
            return ProcessClock.SYSTEM.wallMillis();
        }

        @Override
        public long monotonicNanos() {
            return ProcessClock.SYSTEM.monotonicNanos() + ahead.get();
        }

        boolean leaps() {
            ahead.addAndGet(LEAP);
            return true;
        }
    }

    private static ProcessClock inHaste() {
        return new ProcessClock() {
            @Override
            public long wallMillis() {
                return ProcessClock.SYSTEM.wallMillis();
            }

            @Override
            public long monotonicNanos() {
                return HASTE * ProcessClock.SYSTEM.monotonicNanos();
            }
        };
    }

    @Test
    void upgradesAMachineToItsTarget() {
        try (WorkersFixture workersFixture = new WorkersFixture(kafka.bootstrap(), "east")) {
            workersFixture.start("one");
            workersFixture.command(1, 10);
            workersFixture.await(
                    "the change to be watched",
                    () -> workersFixture.lastReport(1) instanceof AttemptReport.StepReached stepReached
                            && stepReached.step() == AttemptStep.REFRESHING);
            assertThat(workersFixture.nodes.node(workersFixture.machine(1)).guarded)
                    .isTrue();
            workersFixture.nodes.node(workersFixture.machine(1)).finish();
            workersFixture.await("success", () -> workersFixture.lastReport(1) instanceof AttemptReport.Succeeded);
            assertThat(workersFixture.lastReport(1))
                    .isEqualTo(new AttemptReport.Succeeded(
                            AttemptReport.SuccessProof.UPGRADED, WorkersFixture.TARGET, ScriptedNodeUpgraders.VERSION));
            assertThat(workersFixture.nodes.node(workersFixture.machine(1)).calls)
                    .hasValue(1);
            assertThat(workersFixture.nodes.node(workersFixture.machine(1)).guarded)
                    .isFalse();
        }
    }

    @Test
    void continuesAnAttemptOfAnotherWorker() {
        try (WorkersFixture workersFixture = new WorkersFixture(kafka.bootstrap(), "north")) {
            WorkerLoop first = workersFixture.start("one");
            workersFixture.command(1, 10);
            workersFixture.await(
                    "the call",
                    () -> workersFixture.lastReport(1) instanceof AttemptReport.StepReached stepReached
                            && stepReached.step() == AttemptStep.REFRESHING);
            first.close();
            workersFixture.nodes.node(workersFixture.machine(1)).finish();
            workersFixture.start("two");
            workersFixture.await("success", () -> workersFixture.lastReport(1) instanceof AttemptReport.Succeeded);
            assertThat(workersFixture.nodes.calls()).isEqualTo(1);
        }
    }

    /** A worker that continued from the topic alone would start again and call a second time. */
    @Test
    void goesOnWithWhatItHasBegunWhereTheTopicThatSaysSoWasCreatedAgain() throws InterruptedException {
        try (WorkersFixture workersFixture = new WorkersFixture(kafka.bootstrap(), "again")) {
            workersFixture.start("one");
            workersFixture.command(1, 10);
            workersFixture.await(
                    "the call",
                    () -> workersFixture.lastReport(1) instanceof AttemptReport.StepReached stepReached
                            && stepReached.step() == AttemptStep.REFRESHING);
            workersFixture.loseWhatWasTold(1);
            workersFixture.nodes.node(workersFixture.machine(1)).finish();
            workersFixture.await("success", () -> workersFixture.lastReport(1) instanceof AttemptReport.Succeeded);
            assertThat(workersFixture.lastReport(1))
                    .isEqualTo(new AttemptReport.Succeeded(
                            AttemptReport.SuccessProof.UPGRADED, WorkersFixture.TARGET, ScriptedNodeUpgraders.VERSION));
            assertThat(workersFixture.nodes.calls()).isEqualTo(1);
        }
    }

    @Test
    void withdrawsAnUnusedPermitWhenItStops() {
        try (WorkersFixture workersFixture = new WorkersFixture(kafka.bootstrap(), "given-back")) {
            ScriptedNodeUpgraders.ScriptedNode scriptedNode = workersFixture.nodes.node(workersFixture.machine(1));
            scriptedNode.judgement = Promise.<@Nullable String>promise().future();
            WorkerLoop first = workersFixture.start("one");
            workersFixture.command(1, 10);
            workersFixture.await(
                    "a call permit",
                    () -> new AttemptReport.StepReached(AttemptStep.STARTING, null)
                            .equals(workersFixture.lastReport(1)));
            first.close();
            scriptedNode.judgement = null;
            workersFixture.await(
                    "it to be given back",
                    () -> new AttemptReport.StepReached(AttemptStep.GUARDING, null)
                            .equals(workersFixture.lastReport(1)));
            workersFixture.start("two");
            workersFixture.await("the call", () -> scriptedNode.calls.get() == 1);
            scriptedNode.finish();
            workersFixture.await("success", () -> workersFixture.lastReport(1) instanceof AttemptReport.Succeeded);
            assertThat(scriptedNode.calls).hasValue(1);
        }
    }

    @Test
    void reportsTheResultOfAnOpenCallBeforeItStops() throws InterruptedException {
        try (WorkersFixture workersFixture = new WorkersFixture(kafka.bootstrap(), "heard")) {
            ScriptedNodeUpgraders.ScriptedNode scriptedNode = workersFixture.nodes.node(workersFixture.machine(1));
            Promise<CallResult> answer = Promise.promise();
            scriptedNode.answer = answer.future();
            WorkerLoop first = workersFixture.start("one");
            workersFixture.command(1, 10);
            workersFixture.await("the call", () -> scriptedNode.calls.get() == 1);
            Thread closing = Thread.ofVirtual().start(first::close);
            answer.complete(new CallResult.ChangeStarted("7"));
            closing.join();
            workersFixture.await(
                    "the change to be known",
                    () -> new AttemptReport.StepReached(AttemptStep.REFRESHING, "7")
                            .equals(workersFixture.lastReport(1)));
        }
    }

    @Test
    void doesNotCallUnderAnotherWorkersPermit() {
        try (WorkersFixture workersFixture = new WorkersFixture(kafka.bootstrap(), "west")) {
            workersFixture.writeReport(1, 10, new AttemptReport.StepReached(AttemptStep.STARTING, null));
            workersFixture.command(1, 10);
            workersFixture.start("one", inHaste());
            workersFixture.await(
                    "the unknown outcome", () -> workersFixture.lastReport(1) instanceof AttemptReport.OutcomeUnknown);
            assertThat(workersFixture.nodes.calls()).isZero();
        }
    }

    @Test
    void callsNobodyPastTheCommandsEndByTheLogsClockWhereItsOwnIsBehind() {
        try (WorkersFixture workersFixture = new WorkersFixture(kafka.bootstrap(), "behind")) {
            workersFixture.start("one", anHourBehind());
            workersFixture.command(1, 10, Instant.now().minusSeconds(60));
            workersFixture.await(
                    "it to be too late", () -> workersFixture.lastReport(1) instanceof AttemptReport.LeaseExpired);
            assertThat(workersFixture.nodes.calls()).isZero();
        }
    }

    private static ProcessClock anHourBehind() {
        return new ProcessClock() {
            @Override
            public long wallMillis() {
                return ProcessClock.SYSTEM.wallMillis() - 3_600_000;
            }

            @Override
            public long monotonicNanos() {
                return ProcessClock.SYSTEM.monotonicNanos();
            }
        };
    }

    @Test
    void cleansUpAndReportsACancelBeforeTheCall() {
        try (WorkersFixture workersFixture = new WorkersFixture(kafka.bootstrap(), "south")) {
            workersFixture.command(1, 10);
            workersFixture.cancel(1, 10);
            workersFixture.start("one");
            workersFixture.await("the end", () -> workersFixture.lastReport(1) instanceof AttemptReport.Cancelled);
            assertThat(workersFixture.nodes.calls()).isZero();
        }
    }

    @Test
    void pollsAChangeToItsEndIfCancelledAfterTheCall() {
        try (WorkersFixture workersFixture = new WorkersFixture(kafka.bootstrap(), "middle")) {
            workersFixture.start("one");
            workersFixture.command(1, 10);
            workersFixture.await(
                    "the call",
                    () -> workersFixture.lastReport(1) instanceof AttemptReport.StepReached stepReached
                            && stepReached.step() == AttemptStep.REFRESHING);
            workersFixture.cancel(1, 10);
            workersFixture.nodes.node(workersFixture.machine(1)).finish();
            workersFixture.await("success", () -> workersFixture.lastReport(1) instanceof AttemptReport.Succeeded);
        }
    }

    @Test
    void sharesMachinesWithAJoiningWorkerAndCallsEachOnce() {
        try (WorkersFixture workersFixture = new WorkersFixture(kafka.bootstrap(), "shared")) {
            WorkerLoop first = workersFixture.start("one");
            IntStream.range(0, MACHINES).forEach(i -> workersFixture.command(i, 100 + i));
            workersFixture.await("some calls", () -> workersFixture.nodes.calls() > 0);
            workersFixture.start("two");
            workersFixture.await("all calls", () -> workersFixture.nodes.calls() == MACHINES);
            first.close();
            IntStream.range(0, MACHINES)
                    .forEach(i ->
                            workersFixture.nodes.node(workersFixture.machine(i)).finish());
            workersFixture.await(
                    "all of them to end",
                    () -> IntStream.range(0, MACHINES)
                            .allMatch(i -> workersFixture.lastReport(i) instanceof AttemptReport.Succeeded));
            assertThat(workersFixture.nodes.calls()).isEqualTo(MACHINES);
        }
    }

    @Test
    void goesOnUndoingWhatCouldNotBeUndoneWhenTheEndWasTold() {
        try (WorkersFixture workersFixture = new WorkersFixture(kafka.bootstrap(), "stuck")) {
            ScriptedNodeUpgraders.ScriptedNode scriptedNode = workersFixture.nodes.node(workersFixture.machine(1));
            scriptedNode.stuck.set(15);
            Leaping time = new Leaping();
            workersFixture.start("one", time);
            workersFixture.command(1, 10);
            workersFixture.await("the call", () -> scriptedNode.calls.get() == 1);
            scriptedNode.finish();
            workersFixture.await("the first cleanup", () -> scriptedNode.stuck.get() < 15);
            // It is tried twelve times, seconds apart.
            workersFixture.await(
                    "success", () -> time.leaps() && workersFixture.lastReport(1) instanceof AttemptReport.Succeeded);
            assertThat(workersFixture.left).containsExactly("the cluster's API is away");
            workersFixture.await("the late cleanup", () -> time.leaps() && workersFixture.cleanedUp.contains("m-1"));
            assertThat(scriptedNode.guarded).isFalse();
        }
    }

    @Test
    void reportsAnExpectedFailure() {
        try (WorkersFixture workersFixture = new WorkersFixture(kafka.bootstrap(), "declared")) {
            ScriptedNodeUpgraders.ScriptedNode scriptedNode = workersFixture.nodes.node(workersFixture.machine(1));
            scriptedNode.inspectionFailure = new IOException("no route to host");
            Leaping time = new Leaping();
            workersFixture.start("one", time);
            workersFixture.command(1, 10);
            workersFixture.await("an inspection", () -> scriptedNode.inspections.get() > 0);
            time.leaps();
            workersFixture.await("another, so the first has counted", () -> scriptedNode.inspections.get() > 1);
            // Two minutes without an answer, and far from the end of the lease.
            time.leaps();
            time.leaps();
            workersFixture.await("the end", () -> workersFixture.lastReport(1) instanceof AttemptReport.Failed);
            assertThat(workersFixture.lastReport(1))
                    .isInstanceOfSatisfying(
                            AttemptReport.Failed.class,
                            failed -> assertThat(failed.text()).isEqualTo("no route to host"));
        }
    }

    @Test
    void bugEndsTheLoopAndIsNotReported() {
        try (WorkersFixture workersFixture = new WorkersFixture(kafka.bootstrap(), "bug")) {
            workersFixture.nodes.node(workersFixture.machine(1)).inspectionFailure = new NullPointerException("a bug");
            workersFixture.start("one");
            workersFixture.command(1, 10);
            assertThat(workersFixture.bug()).hasRootCauseMessage("a bug");
            assertThat(workersFixture.lastReport(1) instanceof AttemptReport.Failed)
                    .isFalse();
        }
    }

    @Test
    void bugInACleanupEndsTheLoopAtOnce() {
        try (WorkersFixture workersFixture = new WorkersFixture(kafka.bootstrap(), "cleanup-bug")) {
            ScriptedNodeUpgraders.ScriptedNode scriptedNode = workersFixture.nodes.node(workersFixture.machine(1));
            scriptedNode.cleanupFailure = new NullPointerException("a bug");
            workersFixture.start("one");
            workersFixture.command(1, 10);
            workersFixture.await(
                    "the call",
                    () -> workersFixture.lastReport(1) instanceof AttemptReport.StepReached stepReached
                            && stepReached.step() == AttemptStep.REFRESHING);
            scriptedNode.finish();
            assertThat(workersFixture.bug()).hasRootCauseMessage("a bug");
            assertThat(workersFixture.left).isEmpty();
        }
    }

    @Test
    void cleansUpAMachineWhoseCommandWasRemoved() {
        try (WorkersFixture workersFixture = new WorkersFixture(kafka.bootstrap(), "gone")) {
            workersFixture.start("one");
            workersFixture.command(1, 10);
            workersFixture.await(
                    "the call",
                    () -> workersFixture.lastReport(1) instanceof AttemptReport.StepReached stepReached
                            && stepReached.step() == AttemptStep.REFRESHING);
            workersFixture.forget(1);
            workersFixture.await(
                    "the guards to go", () -> !workersFixture.nodes.node(workersFixture.machine(1)).guarded);
        }
    }
}
