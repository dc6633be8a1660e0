package dev.flotilla.nodeworker.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.upgrade.CallResult;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.testkit.kafka.BrokerProcess;
import io.vertx.core.Promise;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a worker does while its broker is dead. */
class WorkerKafkaOutageIT {
    @Test
    void doesNotCallWithoutACommittedPermitAndCleansUp(@TempDir Path folder) {
        try (BrokerProcess broker = BrokerProcess.singleBroker(folder, Map.of())) {
            broker.start();
            try (WorkersFixture workersFixture = new WorkersFixture(broker.bootstrap(), "east")) {
                ScriptedNodeUpgraders.ScriptedNode scriptedNode = workersFixture.nodes.node(workersFixture.machine(1));
                Promise<@Nullable String> guarded = Promise.promise();
                scriptedNode.guarding = guarded.future();
                workersFixture.start("one");
                workersFixture.command(1, 10);
                workersFixture.await("the guards to be requested", () -> scriptedNode.guarded);
                broker.kill();
                guarded.complete(null);
                workersFixture.await("the machine to be let go", () -> scriptedNode.undone.get() == 1);
                broker.start();
                workersFixture.await(
                        "its report", () -> workersFixture.lastReport(1) instanceof AttemptReport.Deferred);
                assertThat(scriptedNode.calls).hasValue(0);
                assertThat(scriptedNode.guarded).isFalse();
            }
        }
    }

    @Test
    @Tag("whole")
    void callDuringAnOutageIsTheOnlyOne(@TempDir Path folder) {
        try (BrokerProcess broker = BrokerProcess.singleBroker(folder, Map.of())) {
            broker.start();
            try (WorkersFixture workersFixture = new WorkersFixture(broker.bootstrap(), "east")) {
                ScriptedNodeUpgraders.ScriptedNode scriptedNode = workersFixture.nodes.node(workersFixture.machine(1));
                Promise<CallResult> answer = Promise.promise();
                scriptedNode.answer = answer.future();
                workersFixture.start("one");
                workersFixture.command(1, 10);
                workersFixture.await("the call", () -> scriptedNode.calls.get() == 1);
                broker.kill();
                answer.complete(new CallResult.ChangeStarted("7"));
                workersFixture.await("Kafka to be missed", () -> !workersFixture.kafkaFailures.isEmpty());
                scriptedNode.finish();
                broker.start();
                workersFixture.await("success", () -> workersFixture.lastReport(1) instanceof AttemptReport.Succeeded);
                assertThat(scriptedNode.calls).hasValue(1);
                assertThat(scriptedNode.guarded).isFalse();
            }
        }
    }

    @Test
    void keepsReportsUntilKafkaIsBackAndDoesNotCall(@TempDir Path folder) {
        try (BrokerProcess broker = BrokerProcess.singleBroker(folder, Map.of())) {
            broker.start();
            try (WorkersFixture workersFixture = new WorkersFixture(broker.bootstrap(), "east")) {
                workersFixture.start("one");
                workersFixture.command(1, 10);
                workersFixture.await(
                        "the call",
                        () -> workersFixture.lastReport(1) instanceof AttemptReport.StepReached stepReached
                                && stepReached.step() == AttemptStep.REFRESHING);
                broker.kill();
                workersFixture.nodes.node(workersFixture.machine(1)).finish();
                workersFixture.await(
                        "the machine to be let go",
                        () -> !workersFixture.nodes.node(workersFixture.machine(1)).guarded);
                broker.start();
                workersFixture.await("success", () -> workersFixture.lastReport(1) instanceof AttemptReport.Succeeded);
                workersFixture.command(2, 11);
                workersFixture.await(
                        "the next call",
                        () -> workersFixture
                                        .nodes
                                        .node(workersFixture.machine(2))
                                        .calls
                                        .get()
                                == 1);
                assertThat(workersFixture.nodes.node(workersFixture.machine(1)).calls)
                        .hasValue(1);
                assertThat(workersFixture.kafkaFailures).isNotEmpty();
            }
        }
    }
}
