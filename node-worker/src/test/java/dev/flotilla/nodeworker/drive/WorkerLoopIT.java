package dev.flotilla.nodeworker.drive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.procedure.CallResult;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.testkit.kafka.LocalKafka;
import io.vertx.core.Promise;
import java.io.IOException;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
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
    private static final class Leaping implements WorkerTime {
        private static final long LEAP = 60_000;

        private final AtomicLong ahead = new AtomicLong();

        @Override
        public long clock() {
            return WorkerTime.SYSTEM.clock();
        }

        @Override
        public long ticks() {
            return WorkerTime.SYSTEM.ticks() + ahead.get();
        }

        boolean leaps() {
            ahead.addAndGet(LEAP);
            return true;
        }
    }

    private static WorkerTime inHaste() {
        return new WorkerTime() {
            @Override
            public long clock() {
                return WorkerTime.SYSTEM.clock();
            }

            @Override
            public long ticks() {
                return HASTE * WorkerTime.SYSTEM.ticks();
            }
        };
    }

    @Test
    void drivesAMachineToItsTarget() {
        try (Workers workers = new Workers(kafka.bootstrap(), "east")) {
            workers.start("one");
            workers.command(1, 10);
            workers.await(
                    "the change to be watched",
                    () -> workers.told(1) instanceof AttemptReport.StepReached stepReached && stepReached.step() == AttemptStep.REFRESHING);
            assertThat(workers.nodes.node(workers.machine(1)).guarded).isTrue();
            workers.nodes.node(workers.machine(1)).finish();
            workers.await("success", () -> workers.told(1) instanceof AttemptReport.Succeeded);
            assertThat(workers.told(1))
                    .isEqualTo(new AttemptReport.Succeeded(AttemptReport.SuccessProof.UPGRADED, Workers.TARGET, ScriptedNodes.VERSION));
            assertThat(workers.nodes.node(workers.machine(1)).calls).hasValue(1);
            assertThat(workers.nodes.node(workers.machine(1)).guarded).isFalse();
        }
    }

    @Test
    void takesUpWhatAnotherHasBegun() {
        try (Workers workers = new Workers(kafka.bootstrap(), "north")) {
            WorkerLoop first = workers.start("one");
            workers.command(1, 10);
            workers.await(
                    "the call",
                    () -> workers.told(1) instanceof AttemptReport.StepReached stepReached && stepReached.step() == AttemptStep.REFRESHING);
            first.close();
            workers.nodes.node(workers.machine(1)).finish();
            workers.start("two");
            workers.await("success", () -> workers.told(1) instanceof AttemptReport.Succeeded);
            assertThat(workers.nodes.calls()).isEqualTo(1);
        }
    }

    /** Who would take it up from what the topic says would begin again, and call a second time. */
    @Test
    void goesOnWithWhatItHasBegunWhereTheTopicThatSaysSoWasCreatedAgain() throws InterruptedException {
        try (Workers workers = new Workers(kafka.bootstrap(), "again")) {
            workers.start("one");
            workers.command(1, 10);
            workers.await(
                    "the call",
                    () -> workers.told(1) instanceof AttemptReport.StepReached stepReached && stepReached.step() == AttemptStep.REFRESHING);
            workers.loseWhatWasTold(1);
            workers.nodes.node(workers.machine(1)).finish();
            workers.await("success", () -> workers.told(1) instanceof AttemptReport.Succeeded);
            assertThat(workers.told(1))
                    .isEqualTo(new AttemptReport.Succeeded(AttemptReport.SuccessProof.UPGRADED, Workers.TARGET, ScriptedNodes.VERSION));
            assertThat(workers.nodes.calls()).isEqualTo(1);
        }
    }

    @Test
    void givesBackALicenceThatItHasNotUsedWhenItIsStopped() {
        try (Workers workers = new Workers(kafka.bootstrap(), "given-back")) {
            ScriptedNodes.Node node = workers.nodes.node(workers.machine(1));
            node.judgement = Promise.<Ruling>promise().future();
            WorkerLoop first = workers.start("one");
            workers.command(1, 10);
            workers.await("a licence", () -> new AttemptReport.StepReached(AttemptStep.STARTING, null).equals(workers.told(1)));
            first.close();
            node.judgement = null;
            workers.await("it to be given back", () -> new AttemptReport.StepReached(AttemptStep.GUARDING, null).equals(workers.told(1)));
            workers.start("two");
            workers.await("the call", () -> node.calls.get() == 1);
            node.finish();
            workers.await("success", () -> workers.told(1) instanceof AttemptReport.Succeeded);
            assertThat(node.calls).hasValue(1);
        }
    }

    @Test
    void hearsWhatCameOfACallBeforeItStops() throws InterruptedException {
        try (Workers workers = new Workers(kafka.bootstrap(), "heard")) {
            ScriptedNodes.Node node = workers.nodes.node(workers.machine(1));
            Promise<CallResult> answer = Promise.promise();
            node.answer = answer.future();
            WorkerLoop first = workers.start("one");
            workers.command(1, 10);
            workers.await("the call", () -> node.calls.get() == 1);
            Thread closing = Thread.ofVirtual().start(first::close);
            answer.complete(new CallResult.ChangeStarted("7"));
            closing.join();
            workers.await(
                    "the change to be known", () -> new AttemptReport.StepReached(AttemptStep.REFRESHING, "7").equals(workers.told(1)));
        }
    }

    @Test
    void callsNobodyUnderALicenceOfAnother() {
        try (Workers workers = new Workers(kafka.bootstrap(), "west")) {
            workers.tell(1, 10, new AttemptReport.StepReached(AttemptStep.STARTING, null));
            workers.command(1, 10);
            workers.start("one", inHaste());
            workers.await("nobody knows", () -> workers.told(1) instanceof AttemptReport.OutcomeUnknown);
            assertThat(workers.nodes.calls()).isZero();
        }
    }

    @Test
    void callsNobodyPastTheCommandsEndByTheLogsClockWhereItsOwnIsBehind() {
        try (Workers workers = new Workers(kafka.bootstrap(), "behind")) {
            workers.start("one", anHourBehind());
            workers.command(1, 10, Instant.now().minusSeconds(60));
            workers.await("it to be too late", () -> workers.told(1) instanceof AttemptReport.LeaseExpired);
            assertThat(workers.nodes.calls()).isZero();
        }
    }

    private static WorkerTime anHourBehind() {
        return new WorkerTime() {
            @Override
            public long clock() {
                return WorkerTime.SYSTEM.clock() - 3_600_000;
            }

            @Override
            public long ticks() {
                return WorkerTime.SYSTEM.ticks();
            }
        };
    }

    @Test
    void undoesAndSaysSoWhenItIsTakenBackBeforeTheCall() {
        try (Workers workers = new Workers(kafka.bootstrap(), "south")) {
            workers.command(1, 10);
            workers.cancel(1, 10);
            workers.start("one");
            workers.await("the end", () -> workers.told(1) instanceof AttemptReport.Cancelled);
            assertThat(workers.nodes.calls()).isZero();
        }
    }

    @Test
    void watchesToItsEndWhatIsTakenBackAfterTheCall() {
        try (Workers workers = new Workers(kafka.bootstrap(), "middle")) {
            workers.start("one");
            workers.command(1, 10);
            workers.await(
                    "the call",
                    () -> workers.told(1) instanceof AttemptReport.StepReached stepReached && stepReached.step() == AttemptStep.REFRESHING);
            workers.cancel(1, 10);
            workers.nodes.node(workers.machine(1)).finish();
            workers.await("success", () -> workers.told(1) instanceof AttemptReport.Succeeded);
        }
    }

    @Test
    void sharesItsMachinesWithWhoeverJoinsAndCallsEachOnce() {
        try (Workers workers = new Workers(kafka.bootstrap(), "shared")) {
            WorkerLoop first = workers.start("one");
            IntStream.range(0, MACHINES).forEach(i -> workers.command(i, 100 + i));
            workers.await("some calls", () -> workers.nodes.calls() > 0);
            workers.start("two");
            workers.await("all calls", () -> workers.nodes.calls() == MACHINES);
            first.close();
            IntStream.range(0, MACHINES)
                    .forEach(i -> workers.nodes.node(workers.machine(i)).finish());
            workers.await(
                    "all of them to end",
                    () -> IntStream.range(0, MACHINES).allMatch(i -> workers.told(i) instanceof AttemptReport.Succeeded));
            assertThat(workers.nodes.calls()).isEqualTo(MACHINES);
        }
    }

    @Test
    void goesOnUndoingWhatCouldNotBeUndoneWhenTheEndWasTold() {
        try (Workers workers = new Workers(kafka.bootstrap(), "stuck")) {
            ScriptedNodes.Node node = workers.nodes.node(workers.machine(1));
            node.stuck.set(15);
            Leaping time = new Leaping();
            workers.start("one", time);
            workers.command(1, 10);
            workers.await("the call", () -> node.calls.get() == 1);
            node.finish();
            workers.await("success", () -> workers.told(1) instanceof AttemptReport.Succeeded);
            assertThat(workers.left).containsExactly("the cluster's API is away");
            workers.await("it to be undone after all", () -> time.leaps() && workers.cleanedUp.contains("m-1"));
            assertThat(node.guarded).isFalse();
        }
    }

    @Test
    void aDeclaredFailureIsTold() {
        try (Workers workers = new Workers(kafka.bootstrap(), "declared")) {
            workers.nodes.node(workers.machine(1)).sight = new IOException("no route to host");
            Leaping time = new Leaping();
            workers.start("one", time);
            workers.command(1, 10);
            workers.await("the end", () -> time.leaps() && workers.told(1) instanceof AttemptReport.Failed);
            assertThat(workers.told(1))
                    .isInstanceOfSatisfying(
                            AttemptReport.Failed.class,
                            failed -> assertThat(failed.text()).isEqualTo("no route to host"));
        }
    }

    @Test
    void aBugEndsTheLoopAndIsNotToldAsAnUnreachableNode() {
        try (Workers workers = new Workers(kafka.bootstrap(), "bug")) {
            workers.nodes.node(workers.machine(1)).sight = new NullPointerException("a bug");
            workers.start("one");
            workers.command(1, 10);
            assertThat(workers.bug()).hasRootCauseMessage("a bug");
            assertThat(workers.told(1) instanceof AttemptReport.Failed).isFalse();
        }
    }

    @Test
    void leavesNothingBehindOnAMachineThatNobodyCommandsAnyMore() {
        try (Workers workers = new Workers(kafka.bootstrap(), "gone")) {
            workers.start("one");
            workers.command(1, 10);
            workers.await(
                    "the call",
                    () -> workers.told(1) instanceof AttemptReport.StepReached stepReached && stepReached.step() == AttemptStep.REFRESHING);
            workers.forget(1);
            workers.await("the guards to go", () -> !workers.nodes.node(workers.machine(1)).guarded);
        }
    }
}
