package dev.flotilla.nodeworker.drive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.procedure.CallResult;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.testkit.kafka.BrokerProcess;
import io.vertx.core.Promise;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a worker does while its broker is dead. */
class WorkerWithoutKafkaIT {
    @Test
    void callsNobodyWithoutALicenceAndLeavesNothingBehind(@TempDir Path folder) {
        try (BrokerProcess broker = BrokerProcess.alone(folder, Map.of())) {
            broker.start();
            try (Workers workers = new Workers(broker.bootstrap(), "east")) {
                ScriptedNodes.Node node = workers.nodes.node(workers.machine(1));
                Promise<Ruling> guarded = Promise.promise();
                node.guarding = guarded.future();
                workers.start("one");
                workers.command(1, 10);
                workers.await("the guards to be asked for", () -> node.guarded);
                broker.kill();
                guarded.complete(Ruling.ALLOWED);
                workers.await("the machine to be let go", () -> node.undone.get() == 1);
                broker.start();
                workers.await("its word", () -> workers.told(1) instanceof AttemptReport.Deferred);
                assertThat(node.calls).hasValue(0);
                assertThat(node.guarded).isFalse();
            }
        }
    }

    @Test
    @Tag("whole")
    void aCallThatIsOutWhenKafkaGoesIsTheOnlyOne(@TempDir Path folder) {
        try (BrokerProcess broker = BrokerProcess.alone(folder, Map.of())) {
            broker.start();
            try (Workers workers = new Workers(broker.bootstrap(), "east")) {
                ScriptedNodes.Node node = workers.nodes.node(workers.machine(1));
                Promise<CallResult> answer = Promise.promise();
                node.answer = answer.future();
                workers.start("one");
                workers.command(1, 10);
                workers.await("the call", () -> node.calls.get() == 1);
                broker.kill();
                answer.complete(new CallResult.ChangeStarted("7"));
                workers.await("Kafka to be missed", () -> !workers.kafkaFailures.isEmpty());
                node.finish();
                broker.start();
                workers.await("success", () -> workers.told(1) instanceof AttemptReport.Succeeded);
                assertThat(node.calls).hasValue(1);
                assertThat(node.guarded).isFalse();
            }
        }
    }

    @Test
    void holdsResultsUntilTheyCanBeWrittenAndCallsNobodyMeanwhile(@TempDir Path folder) {
        try (BrokerProcess broker = BrokerProcess.alone(folder, Map.of())) {
            broker.start();
            try (Workers workers = new Workers(broker.bootstrap(), "east")) {
                workers.start("one");
                workers.command(1, 10);
                workers.await(
                        "the call",
                        () -> workers.told(1) instanceof AttemptReport.StepReached stepReached && stepReached.step() == AttemptStep.REFRESHING);
                broker.kill();
                workers.nodes.node(workers.machine(1)).finish();
                workers.await("the machine to be let go", () -> !workers.nodes.node(workers.machine(1)).guarded);
                broker.start();
                workers.await("success", () -> workers.told(1) instanceof AttemptReport.Succeeded);
                workers.command(2, 11);
                workers.await(
                        "the next call",
                        () -> workers.nodes.node(workers.machine(2)).calls.get() == 1);
                assertThat(workers.nodes.node(workers.machine(1)).calls).hasValue(1);
                assertThat(workers.kafkaFailures).isNotEmpty();
            }
        }
    }
}
